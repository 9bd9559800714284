import { jest } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { parseExact } from '../src/platform/kernel/exact-json.pure.js';
import { Sql } from '../src/platform/database/sql.js';
import { ApplicationsApi } from './support/applications-api.js';
import { plantCopies } from './support/planted-transfers.js';
import { createOwner, type Owner } from './support/principals.js';
import { startTestGateway, type TestGateway } from './support/test-gateway.js';

let gateway: TestGateway;
let owner: Owner;
let shops: [string, string];

beforeAll(async () => {
  gateway = await startTestGateway();
});
beforeEach(async () => {
  owner = await createOwner(gateway);
  const api = new ApplicationsApi(gateway, owner);
  const [a, b] = [await api.create(), await api.create()];
  shops = [a.id, b.id];
});
afterAll(() => gateway.close());

type Row = Record<string, unknown>;
const ask = async (report: string, query: Record<string, string>, by = owner) => {
  const search = new URLSearchParams({ from: '2026-03-01T00:00:00Z', to: '2026-04-01T00:00:00Z', ...query });
  const response = await fetch(`${gateway.baseUrl}/api/reports/${report}?${search.toString()}`, {
    headers: { authorization: `Bearer ${by.accessToken}` },
  });
  const body = parseExact(await response.text()) as { data: Row[]; errors?: object };
  return { status: response.status, rows: body.data, fields: Object.keys(body.errors ?? {}) };
};
const atomic = (amount: unknown) => (amount as { atomic: string } | null)?.atomic;

interface Planted {
  createdAt: string;
  status?: string;
  shop?: string;
  currency?: string;
  amount?: bigint;
  foundAt?: string;
  receivedAt?: string;
  expiresAt?: string;
  chain?: string;
}
/** A payment with its facts, straight into the table. */
async function plant(payment: Planted): Promise<string> {
  const id = randomUUID();
  const { status = 'OPEN', shop = shops[0], currency = 'USD', amount = 10_000n } = payment;
  await gateway.sql.transaction(async (tx) => {
    await tx.query('set local session_replication_role = replica');
    await tx.query(
      `insert into payments (id, user_id, application_id, status, reference, reference_label, currency_code,
         settlement_currency_code, amount, created_at, expires_at, found_at, received_at, confirmed_at, cancelled_at,
         error_reason, refunded_amount, selected_provider)
       values ($1, $2, $3, $4::text, 'ORDER-1', 'Order #1', $5, $5, $6, $7, $8, $9, $10,
         case when $4 = 'CONFIRMED' then $10::timestamptz end, case when $4 = 'CANCELLED' then $7::timestamptz end,
         case when $4 = 'ERROR' then 'test' end, case when $4 = 'REFUND' then 1 else 0 end, $11)`,
      [
        id,
        owner.userId,
        shop,
        status,
        currency,
        amount,
        payment.createdAt,
        payment.expiresAt ?? '2099-01-01T00:00:00Z',
        payment.foundAt ?? payment.receivedAt ?? (status === 'UNDERPAID' ? payment.createdAt : null),
        payment.receivedAt ?? null,
        payment.chain ?? null,
      ],
    );
  });
  return id;
}
/** A confirmed transfer of a planted payment, quoted at `quoted` coins for all of it. */
async function pay(
  paymentId: string,
  transfer: { seenAt: string; amount: bigint; quoted: bigint; coin?: string; chain?: string; state?: string },
): Promise<void> {
  const [id, quoteId] = [randomUUID(), randomUUID()];
  const { seenAt, amount, quoted, coin = 'USDC', chain = 'ethereum', state = 'confirmed' } = transfer;
  const decimals = chain === 'bsc' ? 18 : 6;
  await gateway.sql.transaction(async (tx) => {
    await tx.query('set local session_replication_role = replica');
    await tx.query(
      `insert into quotes (id, payment_id, user_id, chain, asset, currency_code, asset_decimals, priced_amount,
         asset_amount, rate, rate_source, rate_inputs, locked_at, expires_at)
       values ($1, $2, $3, $4, 'native', $5, $6, 1, $7, '1', 'test', '{}', $8, $8)`,
      [quoteId, paymentId, owner.userId, chain, coin, decimals, quoted, seenAt],
    );
    await tx.query(
      `insert into payment_transfers (id, payment_id, user_id, deposit_address_id, chain, tx_hash, ordinal, asset,
         currency_code, asset_decimals, amount, state, block_height, block_hash, block_time, confirmations_required,
         quote_id, is_matched, seen_at, confirmed_at, credited_amount)
       values ($1, $2, $3, $1, $4, $1::uuid::text, '0', 'native', $5, $6, $7, $8::text,
         case when $8 = 'confirmed' then 1 end, case when $8 = 'confirmed' then 'b' end,
         case when $8 = 'confirmed' then now() end, 12, $9, true, $10, $10,
         (select div(p.amount * $11::numeric, $12::numeric) from payments p where p.id = $2))`,
      [id, paymentId, owner.userId, chain, coin, decimals, amount, state, quoteId, seenAt, amount, quoted],
    );
  });
}

