import { UsersService } from '../src/identity/oauth/people/users.service.js';
import { AuditWatch } from '../src/platform/integrity/audit-watch.service.js';
import { Meters } from '../src/platform/kernel/meters.js';
import { asOwner } from './support/as-owner.js';
import { createOwner } from './support/principals.js';
import type { ReportView } from './support/reconciliation-harness.js';
import { type CreatedPayment, Shop, type ShopApplication } from './support/shop.js';

let shop: Shop;
let application: ShopApplication;
let payment: CreatedPayment;
let operatorToken: string;

beforeEach(async () => {
  shop = await Shop.open();
  application = await shop.application();
  payment = await shop.createPayment(application);
  const operator = await createOwner(shop.gateway);
  await shop.gateway.get(UsersService).setOperator(operator.userId, true);
  operatorToken = operator.accessToken;
});
afterEach(() => shop.close());

async function named(): Promise<string[]> {
  const { body } = await shop.call<ReportView>('GET', '/api/admin/reconciliation', operatorToken);
  return body.data.differences.map(({ subject, expected, found }) => `${subject}: ${expected}, ${found}`);
}

/** As the gateway's own role may write, too: no trigger is in the way of these statements. */
const write = (text: string) =>
  asOwner(shop.gateway, async (sql) => {
    await sql.query(text);
  });

/** Events are there, and nothing was dispatched. */
async function payWithoutTelling(): Promise<void> {
  await shop.send(await shop.instructions(payment));
  await shop.chain.mine(15);
  await shop.watch();
}

describe('a silence that somebody wrote into the database is named by verify:', () => {
  it('an endpoint that nobody paused, also within a minute', async () => {
    await write(
      `insert into webhook_endpoints (application_id, paused_at, paused_by, reason)
       values ('${application.id}', now(), 'merchant', 'paused by the merchant')`,
    );
    await payWithoutTelling();
    await shop.settle();
    expect(shop.merchant.requests).toEqual([]);
    expect(await named()).toEqual([`webhook_endpoints ${application.id}: an entry of the audit log, none`]);
    await shop.gateway.get(AuditWatch).runOnce();
    const { values } = await shop.gateway.get(Meters).unauthentic.get();
    expect(values).toContainEqual(
      expect.objectContaining({ labels: { table: 'webhook_endpoints' }, value: 1 }),
    );
  });

  it('an event that was dispatched to nobody', async () => {
    await payWithoutTelling();
    await write('update payment_events set dispatched_at = now()');
    await shop.settle();
    expect(shop.merchant.requests).toEqual([]);
    expect((await named()).join('\n')).toMatch(
      /^delivery of event \S+: a place in the event feed, dispatched without one\ndelivery of event \S+: a delivery, none$/,
    );
    // As a more careful writer would.
    await write('update payment_events set position = 1000');
    expect((await named()).join('\n')).toMatch(/^delivery of event \S+: a delivery, none$/);
  });

  it.each([
    ['succeeded', 'an attempt that got a 2xx, none'],
    ['exhausted', 'attempts, none'],
    ['superseded', 'a delivery that goes on, superseded'],
    ['skipped', 'a delivery to the endpoint, skipped'],
  ])('a delivery that was %s', async (state, problem) => {
    shop.merchant.plan({ status: 500 });
    await payWithoutTelling();
    await shop.deliver();
    expect(await named()).toEqual([]);
    await write('delete from webhook_attempts');
    await write(
      `update webhook_deliveries set state = '${state}', next_attempt_at = null, succeeded_at = case '${state}' when 'succeeded' then now() end`,
    );
    expect((await named()).join('\n')).toMatch(new RegExp(`^delivery of event \\S+: ${problem}$`));
  });

  it.each([
    ['superseded_at', 'a later move that took it back, superseded'],
    ['overtaken_at', 'a later event or move, overtaken'],
  ])('an event with %s', async (column, problem) => {
    await payWithoutTelling();
    await write(`update payment_events set ${column} = now()`);
    await shop.settle();
    expect(shop.merchant.requests).toEqual([]);
    expect((await named()).join('\n')).toMatch(new RegExp(`^delivery of event \\S+: ${problem}$`));
  });
});

it('a merchant who pauses, resumes, removes and saves the address is not named', async () => {
  const call = (method: string, path: string, body?: object) =>
    shop.call(method, `/api/payment-applications/${application.id}${path}`, shop.owner.accessToken, body);
  await call('PUT', '', { callbackUrl: null });
  await payWithoutTelling();
  await shop.settle();
  shop.gateway.clock.advanceSeconds(90);
  await call('PUT', '', { callbackUrl: shop.merchant.url });
  expect(await named()).toEqual([]);
  await call('POST', '/webhook-endpoint/pause');
  expect(await named()).toEqual([]);
  await call('POST', '/webhook-endpoint/resume');
  expect(await named()).toEqual([]);
});
