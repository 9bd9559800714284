/**
 * @inOrder One database of 100,000 payments (QUERY_PLANS_PAYMENTS), to which each group adds what its statements read.
 */
import { randomUUID } from 'node:crypto';
import { TransactionSearch } from '../../src/chain-watcher/transaction-search.service.js';
import { OidcStore } from '../../src/identity/oauth/oidc-store.js';
import { RecordsReader } from '../../src/operations/reconciliation/records-reader.service.js';
import { type AttentionPlace, formatAttentionPlace } from '../../src/overview/attention.pure.js';
import { Cursors } from '../../src/platform/web/cursors/cursors.service.js';
import { PaymentCountRepository } from '../../src/payments/payment-count.repository.js';
import { PaymentExpiry } from '../../src/payments/payment-expiry.service.js';
import { PaymentInvariantsService } from '../../src/payments/payment-invariants.service.js';
import { MAX_READ } from '../../src/payments/payment-pages.repository.js';
import { PaymentSweep } from '../../src/payments/payment-sweep.service.js';
import { IdempotencyService } from '../../src/platform/web/idempotency/idempotency.service.js';
import { BruteForceThrottle } from '../../src/platform/web/rate-limiting/brute-force-throttle.service.js';
import { RefundVerifier } from '../../src/refunds/refund-verifier.service.js';
import { WatchedKeys } from '../../src/wallets/watched-keys.service.js';
import { DeliveryCountRepository } from '../../src/webhooks/delivery-count.repository.js';
import { FailingEndpoints } from '../../src/webhooks/failing-endpoints.service.js';
import { WebhookDispatcher } from '../../src/webhooks/webhook-dispatcher.service.js';
import { WebhookRetention } from '../../src/webhooks/webhook-retention.service.js';
import { sendRequest } from '../support/api-request.js';
import { fillGrown, GROWN_TABLES } from '../support/grown-rows.js';
import { CUSTOMER, RefundsApi } from '../support/refunds-api.js';
import { explainSessions, SentPlans } from '../support/sent-plans.js';
import { migrateTestDatabase } from '../support/test-server.js';
import { CONFIRMATIONS, type CreatedPayment, Shop, type ShopApplication } from '../support/shop.js';

const PAYMENTS = Number(process.env['QUERY_PLANS_PAYMENTS'] ?? 100_000);
const CONNECTIONS = 2;
/** From the sixth time on a connection, Postgres may take a plan that is made for any parameters. */
const TIMES = CONNECTIONS * 5 + 1;
const BOUNDS = { growing: GROWN_TABLES, rows: MAX_READ };
const METRICS_TOKEN = 'a-metrics-token-that-is-long-enough';
const FULL_BATCH = 500;

/** What is known to cost more with more rows, and how it begins. One that costs no more must go. */
const EXCEPTIONS: Readonly<Record<string, RegExp>> = {
  // A count stops at 10,000, about 1 ms, and passes over at most 1,000 tests.
  metrics: /^reads 1[01]\d{3} rows by (Limit|.*webhook_deliveries_failed)/,
  // It walks over 10,000 at a time, here a tenth of all: Postgres reads whole tables rather than so many rows of them.
  'the search for changed payments': /: with walked as materialized/,
  // Once in a minute all transfers of an application, for nine seconds at most (holding-sums.repository.ts).
  holdings: /: with held as/,
  // Once in the life of a process, all addresses: half a second for a million (watched-keys.service.ts).
  'the first block': /^reads \d{5,} rows by (Limit|Index Only Scan deposit_addresses_family_key_key):/,
};

let shop: Shop;
let application: ShopApplication;
let second: ShopApplication;
let paid: CreatedPayment;
let open: CreatedPayment;
let plans: SentPlans;

beforeAll(async () => {
  shop = await Shop.open({
    METRICS_TOKEN,
    DATABASE_POOL_SIZE: `${CONNECTIONS}`,
    // Nothing is there.
    CHAIN_BSC_RPC_URL: 'http://127.0.0.1:9',
  });
  application = await shop.application();
  second = await shop.application();
  await plantOfEachKind();
  plans = new SentPlans();
  const { databaseUrl } = shop.gateway;
  await shop.whileDown(async () => {
    const rows = { payments: PAYMENTS, paymentId: paid.id, secondApplicationId: second.id };
    await fillGrown(databaseUrl, rows);
    await explainSessions(process.env['TEST_ADMIN_URL'] ?? '', databaseUrl);
  });
}, 3_000_000);
afterAll(async () => {
  plans.close();
  await shop.close();
});

/** A row of each table that grows, for copies of it. */
async function plantOfEachKind(): Promise<void> {
  const refunds = new RefundsApi(shop, application);
  paid = await refunds.paid();
  open = await shop.createPayment(application);
  await shop.instructions(open);
  await refunds.create(paid, { address: CUSTOMER });
  await shop.settle();
  const test = { event: 'payment.received' };
  await shop.call('POST', ofApplication('/webhook-test'), shop.owner.accessToken, test);
  await shop.gateway.get(WebhookDispatcher).runOnce();
  await createWithKey('first key');
  await shop.gateway.sql.query(
    `insert into reported_transactions (id, payment_id, user_id, chain, tx_hash, state, checks, reported_at)
     select gen_random_uuid(), id, user_id, 'ethereum', 'a hash', 'NOT_FOUND', 1, now() from payments where id = $1`,
    [paid.id],
  );
}