describe('GET /api/reports/received', () => {
  it('sums exactly what was credited, by day and currency, and leaves out what does not count', async () => {
    const big = 10n ** 40n;
    const first = await plant({ createdAt: '2026-03-10T10:00:00Z', amount: 10_000n });
    const second = await plant({ createdAt: '2026-03-10T10:00:00Z', amount: big, currency: 'JPY' });
    // A third of the amount, rounded down, twice.
    for (const seenAt of ['2026-03-10T11:00:00Z', '2026-03-10T12:00:00Z'])
      await pay(first, { seenAt, amount: 1n, quoted: 3n });
    await pay(second, { seenAt: '2026-03-11T00:00:00Z', amount: 7n, quoted: 7n });
    await pay(second, { seenAt: '2026-03-11T00:00:00Z', amount: 7n, quoted: 7n, state: 'orphaned' });
    await pay(second, { seenAt: '2026-04-01T00:00:00Z', amount: 7n, quoted: 7n });
    const { rows } = await ask('received', {});
    expect(rows.map((row) => ({ ...row, credited: atomic(row['credited']) }))).toEqual([
      {
        day: '2026-03-10',
        paymentApplicationId: null,
        blockchain: null,
        currencyCode: 'USD',
        payments: 1,
        transfers: 2,
        credited: '6666',
        received: null,
      },
      {
        day: '2026-03-11',
        paymentApplicationId: null,
        blockchain: null,
        currencyCode: 'JPY',
        payments: 1,
        transfers: 1,
        credited: String(big),
        received: null,
      },
    ]);
    expect((await ask('received', {}, await createOwner(gateway))).rows).toEqual([]);
  });

  it('has with groupBy=blockchain the sum of each coin on each network, with its decimals there', async () => {
    const payment = await plant({ createdAt: '2026-03-10T10:00:00Z' });
    const seenAt = '2026-03-10T11:00:00Z';
    await pay(payment, { seenAt, amount: 40_000_000n, quoted: 100_000_000n });
    await pay(payment, { seenAt, amount: 10_000_000n, quoted: 100_000_000n });
    await pay(payment, { seenAt, amount: 5n * 10n ** 19n, quoted: 10n ** 20n, chain: 'bsc' });
    const { rows } = await ask('received', { groupBy: 'blockchain', interval: 'total' });
    expect(
      rows.map(({ day, blockchain, credited, received }) => [
        day,
        blockchain,
        atomic(credited),
        (received as { formatted: string }).formatted,
        atomic(received),
      ]),
    ).toEqual([
      [null, 'bsc', '5000', '50.00000000 USDC', '50000000000000000000'],
      [null, 'ethereum', '5000', '50.000000 USDC', '50000000'],
    ]);
  });

  it('separates and filters applications and currencies', async () => {
    const seenAt = '2026-03-10T11:00:00Z';
    const quoted = { seenAt, amount: 1n, quoted: 1n };
    await pay(await plant({ createdAt: seenAt, amount: 100n }), quoted);
    await pay(await plant({ createdAt: seenAt, amount: 200n, shop: shops[1] }), quoted);
    await pay(await plant({ createdAt: seenAt, amount: 400n, shop: shops[1], currency: 'EUR' }), quoted);
    const sums = async (query: Record<string, string>) =>
      Object.fromEntries(
        (await ask('received', query)).rows.map(({ paymentApplicationId, currencyCode, credited }) => [
          `${String(paymentApplicationId)} ${String(currencyCode)}`,
          atomic(credited),
        ]),
      );
    expect(await sums({})).toEqual({ 'null USD': '300', 'null EUR': '400' });
    expect(await sums({ groupBy: 'application' })).toEqual({
      [`${shops[0]} USD`]: '100',
      [`${shops[1]} USD`]: '200',
      [`${shops[1]} EUR`]: '400',
    });
    expect(await sums({ paymentApplicationId: shops[0] })).toEqual({ 'null USD': '100' });
    expect(await sums({ currencyCode: 'EUR' })).toEqual({ 'null EUR': '400' });
  });

  it('counts the days of the time zone, also on the day that has 23 hours', async () => {
    const payment = await plant({ createdAt: '2026-03-28T10:00:00Z' });
    for (const seenAt of [
      '2026-03-28T22:59:59Z',
      '2026-03-28T23:00:00Z',
      '2026-03-29T21:59:59Z',
      '2026-03-29T22:00:00Z',
    ])
      await pay(payment, { seenAt, amount: 1n, quoted: 10n });
    const of = async (timeZone: string) =>
      (await ask('received', { timeZone })).rows.map(
        ({ day, transfers }) => `${String(day)} ${String(transfers)}`,
      );
    expect(await of('Europe/Berlin')).toEqual(['2026-03-28 1', '2026-03-29 2', '2026-03-30 1']);
    expect(await of('UTC')).toEqual(['2026-03-28 2', '2026-03-29 2']);
    expect(await of('Pacific/Kiritimati')).toEqual(['2026-03-29 2', '2026-03-30 2']);
  });
});

