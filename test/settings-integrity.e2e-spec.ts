import { BlockedDeliveries } from '../src/webhooks/blocked-deliveries.service.js';
import { DatabaseThief } from './support/database-thief.js';
import { MerchantServer } from './support/merchant-server.js';
import { createOwner } from './support/principals.js';
import { Shop, type ShopApplication } from './support/shop.js';

let shop: Shop;
let thief: DatabaseThief;
let application: ShopApplication;

beforeEach(async () => {
  shop = await Shop.open();
  thief = new DatabaseThief(shop.gateway.sql);
  application = await shop.application();
});
afterEach(() => shop.close());

const put = (changes: object) =>
  shop.call('PUT', `/api/payment-applications/${application.id}`, shop.owner.accessToken, changes);

const create = (about: object = {}) =>
  shop.call('POST', '/api/payment/checkout', application.clientToken, {
    clientId: application.clientId,
    reference: 'ORDER-2',
    referenceLabel: 'Order #2',
    currencyCode: 'USD',
    amount: 100,
    ...about,
  });

const deliveries = () =>
  shop.gateway.sql.query<{ state: string; error: string | null }>(
    'select state, last_error as error from webhook_deliveries order by created_at, id',
  );

/** All settings as a merchant sets them. */
const settings = (callbackUrl: string) => ({
  url: null,
  callbackUrl,
  allowUnderpay: false,
  allowOverpay: true,
  confirmations: {},
  events: ['payment.received', 'payment.completed', 'payment.underpaid', 'payment.refund'],
});

it('webhooks wait while their address is one that a writer of the database chose', async () => {
  const other = await MerchantServer.start();
  const payment = await shop.createPayment(application);
  await shop.send(await shop.instructions(payment));
  await thief.tamper([[`update sites set callback_url = $1`, [other.url]]]);
  await shop.mine(15);
  expect(other.requests).toEqual([]);
  expect(shop.events(payment)).toEqual([]);
  expect(await deliveries()).toEqual([
    { state: 'blocked', error: "the application's settings were changed outside of the gateway" },
  ]);
  // It stays so.
  await shop.gateway.get(BlockedDeliveries).runOnce();
  await shop.settle();
  expect((await deliveries()).map(({ state }) => state)).toEqual(['blocked']);

  expect(await create()).toMatchObject({ status: 409, body: { code: 'settings_integrity' } });
  expect(await put({ allowOverpay: false })).toMatchObject({
    status: 409,
    body: { code: 'settings_integrity' },
  });

  expect((await put(settings(shop.merchant.url))).status).toBe(200);
  await shop.gateway.get(BlockedDeliveries).runOnce();
  await shop.settle();
  expect(shop.events(payment)).toEqual(['payment.received', 'payment.completed']);
  expect(other.requests).toEqual([]);
  expect((await create()).status).toBe(201);
  await other.down();
});

it('settings that a writer of the database chose accept no short payment', async () => {
  const lenient = await shop.application({ allowUnderpay: true, underpayLeastShareBps: 1 });
  const [accepted, payment] = [await shop.createPayment(lenient), await shop.createPayment(application)];
  for (const each of [accepted, payment]) {
    const instructions = await shop.instructions(each);
    await shop.send(instructions, (BigInt(instructions.amount.amount) * 99n) / 100n);
  }
  await thief.tamper([['update sites set allow_underpay = true where not allow_underpay']]);
  await shop.mine(15);
  await shop.wait(24 * 3600);
  await shop.settle();
  expect(await shop.status(accepted)).toBe('CONFIRMED');
  expect(await shop.status(payment)).toBe('UNDERPAID');
});

it('customers are not sent to an address that a writer of the database chose', async () => {
  const payment = await shop.createPayment(application, { redirectUrl: 'https://shop.example/thanks' });
  const shown = () => shop.checkout<{ redirectUrl: string | null }>(payment, `payment/${payment.id}`);
  expect((await shown()).body.data.redirectUrl).toBe('https://shop.example/thanks');
  await thief.tamper([[`update payments set redirect_url = 'https://evil.example'`]]);
  expect(await shown()).toMatchObject({ status: 409, body: { code: 'payment_integrity' } });
});

/** An entry of the audit log as the gateway's role can add it. */
const CREATED = `
  insert into audit_log (at, actor_kind, actor_id, act, user_id, target_kind, target_id, details, mac)
  select at, actor_kind, $1, act, $1, target_kind, target_id, details, mac from audit_log where act = 'application.created'`;

it.each([
  ['alone', ['update payment_applications set user_id = $1']],
  ['with its site', ['update payment_applications set user_id = $1', 'update sites set user_id = $1']],
  [
    'with its site and an entry of the audit log',
    ['update payment_applications set user_id = $1', 'update sites set user_id = $1', CREATED],
  ],
])('whom a writer of the database makes the owner of an application %s has none', async (_, statements) => {
  const stranger = await createOwner(shop.gateway);
  const { userId } = shop.owner;
  const { site } = application;
  for (const text of statements)
    if (text === CREATED) await shop.gateway.sql.query(text, [stranger.userId]);
    else await thief.tamper([[text, [stranger.userId]]]);
  const asked = (method: string, path: string, body?: object) =>
    shop.call(method, `/api/payment-applications/${application.id}${path}`, stranger.accessToken, body);
  const answers = [
    await asked('GET', ''),
    await asked('PUT', '', settings('https://thief.example/webhooks')),
    await asked('POST', '/client-tokens', { label: 'Stolen', scopes: ['*'] }),
    await asked('GET', '/wallets'),
    await asked('GET', '/client-tokens'),
    await asked('POST', '/webhook-endpoint/pause', {}),
    await asked('DELETE', ''),
    await shop.call('GET', `/api/sites/${site.id}`, stranger.accessToken),
  ];
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 404));
  const { body } = await shop.call<unknown[]>('GET', '/api/payment-applications', stranger.accessToken);
  expect(body.data).toEqual([]);

  // The rows are put back, with the MAC that they have.
  await thief.tamper([
    ['update payment_applications set user_id = $1', [userId]],
    ['update sites set user_id = $1', [userId]],
  ]);
  expect((await put({ allowOverpay: false })).status).toBe(200);
});
