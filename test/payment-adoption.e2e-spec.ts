import { Reconciliation } from '../src/operations/reconciliation/reconciliation.service.js';
import { asOwner, forgetMacs } from './support/as-release-before.js';
import { Shop } from './support/shop.js';

const TABLES = [
  'payments',
  'quotes',
  'payment_transfers',
  'payment_events',
  'payment_status_history',
  'sites',
];

let shop: Shop;
beforeEach(async () => {
  shop = await Shop.open();
});
afterEach(() => shop.close());

const verify = () => shop.gateway.get(Reconciliation).run({ limit: 100, budget: null });

it('payments of the release before are authenticated once, by the first process that starts', async () => {
  const application = await shop.application();
  const payment = await shop.createPayment(application);
  await shop.send(await shop.instructions(payment));
  await shop.mine(15);
  for (const table of TABLES) await forgetMacs(shop.gateway, table);
  expect((await verify()).differences.map(({ check }) => check)).toContain('record');

  shop.gateway = await shop.gateway.restart();
  expect(await verify()).toMatchObject({ differences: [], notChecked: [] });
  const adopted = await shop.gateway.sql.query<{ name: string }>(
    `select details ->> 'table' as name from audit_log where act = 'rows.authenticated' order by seq`,
  );
  expect(adopted.map(({ name }) => name).toSorted()).toEqual(TABLES.toSorted());
  // The next payment is paid as before.
  const next = await shop.createPayment(application);
  await shop.send(await shop.instructions(next));
  await shop.mine(15);
  expect(await shop.status(next)).toBe('CONFIRMED');

  // What is written without a MAC from now on is not adopted by the next start.
  await asOwner(shop.gateway, async (sql) => {
    await sql.query('update quotes set mac = null where payment_id = $1', [next.id]);
  });
  shop.gateway = await shop.gateway.restart();
  expect((await verify()).differences).toEqual([
    expect.objectContaining({ check: 'record', paymentId: next.id, found: 'without a MAC' }),
  ]);
});
