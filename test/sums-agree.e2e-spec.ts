/**
 * One truth of sums: transfers, payments, Home, reports and exports say the same, whatever was paid in whatever parts.
 */
import { PaymentInvariantsService } from '../src/payments/payment-invariants.service.js';
import { Sql } from '../src/platform/database/sql.js';
import type { ReceivedReportRow } from '../web/dashboard/api/operations.js';
import { daysOf, plusDays } from '../web/dashboard/reports/range.pure.js';
import { compared, seriesOf, sumOfLast } from '../web/dashboard/reports/sums.pure.js';
import type { Hex } from './support/anvil.js';
import { rawTransaction } from './support/evm-chain.js';
import { CUSTOMER, RefundsApi } from './support/refunds-api.js';
import { seedOf, seededRandom } from './support/seeded-random.js';
import { CONFIRMATIONS, type CreatedPayment, Shop, type ShopApplication } from './support/shop.js';

interface Amount {
  atomic: string;
}
interface Part {
  blockchain: string;
  status: string;
  matched: boolean;
  creditedAmount: Amount;
}

const PAYMENTS = Number(process.env['SUMS_PAYMENTS'] ?? 40);
/** Prices without decimals, with two, six and eighteen, and the coins that have a rate for them. */
const PRICES: readonly [code: string, least: number, coins: readonly string[]][] = [
  ['USD', 900, ['eth', 'usdc', 'usdt']],
  ['EUR', 900, ['eth', 'usdc', 'usdt']],
  ['JPY', 900, ['eth', 'usdc', 'usdt']],
  ['ETH', 10 ** 15, ['eth']],
  ['USDC', 9_000_000, ['usdc']],
];
const TOTAL = { from: '2020-01-01T00:00:00Z', to: '2020-12-31T00:00:00Z' };

const seed = seedOf('SUMS_SEED');
const pick = seededRandom(seed);
let shop: Shop;
let application: ShopApplication;
let refunds: RefundsApi;
const made: CreatedPayment[] = [];

beforeAll(async () => {
  shop = await Shop.open();
  application = await shop.application();
  refunds = new RefundsApi(shop, application);
  const now = shop.gateway.clock.now().getTime();
  TOTAL.from = new Date(now - 86_400_000).toISOString();
  TOTAL.to = new Date(now + 30 * 86_400_000).toISOString();
}, 120_000);
afterAll(() => shop?.close());

const ofOwner = async <T>(path: string) => {
  const { status, body } = await shop.call<T>('GET', path, shop.owner.accessToken);
  if (status !== 200) throw new Error(`${path}: ${JSON.stringify(body)}`);
  return body as unknown as { data: T; meta?: { cursor?: { next: string | null; hasMore: boolean } } };
};
/** Sums by currency or another key, without those that are zero. */
function sums(entries: readonly (readonly [key: string, amount: string])[]): Record<string, string> {
  const totals = new Map<string, bigint>();
  for (const [key, amount] of entries) totals.set(key, (totals.get(key) ?? 0n) + BigInt(amount));
  return Object.fromEntries(
    [...totals]
      .filter(([, sum]) => sum > 0n)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, sum]) => [key, String(sum)]),
  );
}
const counts = ({ status, matched }: Part) => status === 'CONFIRMED' && matched;

async function transfersOf({ id }: { id: string }): Promise<Part[]> {
  const found: Part[] = [];
  let after = '';
  for (;;) {
    const path = `/api/payment/${id}/transactions?limit=3${after === '' ? '' : `&after=${after}`}`;
    const { data, meta } = await ofOwner<Part[]>(path);
    found.push(...data);
    if (!meta?.cursor?.hasMore || meta.cursor.next === null) return found;
    after = encodeURIComponent(meta.cursor.next);
  }
}

async function reported(query: string): Promise<{ currencyCode: string; credited: Amount }[]> {
  const span = `from=${encodeURIComponent(TOTAL.from)}&to=${encodeURIComponent(TOTAL.to)}`;
  return (
    await ofOwner<{ currencyCode: string; credited: Amount }[]>(`/api/reports/received?${span}&${query}`)
  ).data;
}

