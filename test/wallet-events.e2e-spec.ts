import { STANDARD_EVENTS } from '../src/applications/event-types.pure.js';
import { WalletChanges } from '../src/wallets/wallet-changes.service.js';
import { BlockedDeliveries } from '../src/webhooks/blocked-deliveries.service.js';
import { WebhookDispatcher } from '../src/webhooks/webhook-dispatcher.service.js';
import { verifyWebhook } from '../sdk/src/webhooks.js';
import type { WalletChangedEvent } from '../sdk/src/api-types.js';
import { DatabaseThief } from './support/database-thief.js';
import { MerchantServer } from './support/merchant-server.js';
import { SECRET, Shop, type ShopApplication } from './support/shop.js';
import { newAccount } from './support/wallets-api.js';

const DELAY = 60;
const EVENTS = [...STANDARD_EVENTS, 'wallet.changed'];
const ACCOUNT = '/api/account/wallets/evm';

let shop: Shop;
let application: ShopApplication;

beforeEach(async () => {
  shop = await Shop.open({ WALLET_CHANGE_DELAY: String(DELAY), WEBHOOK_RETRY_SCHEDULE: '0,10,20' });
  application = await shop.application({ events: EVENTS });
});
afterEach(() => shop.close());

const pathOf = ({ id } = application) => `/api/payment-applications/${id}/wallets/evm`;
const call = (method: string, path = pathOf(), body?: unknown) =>
  shop.call(method, path, shop.owner.accessToken, body);

/** @returns the fingerprint of the new key */
async function putNewKey(path = pathOf()): Promise<string> {
  const key = newAccount();
  const { status } = await call('PUT', path, { extendedPublicKey: key.publicExtendedKey });
  expect(status).toBe(200);
  return key.fingerprint.toString(16).padStart(8, '0');
}
async function send(gateway = shop.gateway): Promise<void> {
  while (await gateway.get(WebhookDispatcher).runOnce());
}
async function waitAndApply(): Promise<void> {
  shop.gateway.clock.advanceSeconds(DELAY);
  await shop.gateway.get(WalletChanges).runOnce();
}

/** What arrived, verified as a shop does it. */
async function received(): Promise<WalletChangedEvent[]> {
  const now = shop.gateway.clock.now();
  const events = shop.merchant.requests.map(({ headers, body }) =>
    verifyWebhook({ headers, body, secret: SECRET, now, toleranceSeconds: 3_600 }),
  );
  return (await Promise.all(events)).flatMap((event) => {
    if (event?.event !== 'wallet.changed') throw new Error(`not expected: ${event?.event}`);
    return [event];
  });
}
const iso = (secondsFromNow = 0) =>
  new Date(shop.gateway.clock.now().getTime() + secondsFromNow * 1_000).toISOString().replace('.000Z', 'Z');

async function stateOf(): Promise<unknown[]> {
  return shop.gateway.sql.query('select state, attempts, last_error from webhook_deliveries order by id');
}