async function createWithKey(key: string): Promise<void> {
  const { clientToken: token, clientId } = application;
  const body = { amount: 100, currencyCode: 'USD', reference: 'K', referenceLabel: 'K', clientId };
  const url = `${shop.gateway.baseUrl}/api/payment/checkout`;
  expect((await sendRequest(url, { token, key, body })).status).toBe(201);
}

const cursorOf = (place: AttentionPlace) =>
  shop.gateway.get(Cursors).seal(formatAttentionPlace(place), shop.owner.userId);
async function get(path: string, token: string | null = shop.owner.accessToken): Promise<void> {
  const { status, text } = await sendRequest(`${shop.gateway.baseUrl}${path}`, { token });
  expect([path, status, status < 400 ? '' : text]).toEqual([path, 200, '']);
}

/** Once, whatever it returns. */
const once = (work: () => Promise<unknown>) => async () => void (await work());
const linkOf = ({ checkoutUrl }: CreatedPayment) => new URL(checkoutUrl).search;
const ofApplication = (path: string) => `/api/payment-applications/${application.id}${path}`;
const ofSecond = (path: string) => `/api/payment-applications/${second.id}${path}`;
async function collect(path: string, blockchain = 'ethereum'): Promise<void> {
  const answer = await shop.call('POST', path, shop.owner.accessToken, { blockchain });
  expect([path, answer.status]).toEqual([path, 200]);
}
const lastPage = () => Math.floor((PAYMENTS * 0.9) / 20);
const costsOf = (work: () => Promise<void>) =>
  plans.costsOf(async () => {
    for (let i = 0; i < TIMES; i++) await work();
  }, BOUNDS);