describe('GET /api/reports/times', () => {
  it('has median and 95th percentile until funds are seen, and from then until they are confirmed', async () => {
    for (let n = 1; n <= 20; n++)
      await plant({
        createdAt: '2026-03-10T10:00:00Z',
        status: 'CONFIRMED',
        foundAt: new Date(Date.parse('2026-03-10T10:00:00Z') + n * 1_000).toISOString(),
        receivedAt: new Date(Date.parse('2026-03-10T10:00:00Z') + n * 61_000).toISOString(),
      });
    await plant({ createdAt: '2026-03-10T10:00:00Z' });
    await plant({ createdAt: '2026-03-12T10:00:00Z' });
    const { rows } = await ask('times', {});
    const place = { paymentApplicationId: null, blockchain: null, currencyCode: null };
    expect(rows).toEqual([
      {
        ...place,
        day: '2026-03-10',
        seen: 20,
        secondsToSeen: { p50: 10, p95: 19 },
        final: 20,
        secondsToFinal: { p50: 600, p95: 1_140 },
      },
      { ...place, day: '2026-03-12', seen: 0, secondsToSeen: null, final: 0, secondsToFinal: null },
    ]);
  });
});

describe('GET /api/reports/rates', () => {
  it('counts each payment once, by what became of it', async () => {
    const createdAt = '2026-03-10T10:00:00Z';
    const expiresAt = '2026-03-11T10:00:00Z';
    const receivedAt = '2026-03-10T10:05:00Z';
    await plant({ createdAt, status: 'RECEIVED', receivedAt, chain: 'ethereum' });
    await plant({ createdAt, status: 'CONFIRMED', receivedAt, chain: 'ethereum' });
    await plant({ createdAt, status: 'REFUND', receivedAt, chain: 'ethereum' });
    await plant({ createdAt, status: 'UNDERPAID', chain: 'polygon' });
    await plant({ createdAt, status: 'FOUND', foundAt: receivedAt, expiresAt });
    await plant({ createdAt, expiresAt });
    await plant({ createdAt });
    await plant({ createdAt, status: 'CANCELLED' });
    await plant({ createdAt, status: 'ERROR' });
    const { rows } = await ask('rates', {});
    expect(rows).toMatchObject([
      {
        day: '2026-03-10',
        payments: 9,
        counts: {
          completed: 2,
          refunded: 1,
          underpaid: 1,
          expired: 1,
          cancelled: 1,
          failed: 1,
          open: 2,
        },
        shares: { completed: { text: '0.2222' }, refunded: { text: '0.1111' } },
      },
    ]);
    const byChain = await ask('rates', { groupBy: 'blockchain', interval: 'total' });
    expect(byChain.rows.map(({ blockchain, payments }) => [blockchain, payments])).toEqual([
      ['ethereum', 3],
      ['polygon', 1],
      [null, 5],
    ]);
  });
});

