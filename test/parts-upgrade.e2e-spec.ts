import { randomBytes, randomUUID } from 'node:crypto';
import pg from 'pg';
import { migrations } from '../migrations/index.js';
import { allotParts, creditedBy, type PartTransfer } from '../src/payments/quotes/parts.pure.js';
import { paidBy, partOf } from '../src/payments/quotes/weighing.pure.js';
import { recordMigrations } from './support/recorded-migrations.js';
import { databaseUrl } from './support/test-server.js';

const adminUrl = process.env['TEST_ADMIN_URL'] ?? '';
const name = `parts_${randomBytes(6).toString('hex')}`;
const [baseline] = migrations;
const USER = 'user';
let db: pg.Client;

interface Given {
  amount: bigint;
  quoted?: bigint;
  state?: string;
  isMatched?: boolean;
}

beforeAll(async () => {
  const admin = new pg.Client({ connectionString: adminUrl });
  await admin.connect();
  await admin.query(`create database ${name}`);
  await admin.end();
  await recordMigrations(databaseUrl(adminUrl, name), baseline ? [baseline] : []);
  db = new pg.Client({ connectionString: databaseUrl(adminUrl, name) });
  await db.connect();
  await db.query('set session_replication_role = replica');
});
afterAll(() => db.end());

/** As the release before has written it. */
async function plant(due: bigint, transfers: readonly Given[]): Promise<string> {
  const id = randomUUID();
  await db.query(
    `insert into payments (id, user_id, application_id, status, reference, reference_label, currency_code,
       settlement_currency_code, amount, created_at, expires_at)
     values ($1, $2, $1, 'OPEN', 'ORDER-1', 'Order #1', 'EUR', 'EUR', $3, now(), now())`,
    [id, USER, due],
  );
  const quotes = new Map<bigint, string>();
  for (const [
    i,
    { amount, quoted = 31_430_000n, state = 'confirmed', isMatched = true },
  ] of transfers.entries()) {
    const quoteId = quotes.get(quoted) ?? randomUUID();
    if (!quotes.has(quoted))
      await db.query(
        `insert into quotes (id, payment_id, user_id, chain, asset, currency_code, asset_decimals, priced_amount,
           asset_amount, rate, rate_source, rate_inputs, locked_at, expires_at)
         values ($1, $2, $3, 'ethereum', 'native', 'ETH', 18, $4, $5, '1', 'test', '{}', now(), now())`,
        [quoteId, id, USER, due, quoted],
      );
    quotes.set(quoted, quoteId);
    await db.query(
      `insert into payment_transfers (id, payment_id, user_id, deposit_address_id, chain, tx_hash, ordinal, asset,
         currency_code, asset_decimals, amount, state, block_height, block_hash, block_time, confirmations_required,
         quote_id, is_matched, seen_at, confirmed_at)
       values ($1, $2, $3, $1, 'ethereum', $1::uuid::text, '0', 'native', 'ETH', 18, $4, $5::text,
         case when $5 = 'confirmed' then 1 end, case when $5 = 'confirmed' then 'b' end,
         case when $5 = 'confirmed' then now() end, 12, $6, $7, now() + $8 * interval '1 second',
         case when $5 = 'confirmed' then now() + $8 * interval '1 second' end)`,
      [randomUUID(), id, USER, amount, state, isMatched ? quoteId : null, isMatched, i],
    );
  }
  return id;
}

const bigint = (text: string | null) => (text === null ? null : BigInt(text));

async function read(paymentId: string) {
  const { rows } = await db.query<
    Record<string, string | null> & { seen: Date; confirmed: Date | null; matched: boolean }
  >(
    `select t.amount, t.state, t.quote_id, t.credited_amount, q.asset_amount, t.is_matched as matched, t.seen_at as seen,
       t.confirmed_at as confirmed
     from payment_transfers t left join quotes q on q.id = t.quote_id where t.payment_id = $1 order by t.seen_at`,
    [paymentId],
  );
  const transfers = rows.map((row): PartTransfer => ({
    state: row['state'] as PartTransfer['state'],
    isMatched: row.matched,
    quoteId: row['quote_id'] ?? null,
    amount: BigInt(row['amount'] ?? 0),
    seenAt: row.seen,
    confirmedAt: row.confirmed,
    creditedAmount: bigint(row['credited_amount'] ?? null),
  }));
  const quotes = new Map(
    rows.flatMap(({ quote_id: id, asset_amount: amount }) =>
      typeof id !== 'string' || typeof amount !== 'string'
        ? []
        : [[id, { id, assetAmount: BigInt(amount) }] as const],
    ),
  );
  return { transfers, quotes: [...quotes.values()] };
}

it('an upgrade allots the transfers of before, so that they add up and verify finds nothing', async () => {
  const third = 10_476_666n;
  const cases: [due: bigint, transfers: Given[], parts: (bigint | null)[]][] = [
    [2_908n, [{ amount: 31_430_000n }], [2_908n]],
    [2_908n, [{ amount: third }, { amount: 31_430_000n - third }], [969n, 1_939n]],
    [2_908n, [{ amount: third }, { amount: third }, { amount: third + 2n }], [969n, 969n, 970n]],
    [2_908n, [{ amount: third, state: 'pending' }, { amount: third }], [969n, 969n]],
    [2_908n, [{ amount: third, state: 'orphaned' }, { amount: 31_430_000n }], [null, 2_908n]],
    [2_908n, [{ amount: 7n, isMatched: false }, { amount: 31_430_000n }], [null, 2_908n]],
    [
      2_908n,
      [{ amount: third }, { amount: 3_070_000n, quoted: 9_210_000n }, { amount: third + 2n }],
      [969n, 969n, 970n],
    ],
    [1n, [{ amount: 15_715_000n }, { amount: 15_715_000n }], [0n, 1n]],
    [
      10n ** 30n,
      [
        { amount: 1n, quoted: 3n },
        { amount: 2n, quoted: 3n },
      ],
      [10n ** 30n / 3n, 10n ** 30n - 10n ** 30n / 3n],
    ],
  ];
  const ids: string[] = [];
  for (const [due, transfers] of cases) ids.push(await plant(due, transfers));
  const [, ...later] = migrations;
  const recorded = await recordMigrations(databaseUrl(adminUrl, name), later);
  expect(recorded.map(({ repeatError }) => repeatError)).toEqual(later.map(() => null));
  for (const [i, [due, , parts]] of cases.entries()) {
    const { transfers, quotes } = await read(ids[i] ?? '');
    expect(transfers.map(({ creditedAmount }) => creditedAmount)).toEqual(parts);
    const confirmed = transfers.filter((each) => each.state === 'confirmed' && each.isMatched);
    const sum = confirmed.reduce((total, each) => total + creditedBy(each), 0n);
    expect(sum).toBe(partOf(due, paidBy(confirmed, quotes)));
    expect(allotParts(due, transfers, quotes).size).toBe(0);
  }
});