describe('wallet.changed', () => {
  it('reports each step of a change, signed, once each', async () => {
    const one = await putNewKey();
    await send();
    const two = await putNewKey();
    const effectiveAt = iso(DELAY);
    await send();
    await waitAndApply();
    await send();
    await send();
    const base = { family: 'evm', isDefaultWallet: false, treasury: null, requestedBy: 'server' };
    const events = await received();
    expect(events.map(({ change }) => change)).toEqual([
      {
        ...base,
        state: 'applied',
        fingerprint: one,
        previousFingerprint: null,
        effectiveAt: expect.any(String),
      },
      { ...base, state: 'pending', fingerprint: two, previousFingerprint: one, effectiveAt },
      { ...base, state: 'applied', fingerprint: two, previousFingerprint: one, effectiveAt },
    ]);
    expect(events.at(-1)).toMatchObject({ applicationId: application.id, createdAt: iso() });
    expect(new Set(events.map(({ id }) => id)).size).toBe(3);
  });

  it('is not sent to an address that a writer of the database chose, and is sent once the settings are restored', async () => {
    const other = await MerchantServer.start();
    await putNewKey();
    await new DatabaseThief(shop.gateway.sql).tamper([['update sites set callback_url = $1', [other.url]]]);
    await send();
    expect(other.requests).toEqual([]);
    expect(await stateOf()).toEqual([
      {
        state: 'blocked',
        attempts: 0,
        last_error: "the application's settings were changed outside of the gateway",
      },
    ]);
    const restored = await call('PUT', `/api/payment-applications/${application.id}`, {
      url: null,
      callbackUrl: shop.merchant.url,
      allowUnderpay: false,
      allowOverpay: true,
      confirmations: {},
      events: EVENTS,
    });
    expect(restored.status).toBe(200);
    await shop.gateway.get(BlockedDeliveries).runOnce();
    await send();
    expect(await received()).toHaveLength(1);
    expect(other.requests).toEqual([]);
    await other.down();
  });

  it('reports a removal, and a change that was cancelled', async () => {
    const key = await putNewKey();
    await call('DELETE');
    await call('DELETE', `${pathOf()}/pending`);
    await send();
    // In no promised order.
    const changes = (await received()).map(({ change: { state, fingerprint } }) => `${state} ${fingerprint}`);
    expect(changes.toSorted()).toEqual([`applied ${key}`, 'cancelled null', 'pending null']);
  });

  it('of a default wallet is sent to the applications that it serves and that list the event', async () => {
    const [own, , deleted] = [
      await shop.application({ events: EVENTS }),
      await shop.application(),
      await shop.application({ events: EVENTS }),
    ];
    await putNewKey(pathOf(own));
    expect((await call('DELETE', `/api/payment-applications/${deleted.id}`)).status).toBe(200);
    await send();
    const before = shop.merchant.requests.length;
    await putNewKey(ACCOUNT);
    await send();
    const events = (await received()).slice(before);
    expect(events.map(({ applicationId, change }) => [applicationId, change.isDefaultWallet])).toEqual([
      [application.id, true],
    ]);
  });

  it('is not sent for a request that changes nothing or is refused', async () => {
    const key = { extendedPublicKey: newAccount().publicExtendedKey };
    await call('PUT', pathOf(), key);
    await call('PUT', pathOf(), key);
    const other = await shop.application({ events: EVENTS });
    expect((await call('PUT', pathOf(other), key)).status).toBe(422);
    await call('DELETE', `${pathOf()}/pending`);
    await send();
    expect(await received()).toHaveLength(1);
  });

  it('is sent again on the schedule of all webhooks, with the same id and bytes, until it is accepted', async () => {
    shop.merchant.plan({ status: 500 }, 'close');
    await putNewKey();
    await send();
    await send();
    expect(shop.merchant.requests).toHaveLength(1);
    for (let attempt = 2; attempt <= 4; attempt++) {
      shop.gateway.clock.advanceSeconds(13);
      await send();
    }
    const { requests } = shop.merchant;
    expect(requests).toHaveLength(3);
    expect(new Set(requests.map(({ body }) => body.toString('utf8'))).size).toBe(1);
    expect(new Set(requests.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    expect(await stateOf()).toEqual([{ state: 'succeeded', attempts: 3, last_error: null }]);
  });

  it('is given up after the last attempt', async () => {
    shop.merchant.always({ status: 500 });
    await putNewKey();
    for (let attempt = 1; attempt <= 5; attempt++) {
      await send();
      shop.gateway.clock.advanceSeconds(13);
    }
    expect(shop.merchant.requests).toHaveLength(3);
    expect(await stateOf()).toEqual([{ state: 'exhausted', attempts: 3, last_error: 'HTTP 500' }]);
  });

  it('survives the process that wrote it, and the one that was sending it', async () => {
    await putNewKey();
    const sending = await shop.gateway.another();
    let answer = () => {};
    shop.merchant.plan({ status: 200, after: new Promise<void>((resolve) => (answer = resolve)) });
    const first = sending.get(WebhookDispatcher).runOnce();
    await shop.merchant.received(1);
    // As if its process had died: the lease ends, and what it heard is not recorded.
    await shop.gateway.sql.query(`update webhook_deliveries set lease_until = now() - interval '1 second'`);
    shop.gateway = await shop.gateway.restart();
    await send();
    answer();
    await first;
    await sending.close();
    expect(new Set((await received()).map(({ id }) => id)).size).toBe(1);
    expect(shop.merchant.requests).toHaveLength(2);
    expect(await stateOf()).toEqual([{ state: 'succeeded', attempts: 1, last_error: null }]);
  });

  it('and the change are one: without room for the event, the wallet stays', async () => {
    await shop.gateway.sql.query(
      `create function no_room() returns trigger language plpgsql as $$
       begin raise exception 'no room'; end $$`,
    );
    await shop.gateway.sql.query(
      'create trigger a_fault before insert on payment_events for each row execute function no_room()',
    );
    const body = { extendedPublicKey: newAccount().publicExtendedKey };
    expect((await call('PUT', pathOf(), body)).status).toBe(500);
    expect((await call('GET')).status).toBe(404);
    await shop.gateway.sql.query('drop function no_room() cascade');
    expect((await call('PUT', pathOf(), body)).status).toBe(200);
    await send();
    expect(await received()).toHaveLength(1);
  });

  it('waits while the endpoint is paused, and ends without a callback URL', async () => {
    const endpoint = `/api/payment-applications/${application.id}/webhook-endpoint`;
    expect((await call('POST', `${endpoint}/pause`)).status).toBe(200);
    await putNewKey();
    await send();
    expect(shop.merchant.requests).toHaveLength(0);
    expect((await call('POST', `${endpoint}/resume`)).status).toBe(200);
    await send();
    expect(await received()).toHaveLength(1);
    await putNewKey();
    expect(
      (await call('PUT', `/api/payment-applications/${application.id}`, { callbackUrl: null })).status,
    ).toBe(200);
    await send();
    expect(shop.merchant.requests).toHaveLength(1);
    expect(await stateOf()).toHaveLength(1);
    expect(await shop.gateway.sql.query('select from payment_events where dispatched_at is null')).toEqual(
      [],
    );
  });

  it('ends with a 410, which does not pause the endpoint', async () => {
    shop.merchant.plan({ status: 410 });
    await putNewKey();
    await send();
    expect(await stateOf()).toEqual([{ state: 'exhausted', attempts: 1, last_error: 'HTTP 410' }]);
    expect(await shop.gateway.sql.query('select from webhook_endpoints')).toEqual([]);
    await waitAndApply();
    await putNewKey();
    await send();
    expect(shop.merchant.requests).toHaveLength(2);
  });

  it('is neither in the feed nor in the delivery log', async () => {
    await putNewKey();
    await send();
    const path = `/api/payment-applications/${application.id}/webhook-deliveries`;
    for (const route of [path, `${path}?test=true`, '/api/webhook-deliveries', '/api/events'])
      expect([route, (await call('GET', route)).body.data]).toEqual([route, []]);
    const [delivery] = await shop.gateway.sql.query<{ id: string }>('select id from webhook_deliveries');
    expect((await call('GET', `${path}/${delivery?.id ?? ''}`)).status).toBe(404);
    expect(
      (await call('POST', `${path}/replay`, { since: new Date(0).toISOString() })).body.data,
    ).toMatchObject({ count: 0 });
    const [feed] = await shop.gateway.sql.query('select from payment_events where position is not null');
    expect(feed).toBeUndefined();
  });
});
