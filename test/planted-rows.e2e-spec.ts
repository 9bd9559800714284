import { Reconciliation } from '../src/operations/reconciliation/reconciliation.service.js';
import { DatabaseThief } from './support/database-thief.js';
import { Shop, type ShopApplication } from './support/shop.js';

let shop: Shop;
let other: ShopApplication;

beforeAll(async () => {
  shop = await Shop.open();
  other = await shop.application();
});
afterAll(() => shop.close());

const HOLDING = (set: string) => `
  update application_holdings set ${set}
  where application_id = (select application_id from payments where id = $1)`;
const PAYMENT = (set: string) => `update payments set ${set} where id = $1`;

/**
 * For what the database keeps beside the rows that are authenticated: a value that only somebody can have written, past
 * every trigger. $1 is a payment with a transfer that waits.
 */
const PLANTED: [table: string, what: string, statement: string][] = [
  ['application_holdings', 'less waits than does', HOLDING('pending = 0')],
  ['application_holdings', 'more is confirmed', HOLDING('confirmed = 1e120')],
  ['application_holdings', 'many addresses', HOLDING('addresses = 9223372036854770000')],
  ['application_holdings', 'a fraction', HOLDING('pending = 0.5')],
  [
    'application_holdings',
    'no row',
    'delete from application_holdings where application_id = (select application_id from payments where id = $1)',
  ],
  [
    'payment_transfers',
    'a state that was put back',
    `update payment_transfers set state = 'confirmed', confirmed_at = seen_at where payment_id = $1`,
  ],
  [
    'payment_transfers',
    'an impossible part',
    'update payment_transfers set credited_amount = 9 where payment_id = $1',
  ],
  ['payments', 'told: not what is written there', PAYMENT(`told = '"x"'::jsonb::text::jsonb`)],
  ['payments', 'another place in the history', PAYMENT('status_seq = 7')],
  ['payments', 'refunds that there are none of', PAYMENT('refunded_amount = 5')],
  ['payments', 'an application that does not exist', PAYMENT('application_id = gen_random_uuid()')],
  ['payments', 'no such payment', 'delete from payments where id = $1'],
  [
    'payment_events',
    'the event of the next move',
    `insert into payment_events (id, payment_id, user_id, application_id, seq, type, body, created_at)
     select gen_random_uuid(), p.id, p.user_id, p.application_id, s, 'payment.received', '{}', p.created_at
     from payments p, generate_series(2, 5) s where p.id = $1`,
  ],
  [
    'payment_status_history',
    'the next move',
    `insert into payment_status_history (payment_id, user_id, seq, from_status, to_status, reason, created_at)
     select id, user_id, status_seq + 1, 'FOUND', 'RECEIVED', 'x', created_at from payments where id = $1`,
  ],
  ['payment_counts', 'totals below zero', 'update payment_counts set total = -5 where $1::uuid is not null'],
  [
    'chain_blocks',
    'a block that is not there yet',
    `insert into chain_blocks (chain, height, hash, parent_hash, block_time)
     select chain, height + 1, '0xdead', hash, now() from chain_cursors where chain = 'ethereum' and $1::uuid is not null`,
  ],
  ['event_feed', 'an earlier place', 'update event_feed set last_position = 0 where $1::uuid is not null'],
];

it.each(PLANTED)('%s: %s: stops its payment at most, and no chain', async (_table, _what, statement) => {
  const application = await shop.application();
  const [victim, bystander] = [await shop.createPayment(application), await shop.createPayment(other)];
  await shop.send(await shop.instructions(victim));
  await shop.mine();
  await new DatabaseThief(shop.gateway.sql).tamper([[statement, [victim.id]]]);
  await shop.send(await shop.instructions(bystander));
  await shop.mine(14);
  expect(await shop.status(bystander)).toBe('CONFIRMED');
});

it('wrong sums are named by verify, and counted anew when they are set below zero', async () => {
  const application = await shop.application();
  const payment = await shop.createPayment(application);
  await shop.send(await shop.instructions(payment));
  await shop.mine();
  const find = async (): Promise<string[]> => {
    const { differences } = await shop.gateway.get(Reconciliation).run({ limit: 100, budget: null });
    const found = differences.filter(
      ({ check, subject }) => check === 'holdings' && subject.includes(application.id),
    );
    return found.map(({ found: value }) => value);
  };
  expect(await find()).toEqual([]);
  await new DatabaseThief(shop.gateway.sql).tamper([[HOLDING('pending = 7, confirmed = 5'), [payment.id]]]);
  expect(await find()).toEqual(['5 7 0']);
  await shop.gateway.sql.query(HOLDING('pending = -1'), [payment.id]);
  expect(await find()).toEqual([]);
});
