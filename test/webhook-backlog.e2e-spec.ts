import { authenticateEvents } from './support/authenticate-events.js';
import { explainSessions, SentPlans } from './support/sent-plans.js';
import { WebhookHarness } from './support/webhook-harness.js';

const MERCHANTS = 12;
const EVENTS_EACH = 300;
/** Rows of one node of a plan: a statement dispatches or ends at most 256 deliveries. */
const MOST_ROWS = 1_000;
const TABLES = ['payments', 'payment_events', 'webhook_deliveries', 'webhook_attempts'];

/** A payment of the application with one event, $1 times. */
const ADD_EVENTS = `
  with created as (
    insert into payments (id, user_id, application_id, reference, reference_label, currency_code,
      settlement_currency_code, amount, expires_at, created_at)
    select gen_random_uuid(), $2, $3, 'ORDER-' || n, 'Bag', 'USD', 'USD', 10000, $4::timestamptz + interval '1 day', $4
    from generate_series(1, $1::integer) n returning id
  ), history as (
    insert into payment_status_history (payment_id, user_id, seq, from_status, to_status, reason, created_at)
    select id, $2, seq, case seq when 2 then 'OPEN' end, case seq when 1 then 'OPEN' else 'FOUND' end, 'test', $4
    from created cross join generate_series(1, 2) seq
  )
  insert into payment_events (id, payment_id, user_id, application_id, seq, type, body, created_at)
  select event, id, $2, $3, 2, 'payment.underpaid', format('{"id":"%s","event":"payment.underpaid"}', event), $4
  from (select id, gen_random_uuid() as event from created) events`;

let first: WebhookHarness;
let harness: WebhookHarness;
let plans: SentPlans;

/** A first backlog is delivered; the sessions that explain are new ones and plan anew. */
beforeAll(async () => {
  first = await WebhookHarness.start();
  for (const table of TABLES) await first.sql.query(`alter table ${table} set (autovacuum_enabled = false)`);
  for (let i = 0; i < MERCHANTS; i++) await first.addMerchant();
  await addBacklog(first);
  await first.drain();
  await first.gateway.close();
  plans = new SentPlans();
  const { databaseUrl, clock } = first.gateway;
  await explainSessions(process.env['TEST_ADMIN_URL'] ?? '', databaseUrl);
  harness = await WebhookHarness.goOn(databaseUrl, clock);
}, 300_000);
afterAll(async () => {
  plans.close();
  await harness.stop();
  await first.stop();
});

async function addBacklog({ gateway, sql, clock }: WebhookHarness): Promise<void> {
  for (const { userId, applicationId } of first.merchants)
    await sql.query(ADD_EVENTS, [EVENTS_EACH, userId, applicationId, clock.now()]);
  await authenticateEvents(gateway);
}

it('a backlog is delivered by statements that read no more of it than they deliver, while tables have no statistics', async () => {
  await addBacklog(harness);
  const costs = await plans.costsOf(() => harness.drain(), { growing: new Set(), rows: MOST_ROWS });
  // Pages say nothing here: those of a subplan count where its result is first needed.
  expect(costs.filter((cost) => /^reads \d+ rows/.test(cost))).toEqual([]);
  const received = first.merchants.map(({ server }) => server.requests.length);
  expect(received).toEqual(Array.from({ length: MERCHANTS }, () => 2 * EVENTS_EACH));
}, 300_000);