/** What the line of Home and the one before it add up to: all days of the report are in the one, and then in the other. */
async function linesOfHome(): Promise<Record<'now' | 'before', Record<string, string>>> {
  const rows = (await reported('interval=day&timeZone=UTC')) as ReceivedReportRow[];
  const used = rows.flatMap(({ day }) => day ?? []).toSorted();
  const [first = '2020-01-01', last = first] = [used[0], used.at(-1)];
  const { length } = daysOf({ from: first, to: last });
  const sumsOf = (days: string[], which: 'now' | 'before') =>
    sums(
      seriesOf(rows, days).map((series) => {
        const one = compared(series, length)[which];
        return [one.currencyCode, sumOfLast(one, length)?.atomic ?? '0'] as const;
      }),
    );
  return {
    now: sumsOf(daysOf({ from: plusDays(first, -length), to: last }), 'now'),
    before: sumsOf(daysOf({ from: first, to: plusDays(last, length) }), 'before'),
  };
}

async function exported(path: string): Promise<Record<string, string>[]> {
  const response = await fetch(`${shop.gateway.baseUrl}${path}?format=jsonl`, {
    headers: { authorization: `Bearer ${shop.owner.accessToken}` },
  });
  const lines = (await response.text()).split('\n').slice(0, -1);
  return lines.map((line) => JSON.parse(line) as Record<string, string>);
}

/** All sums that people and programs are told, through the doors where they ask. */
async function everySum() {
  const shown = await Promise.all(made.map((payment) => shop.payment(payment)));
  const transfers = await Promise.all(made.map((payment) => transfersOf(payment)));
  const byPayment = (some: readonly (readonly Part[])[]) =>
    sums(
      some.flatMap((parts, i) =>
        parts
          .filter(counts)
          .map((part) => [shown[i]?.currencyCode ?? '', part.creditedAmount.atomic] as const),
      ),
    );
  const ofReport = (rows: { currencyCode: string; credited: Amount }[]) =>
    sums(rows.map(({ currencyCode, credited }) => [currencyCode, credited.atomic]));
  const [payments, moves] = [await exported('/api/payment/export'), await exported('/api/transfers/export')];
  const overview = await ofOwner<{ currencyCode: string; receivedAmount: Amount }[]>(
    '/api/payment-overview?limit=100',
  );
  const lines = await linesOfHome();
  return {
    payments: sums(shown.map(({ currencyCode, receivedAmount }) => [currencyCode, receivedAmount.atomic])),
    'payments, by their transactions': byPayment(
      shown.map(({ transactions, otherTransactions }) => [...transactions, ...otherTransactions]),
    ),
    transfers: byPayment(transfers),
    Home: ofReport(await reported('interval=day&timeZone=Asia/Tokyo')),
    'line of Home': lines.now,
    'line of the days before': lines.before,
    'report by network': ofReport(await reported('interval=total&groupBy=blockchain')),
    'report by application': ofReport(await reported('interval=total&groupBy=application')),
    'list of payments': sums(
      overview.data.map(({ currencyCode, receivedAmount }) => [currencyCode, receivedAmount.atomic]),
    ),
    'export of payments': sums(
      payments.map((row) => [row['currencyCode'] ?? '', row['receivedAmountAtomic'] ?? '0']),
    ),
    'export of transfers': sums(
      moves
        .filter(({ status }) => status === 'CONFIRMED')
        .map((row) => [row['creditedCurrencyCode'] ?? '', row['creditedAmountAtomic'] ?? '0']),
    ),
    // What the body of an event says of itself.
    webhooks: sums(
      made.flatMap((payment) =>
        shop.webhooks(payment).flatMap(({ payment: told }) => {
          const of = told as unknown as {
            receivedAmount: Amount;
            transactions: Part[];
            otherTransactions: Part[];
          };
          const parts = [...of.transactions, ...of.otherTransactions].filter(counts);
          const sum = parts.reduce((total, part) => total + BigInt(part.creditedAmount.atomic), 0n);
          return [['difference', String(sum - BigInt(of.receivedAmount.atomic))] as const];
        }),
      ),
    ),
  };
}

async function demandOneTruth(): Promise<Record<string, string>> {
  const { webhooks, ...all } = await everySum();
  const expected = Object.fromEntries(Object.keys(all).map((key) => [key, all.payments]));
  expect({ seed, ...all }).toEqual({ seed, ...expected });
  expect(webhooks).toEqual({});
  const invariants = shop.gateway.get(PaymentInvariantsService);
  const checked = await shop.gateway
    .get(Sql)
    .transaction(() => invariants.audit(made.map(({ id }) => id).toSorted()));
  expect(checked.flatMap(({ findings }) => findings)).toEqual([]);
  return all.payments;
}