const WORK: Readonly<Record<string, () => Promise<void>>> = {
  'the first block': once(() => shop.gateway.get(WatchedKeys).fresh()),
  'the first page': () => get('/api/payment'),
  'the last page': () => get(`/api/payment?page=${lastPage()}`),
  'a page of an application': () => get(`/api/payment?paymentApplicationId=${application.id}&page=300`),
  'a page of a small application': () => get(`/api/payment?paymentApplicationId=${second.id}&page=30`),
  'a page of a status': () => get('/api/payment?status=CONFIRMED&page=300'),
  'a page of two statuses and a currency': () =>
    get('/api/payment?status=OPEN,CONFIRMED&currencyCode=USD&page=300'),
  'a page between two times': () =>
    get('/api/payment?dateFrom=2000-01-01T00:00:00Z&dateTo=2100-01-01T00:00:00Z'),
  'a page without unmatched funds': () => get('/api/payment?unmatchedFunds=false&page=300'),
  'a page with unmatched funds': () => get('/api/payment?unmatchedFunds=true'),
  'a page sorted by date': () => get('/api/payment?sort=date&page=300'),
  'a page sorted by status': () => get('/api/payment?sort=-status&page=300'),
  'a page sorted by amount': () => get('/api/payment?sort=-amount&page=100'),
  'an exact reference': () => get('/api/payment?reference=GROWN-777'),
  'a reference by its route': () => get('/api/payment/by-reference?reference=GROWN-777'),
  'the beginning of a reference': () => get('/api/payment?search=grown-777'),
  'the beginning of a label': () => get('/api/payment?search=bag%20777'),
  'the beginning of an address': () => get('/api/payment?search=0xabc'),
  'a search for a payment id': () => get(`/api/payment?search=${paid.id}`),
  'the overview': () => get('/api/payment-overview?limit=100'),
  'the overview of a status': () => get('/api/payment-overview?status=OPEN'),
  'the overview of a reason for review': () => get('/api/payment-overview?reviewReason=overpaid'),
  'the overview of late payments': () => get('/api/payment-overview?late=true'),
  'the overview of expired payments with funds': () => get('/api/payment-overview?expiredWithFunds=true'),
  'the overview of overpaid payments': () => get('/api/payment-overview?overpaid=true'),
  'the overview of payments with unmatched funds': () => get('/api/payment-overview?unmatchedFunds=true'),
  'the overview without unmatched funds': () => get('/api/payment-overview?unmatchedFunds=false'),
  'the overview of a network': () => get('/api/payment-overview?blockchain=ethereum'),
  'a search of the overview': () => get('/api/payment-overview?search=grown-777'),
  'a search of the overview that finds many': () => get('/api/payment-overview?search=grown-'),
  attention: () => get('/api/attention'),
  'the last attention': () =>
    get(`/api/attention?after=${cursorOf({ kind: 'underpaid', since: new Date(), id: paid.id })}`),
  'attention for overpaid payments': () => get('/api/attention?kind=overpaid'),
  'attention for payments that were paid twice': () => get('/api/attention?kind=paid_twice'),
  'attention for funds after the end': () => get('/api/attention?kind=funds_after_end'),
  'attention for late payments': () => get('/api/attention?kind=paid_late'),
  'attention for unlisted tokens': () => get('/api/attention?kind=unlisted_token'),
  refunds: () => get('/api/refunds'),
  'refunds of a status': () => get('/api/refunds?status=AWAITING_PAYMENT'),
  deliveries: () => get('/api/webhook-deliveries'),
  'the feed of events': () => get('/api/events'),
  'the audit log': () => get('/api/audit'),
  'the audit log without tokens': () => get('/api/audit?issuedTokens=false'),
  holdings: () => get(ofApplication('/holdings')),
  'received funds by address': () => get(ofApplication('/holdings/addresses')),
  'received funds of a small application by address': () => get(ofSecond('/holdings/addresses')),
  'an export of addresses on a chain that received nothing': () =>
    get(ofApplication('/holdings/addresses/export?blockchain=bsc')),
  'a collection': () => collect(ofApplication('/collections')),
  'a collection of a small application': () => collect(ofSecond('/collections')),
  'a collection on a chain that received nothing': () => collect(ofApplication('/collections'), 'bsc'),
  'the delivery log': () => get(ofApplication('/webhook-deliveries')),
  'the delivery log of a status': () => get(ofApplication('/webhook-deliveries?status=EXHAUSTED')),
  'a far page of the delivery log': () => get(ofApplication('/webhook-deliveries?page=4000')),
  'the delivery log of a payment': () => get(ofApplication(`/webhook-deliveries?paymentId=${paid.id}`)),
  'test events': () => get(ofApplication('/webhook-deliveries?test=true')),
  'unacknowledged payments': () => get(ofApplication('/unacknowledged-payments')),
  'the timeline of a payment': () => get(`/api/payment/${paid.id}/timeline`),
  'a payment': () => get(`/api/payment/${paid.id}`),
  'the status of a payment': () => get(`/api/checkout/payment/${paid.id}${linkOf(paid)}`, null),
  'payment methods': () => get(`/api/checkout/${paid.id}/payment-methods${linkOf(paid)}`, null),
  'repeated instructions': once(() => shop.instructions(open)),
  'a creation with a key': () => createWithKey(randomUUID()),
  'a payment from its creation to its webhook': async () => {
    const payment = await shop.createPayment(application);
    await shop.send(await shop.instructions(payment));
    await shop.mine(CONFIRMATIONS);
    expect(await shop.status(payment)).toBe('CONFIRMED');
  },
  'endpoints that fail': once(() => shop.gateway.get(FailingEndpoints).list()),
  metrics: () => get('/metrics', METRICS_TOKEN),
  'claims of events and deliveries': once(() => shop.gateway.get(WebhookDispatcher).runOnce()),
  'claims of refunds': once(() => shop.gateway.get(RefundVerifier).runOnce()),
  'claims of reported transactions': once(() => shop.gateway.get(TransactionSearch).runOnce()),
  'the sweep': once(() => shop.gateway.get(PaymentSweep).runOnce()),
  expiry: once(() => shop.gateway.get(PaymentExpiry).runOnce()),
  counts: once(() => shop.gateway.get(PaymentCountRepository).add(100)),
  'counts of deliveries': once(() => shop.gateway.get(DeliveryCountRepository).add(100)),
  'retention of deliveries': once(() => shop.gateway.get(WebhookRetention).runOnce()),
  'retention of keys': once(() => shop.gateway.get(IdempotencyService).purgeExpired()),
  'retention of tokens': once(() => shop.gateway.get(OidcStore).purgeExpired()),
  'retention of failed attempts': once(() => shop.gateway.get(BruteForceThrottle).purgeExpired()),
  'a batch of the reconciliation': async () => {
    const payments = shop.gateway.get(PaymentInvariantsService);
    const { ids } = await payments.next(null, null, FULL_BATCH);
    await shop.gateway.get(RecordsReader).read(ids);
  },
  'the search for changed payments': once(() =>
    shop.gateway.get(PaymentInvariantsService).next(null, shop.gateway.clock.now(), FULL_BATCH),
  ),
};

describe('statements cost the same, however many payments there are', () => {
  it.each(Object.entries(WORK))('of %s', async (what, work) => {
    const costs = await costsOf(work);
    const known = EXCEPTIONS[what];
    expect(costs.filter((cost) => !known?.test(cost))).toEqual([]);
    expect(costs.length > 0).toBe(known !== undefined);
  });

  it('of a start until it is ready', async () => {
    const start = async () => {
      await shop.whileDown(once(() => migrateTestDatabase(shop.gateway.databaseUrl)));
      await get('/api/health/ready', null);
    };
    expect(await plans.costsOf(start, BOUNDS)).toEqual([]);
  });

  it('are named when their index is gone', async () => {
    await shop.gateway.sql.query('drop index payments_reference_prefix');
    expect((await costsOf(() => get('/api/payment?search=grown-777'))).join()).toMatch(/reads .*payments/);
  });
});