describe('every report', () => {
  it.each([
    [{ from: '' }, 'from'],
    [{ from: '2026-01-01' }, 'from'],
    [{ to: '2026-03-01T00:00:00Z' }, 'to'],
    [{ to: '2027-03-03T00:00:00Z' }, 'to'],
    [{ timeZone: 'Mars/Olympus' }, 'timeZone'],
    [{ timeZone: '+02:00' }, 'timeZone'],
    [{ groupBy: 'coin' }, 'groupBy'],
    [{ interval: 'week' }, 'interval'],
    [{ currencyCode: 'usd' }, 'currencyCode'],
    [{ page: '2' }, 'page'],
  ])('refuses %j by the name of the parameter', async (query, field) => {
    for (const report of ['received', 'times', 'rates']) {
      const { status, fields } = await ask(report, query as Record<string, string>);
      expect([status, fields]).toEqual([422, [field]]);
    }
  });

  it('takes 366 days', async () => {
    const year = { from: '2028-01-01T00:00:00Z', to: '2029-01-01T00:00:00Z', timeZone: 'America/New_York' };
    for (const report of ['received', 'times', 'rates']) expect((await ask(report, year)).status).toBe(200);
  });

  it.each([
    ['received', 'payment_transfers_owner', 'seen_at'],
    ['times', 'payments_owner', 'created_at'],
    ['rates', 'payments_owner', 'created_at'],
  ])('%s reads its span of the index %s only', async (report, index, time) => {
    const paid = await plant({ createdAt: '2026-03-10T10:00:00Z' });
    await pay(paid, { seenAt: '2026-03-10T11:00:00Z', amount: 1n, quoted: 1n });
    await gateway.sql.transaction(async (tx) => {
      const day = `'2020-01-01'::timestamptz + n * interval '1 day'`;
      await tx.query('set local session_replication_role = replica');
      await tx.query(
        `insert into payments (id, user_id, application_id, reference, reference_label, currency_code,
           settlement_currency_code, amount, expires_at, created_at)
         select gen_random_uuid(), $1, $2, 'ORDER-' || n, 'x', 'USD', 'USD', n, now(), ${day}
         from generate_series(1, 4000) n`,
        [owner.userId, shops[0]],
      );
      await plantCopies(tx, { id: paid }, 4_000, { seen_at: day });
    });
    // Between two indexes of a few rows, chance decides.
    await gateway.sql.query('analyze payments, payment_transfers');
    const query = jest.spyOn(gateway.get(Sql), 'query');
    await ask(report, { groupBy: 'blockchain' });
    const [text, values] = query.mock.calls.find(([sql]) => sql.includes('width_bucket')) ?? ['', []];
    query.mockRestore();
    const plan = await gateway.sql.query<{ 'QUERY PLAN': string }>(`explain ${text}`, values);
    const lines = plan.map((line) => line['QUERY PLAN']).join('\n');
    expect(lines).toMatch(
      new RegExp(`Scan (using|on) ${index}[^\\n]*\\n *Index Cond: .*${time} >= .*${time} < `),
    );
  });
});