/** A payment in parts of any size, in one coin or several, sometimes with what was not asked for. */
async function payRandomly(payment: CreatedPayment, coins: readonly string[]): Promise<Hex[]> {
  const asked = await Promise.all(
    coins.filter((_, i) => i === 0 || pick(2) === 0).map((coin) => shop.instructions(payment, coin)),
  );
  const hashes: Hex[] = [];
  const parts = 1 + pick(5);
  for (let i = 0; i < parts; i++) {
    const to = asked[pick(asked.length)];
    if (!to) continue;
    const whole = BigInt(to.amount.atomic);
    const share = pick(4) === 0 ? whole / BigInt(parts) : (whole * BigInt(1 + pick(1_200))) / 1_000n;
    hashes.push(await shop.send(to, share / BigInt(parts) + BigInt(pick(3)) + 1n));
    if (pick(3) === 0) await shop.mine(1 + pick(3));
  }
  if (pick(4) === 0) {
    const [to] = asked;
    if (to) await shop.chain.sendToken({ token: shop.tokens.USDT, to: to.address as Hex, value: 5_000_003n });
  }
  return hashes;
}

it('29.08 EUR in two parts are 29.08 EUR everywhere', async () => {
  const payment = await shop.createPayment(application, { amount: 2_908, currencyCode: 'EUR' });
  made.push(payment);
  const to = await shop.instructions(payment, 'usdc');
  const whole = BigInt(to.amount.atomic);
  await shop.send(to, whole / 3n);
  await shop.mine(CONFIRMATIONS);
  const [before] = await transfersOf(payment);
  await shop.send(to, whole - whole / 3n);
  await shop.mine(CONFIRMATIONS);
  expect(await demandOneTruth()).toEqual({ EUR: '2908' });
  const parts = (await transfersOf(payment)).map(({ creditedAmount }) => creditedAmount.atomic);
  expect(parts).toEqual(['1939', '969']);
  expect(parts.at(-1)).toBe(before?.creditedAmount.atomic);
}, 60_000);

it(`${PAYMENTS} payments in random parts, coins and currencies agree, through refunds and reorganizations`, async () => {
  for (let i = 0; i < PAYMENTS; i++) {
    const [code, least, coins] = PRICES[pick(PRICES.length)] ?? ['USD', 900, ['usdc']];
    const amount = least + pick(least * 3);
    const payment = await shop.createPayment(application, {
      currencyCode: code,
      reference: `ORDER-${i}`,
      ...(amount > Number.MAX_SAFE_INTEGER ? { amountAtomic: String(amount) } : { amount }),
    });
    made.push(payment);
    const hashes = await payRandomly(payment, coins);
    await shop.mine(1 + pick(CONFIRMATIONS));
    if (pick(4) === 0) {
      const kept = hashes.filter(() => pick(3) > 0);
      const raw = await Promise.all(kept.map((hash) => rawTransaction(shop.chain, hash)));
      await shop.chain.reorg(
        CONFIRMATIONS + 4,
        raw.map((each) => [each, pick(3)] as [Hex, number]).toSorted(([, a], [, b]) => a - b),
      );
      await shop.mine();
    }
    if (i % 10 === 9) await demandOneTruth();
  }
  await shop.mine(CONFIRMATIONS);
  const before = await demandOneTruth();
  expect(Object.keys(before).length).toBeGreaterThan(2);
  let refunded = 0;
  for (const payment of made) {
    const { transactions, status, currencyCode } = await shop.payment(payment);
    const stray = transactions.find(({ acceptable }) => acceptable);
    if (stray && pick(2) === 0) {
      const path = `/api/payment/${payment.id}/accept`;
      const answer = await shop.call('POST', path, application.clientToken, { transferId: stray.id });
      // There is no rate of a coin in another coin.
      expect(answer.status).toBe(['ETH', 'USDC'].includes(currencyCode) ? 503 : 200);
    } else if (refunded < 3 && ['CONFIRMED', 'UNDERPAID'].includes(status)) {
      await refunds.settleRefund(await refunds.create(payment, { address: CUSTOMER }));
      refunded++;
    }
  }
  await shop.mine(CONFIRMATIONS);
  expect(refunded).toBeGreaterThan(0);
  await demandOneTruth();
}, 600_000);

it('what a process of the release before has recorded, without parts, is allotted soon', async () => {
  const before = await demandOneTruth();
  await shop.gateway.sql.query('update payment_transfers set credited_amount = null');
  await shop.settle();
  expect(await demandOneTruth()).toEqual(before);
}, 60_000);
