import type { PaymentOverviewContract } from '../src/payments/payment-overview.contract.js';
import { fetchAccessToken } from './support/principals.js';
import { plansOf } from './support/query-plans.js';
import { CONFIRMATIONS, type CreatedPayment, type Shop, type ShopApplication } from './support/shop.js';
import { TwoChains } from './support/two-chains.js';

type Row = PaymentOverviewContract;
interface Listed {
  status: number;
  rows: Row[];
  cursor: { next: string; hasMore: boolean };
  errors: Record<string, string[]> | undefined;
}

/** The others have so few rows here that Postgres rightly reads them whole. */
const LARGE = new Set(['payments', 'payment_transfers', 'deposit_addresses']);

/** More payments than a page walks over. */
const BULK = 10_100;

let chains: TwoChains;
let shop: Shop;
let application: ShopApplication;

beforeAll(async () => {
  chains = await TwoChains.open();
  shop = chains.shop;
  application = await shop.application();
});
afterAll(() => chains.close());
// Some tests let more time pass than a token lasts.
beforeEach(signIn);
async function signIn(): Promise<void> {
  const { clientId, clientSecret } = shop.owner;
  shop.owner.accessToken = await fetchAccessToken(shop.gateway, clientId, clientSecret);
}

async function list(query: Record<string, string> = {}): Promise<Listed> {
  const path = `/api/payment-overview?${new URLSearchParams(query).toString()}`;
  const { status, body } = await shop.call<Row[]>('GET', path, shop.owner.accessToken);
  const { meta } = body as unknown as { meta?: { cursor: Listed['cursor'] } };
  const cursor = meta?.cursor ?? { next: '', hasMore: false };
  return { status, rows: status === 200 ? body.data : [], cursor, errors: body.errors };
}
const idsOf = async (query: Record<string, string>) => (await list(query)).rows.map(({ id }) => id);
/** The row of a payment, found by its id. */
async function rowOf({ id }: { id: string }): Promise<Row> {
  const { status, rows } = await list({ search: id });
  if (rows.length !== 1 || !rows[0]) throw new Error(`${status}: ${rows.length} rows`);
  return rows[0];
}
/** Each its own reference, or they would be paid twice. */
let orders = 0;
const create = (fields: Record<string, unknown> = {}, of = application) =>
  shop.createPayment(of, { reference: `ORDER-${++orders}`, ...fields });
/** A payment that got so much of what it asks for, in thousandths. */
async function paid(thousandths: bigint, of: ShopApplication = application): Promise<CreatedPayment> {
  const payment = await create({}, of);
  const instructions = await shop.instructions(payment);
  await shop.send(instructions, (BigInt(instructions.amount.amount) * thousandths) / 1_000n);
  return payment;
}

describe('a row of GET /api/payment-overview', () => {
  it('follows a payment from its creation to the acknowledged webhook', async () => {
    const payment = await create({ reference: 'FOLLOWED-1' });
    expect(await rowOf(payment)).toMatchObject({
      id: payment.id,
      status: 'OPEN',
      reference: 'FOLLOWED-1',
      paymentApplicationId: application.id,
      amount: { amount: 10_000 },
      receivedAmount: { amount: 0 },
      blockchain: null,
      coin: null,
      askedAmount: null,
      confirmations: null,
      happens: 'awaiting_choice',
      attention: [],
      told: 'nothing_to_tell',
      reviewReason: null,
      expired: false,
    });

    const instructions = await shop.instructions(payment);
    expect(await rowOf(payment)).toMatchObject({
      happens: 'awaiting_funds',
      blockchain: 'ethereum',
      coin: 'ETH',
      // 100 USD at 2,000 USD.
      askedAmount: { atomic: '50000000000000000', decimals: 18, currency: { code: 'ETH' } },
    });
    await shop.instructions(payment, 'usdc');
    expect(await rowOf(payment)).toMatchObject({ coin: 'USDC', askedAmount: { atomic: '100000000' } });
    await shop.instructions(payment);
    expect(await rowOf(payment)).toMatchObject({ coin: 'ETH', askedAmount: { decimals: 18 } });

    await shop.send(instructions);
    await shop.mine(3);
    expect(await rowOf(payment)).toMatchObject({
      status: 'FOUND',
      happens: 'confirming',
      confirmations: { seen: 3, required: CONFIRMATIONS },
    });

    shop.merchant.plan({ status: 500 });
    await shop.mine(CONFIRMATIONS);
    expect(await rowOf(payment)).toMatchObject({
      status: 'RECEIVED',
      receivedAmount: { amount: 10_000 },
      confirmations: null,
      happens: 'shop_not_told',
      attention: ['shop_not_told'],
      told: 'retrying',
    });

    await shop.wait(600);
    await shop.settle();
    expect(await rowOf(payment)).toMatchObject({
      status: 'CONFIRMED',
      happens: 'paid',
      attention: [],
      told: 'told',
    });
  });

  it('says no_endpoint for a paid payment whose application has no webhook endpoint', async () => {
    const payment = await paid(1_000n, await shop.application({ callbackUrl: null }));
    await shop.mine(CONFIRMATIONS);
    expect(await rowOf(payment)).toMatchObject({ status: 'CONFIRMED', happens: 'paid', told: 'no_endpoint' });
  });

  it('names what is missing and what is too much', async () => {
    const strict = await shop.application({ allowOverpay: false });
    const [short, over] = [await paid(500n), await paid(1_500n, strict)];
    await shop.mine(CONFIRMATIONS);
    expect(await rowOf(short)).toMatchObject({
      happens: 'awaiting_rest',
      attention: ['underpaid'],
      underpaidAmount: { amount: 5_000 },
      overpaidAmount: null,
    });
    expect(await rowOf(over)).toMatchObject({
      happens: 'overpaid_held',
      attention: ['overpaid_held'],
      reviewReason: 'overpaid',
      overpaidAmount: { amount: 5_000 },
    });
    expect(await idsOf({ reviewReason: 'overpaid' })).toContain(over.id);
    expect(await idsOf({ reviewReason: 'overpaid' })).not.toContain(short.id);
    expect(await idsOf({ status: 'UNDERPAID' })).toContain(short.id);
  });

  it('names funds on another network, until they are accepted', async () => {
    const payment = await create();
    await chains.sendBnb(payment);
    expect(await rowOf(payment)).toMatchObject({
      happens: 'unmatched_funds',
      attention: ['unmatched_funds'],
    });
    expect(await idsOf({ unmatchedFunds: 'true' })).toContain(payment.id);
    expect(await idsOf({ unmatchedFunds: 'false' })).not.toContain(payment.id);
    await chains.accept(application, payment, (await chains.transferOf(payment)).id);
    await chains.mineBsc(20);
    expect((await rowOf(payment)).attention).toEqual([]);
    expect(await idsOf({ unmatchedFunds: 'true' })).not.toContain(payment.id);
  });

  it('names funds that came too late and do not pay the payment', async () => {
    const payment = await create({ expiresAt: new Date(shop.gateway.clock.now().getTime() + 3_600_000) });
    const instructions = await shop.instructions(payment);
    await shop.wait(2 * 3_600);
    await shop.send(instructions, BigInt(instructions.amount.amount) / 2n);
    await shop.mine(CONFIRMATIONS);
    await signIn();
    expect(await rowOf(payment)).toMatchObject({ expired: true, attention: ['late_funds', 'underpaid'] });
    expect(await idsOf({ late: 'true' })).toContain(payment.id);
    expect(await idsOf({ late: 'false' })).not.toContain(payment.id);
    expect(await idsOf({ expiredWithFunds: 'true' })).toContain(payment.id);
    expect(await idsOf({ expiredWithFunds: 'false' })).not.toContain(payment.id);
  });

  it('names a refund that waits for its merchant', async () => {
    const payment = await paid(1_000n);
    await shop.mine(CONFIRMATIONS);
    const address = '0x52908400098527886E0F7030069857D2E4169EE7';
    const path = `/api/payment/${payment.id}/refunds`;
    expect((await shop.call('POST', path, application.clientToken, { address })).status).toBe(201);
    expect((await rowOf(payment)).attention).toEqual(['refund_waits']);
  });
});

describe('GET /api/payment-overview', () => {
  it('is continued by its cursor: nothing twice, nothing missing, whatever was created meanwhile', async () => {
    const own = await shop.application();
    const filter = { paymentApplicationId: own.id };
    expect(await list(filter)).toMatchObject({ status: 200, rows: [], cursor: { hasMore: false } });
    // All at the same time, so that only the id orders them.
    const before = await Promise.all(Array.from({ length: 7 }, () => shop.createPayment(own)));
    const seen: string[] = [];
    let page = await list({ ...filter, limit: '3' });
    for (;;) {
      seen.push(...page.rows.map(({ id }) => id));
      if (!page.cursor.hasMore) break;
      await shop.createPayment(own);
      page = await list({ ...filter, limit: '3', after: page.cursor.next });
    }
    expect(seen).toHaveLength(7);
    expect(new Set(seen)).toEqual(new Set(before.map(({ id }) => id)));
    expect(await list({ ...filter, after: page.cursor.next })).toMatchObject({
      rows: [],
      cursor: { next: page.cursor.next, hasMore: false },
    });
  });

  it('takes several applications, amounts, dates, networks and coins at once', async () => {
    const [first, second] = [await shop.application(), await shop.application()];
    const small = await shop.createPayment(first, { amount: 100 });
    const large = await shop.createPayment(second, { amount: 5_000 });
    const other = await shop.createPayment(second, { amount: 5_000, currencyCode: 'EUR' });
    const both = { paymentApplicationId: `${first.id},${second.id.toUpperCase()}` };
    expect(await idsOf(both)).toEqual([other.id, large.id, small.id]);
    expect(await idsOf({ ...both, currencyCode: 'USD', amountFrom: '101' })).toEqual([large.id]);
    expect(await idsOf({ ...both, currencyCode: 'USD', amountTo: '100' })).toEqual([small.id]);
    const now = shop.gateway.clock.now().getTime();
    expect(await idsOf({ ...both, dateTo: new Date(now - 1_000).toISOString() })).toEqual([]);
    expect(await idsOf({ ...both, dateFrom: new Date(now).toISOString() })).toHaveLength(3);
    await shop.instructions(small, 'usdc');
    expect(await idsOf({ ...both, blockchain: 'ethereum', coin: 'USDC' })).toEqual([small.id]);
    expect(await idsOf({ ...both, coin: 'ETH' })).toEqual([]);
    expect(await idsOf({ ...both, blockchain: 'bsc' })).toEqual([]);
    expect(await idsOf({ ...both, status: 'OPEN,FOUND' })).toHaveLength(3);
  });

  it('finds by the beginning of a reference, an address or a transaction, in any letter case', async () => {
    const payment = await create({ reference: 'Größe-50%_off' });
    const instructions = await shop.instructions(payment);
    const txHash = await shop.send(instructions);
    await shop.mine();
    for (const search of [
      payment.id.toUpperCase(),
      'Größe-50%_off',
      'gRÖSSE-50%'.replace('SS', 'ß'),
      instructions.address.slice(0, 20).toLowerCase(),
      instructions.address,
      txHash,
      txHash.slice(0, 24).toUpperCase(),
    ])
      expect([search, await idsOf({ search })]).toEqual([search, [payment.id]]);
    // As people write and paste them.
    for (const search of [
      payment.checkoutUrl,
      `https://etherscan.io/tx/${txHash}`,
      `https://etherscan.io/address/${instructions.address}#transactions`,
      txHash.slice(2),
      `${txHash.slice(0, 10)}…${txHash.slice(-4)}`,
      '#größe-50%',
      'Größe 50%_off',
      'Bestellung Größe-50%_off',
    ])
      expect([search, await idsOf({ search })]).toEqual([search, [payment.id]]);
    const labelled = await create({ reference: 'a8c2', referenceLabel: 'Tisch 9, Terrasse' });
    expect(await idsOf({ search: 'tisch 9' })).toEqual([labelled.id]);
    // What is written itself comes before what may be meant.
    const literal = await create({ reference: '#größe-50% literally' });
    expect(await idsOf({ search: '#größe-50%' })).toEqual([literal.id]);
    for (const search of ['50%_off', 'Größe-50_', payment.id.slice(0, 20), '%', '\\'])
      expect([search, await idsOf({ search })]).toEqual([search, []]);
  });

  it.each<[Record<string, string>, string]>([
    [{ after: 'ZTQy' }, 'after'],
    [{ limit: '101' }, 'limit'],
    [{ paymentApplicationId: 'one,two' }, 'paymentApplicationId'],
    [{ paymentApplicationId: '' }, 'paymentApplicationId'],
    [{ status: 'PAID' }, 'status'],
    [{ blockchain: 'etherum' }, 'blockchain'],
    [{ coin: 'USD' }, 'coin'],
    [{ currencyCode: 'usd' }, 'currencyCode'],
    [{ amountFrom: '1' }, 'currencyCode'],
    [{ amountTo: '1e3', currencyCode: 'USD' }, 'amountTo'],
    [{ dateFrom: 'yesterday' }, 'dateFrom'],
    [{ reviewReason: 'late' }, 'reviewReason'],
    [{ late: '1' }, 'late'],
    [{ search: '' }, 'search'],
    [{ page: '2' }, 'page'],
  ])('refuses %p on %s', async (query, field) => {
    const { status, errors } = await list(query);
    expect([status, Object.keys(errors ?? {})]).toEqual([422, [field]]);
  });

  it('reads few rows, also for a search that fits most of the payments, and none of the others', async () => {
    const own = await shop.application();
    const payment = await shop.createPayment(own, { reference: 'BULK-0' });
    const { sql } = shop.gateway;
    await sql.transaction(async (tx) => {
      await tx.query('set local session_replication_role = replica');
      // Of the owner, and of another user.
      await tx.query(
        `insert into payments select (jsonb_populate_record(p, jsonb_build_object('id', gen_random_uuid(),
           'reference', 'BULK-' || n, 'created_at', p.created_at - n * interval '1 second',
           'currency_code', case when n = $2 then 'JPY' else p.currency_code end,
           'user_id', case when n <= $3 then p.user_id else 'another' end))).*
         from payments p, generate_series(1, $4::integer) n where p.id = $1`,
        [payment.id, BULK - 10, BULK, BULK + 2_000],
      );
      await tx.query(
        `insert into deposit_addresses select (jsonb_populate_record(d, jsonb_build_object('id', gen_random_uuid(),
           'payment_id', gen_random_uuid(), 'derivation_index', 1000000 + n, 'key', decode(md5(n::text), 'hex')))).*
         from deposit_addresses d, generate_series(1, 3000) n
         where d.id = (select id from deposit_addresses limit 1)`,
      );
      await tx.query(
        `insert into payment_transfers select (jsonb_populate_record(t, jsonb_build_object('id', gen_random_uuid(),
           'payment_id', gen_random_uuid(), 'tx_hash', md5(n::text), 'is_matched', true, 'is_late', false))).*
         from payment_transfers t, generate_series(1, 3000) n
         where t.id = (select id from payment_transfers limit 1)`,
      );
    });
    await sql.query('analyze');
    const found = new Set<string>();
    const all = { search: 'bulk-1', limit: '100' };
    for (let page = await list(all); ; page = await list({ ...all, after: page.cursor.next })) {
      for (const { reference } of page.rows) found.add(reference);
      if (!page.cursor.hasMore) break;
    }
    const [expected] = await sql.query<{ count: number }>(
      `select count(*)::int as count from payments where user_id = $1 and reference like 'BULK-1%'`,
      [shop.owner.userId],
    );
    expect(expected?.count).toBeGreaterThan(1_000);
    expect(found.size).toBe(expected?.count);
    // A page that has come to no match says where to go on.
    const rare = { search: 'bulk-', currencyCode: 'JPY' };
    const first = await list(rare);
    expect([first.rows, first.cursor.hasMore]).toEqual([[], true]);
    const { rows, cursor } = await list({ ...rare, after: first.cursor.next });
    expect([rows.map(({ reference }) => reference), cursor.hasMore]).toEqual([[`BULK-${BULK - 10}`], false]);
    const walks = await plansOf(shop.gateway, async () => void (await list(rare)));
    expect(walks.flatMap((plan) => plan.scanned).filter((table) => LARGE.has(table))).toEqual([]);
    expect(await idsOf({ search: 'bulk-2999' })).toHaveLength(1);

    const queries: Record<string, string>[] = [
      {},
      { after: (await list({ limit: '100' })).cursor.next },
      { search: 'bulk-299' },
      { search: payment.id },
      { status: 'UNDERPAID' },
      { reviewReason: 'overpaid' },
      { unmatchedFunds: 'true' },
      { late: 'true' },
      { expiredWithFunds: 'true' },
      { blockchain: 'bsc' },
    ];
    for (const query of queries) {
      const plans = await plansOf(shop.gateway, async () => {
        expect((await list(query)).status).toBe(200);
      });
      const own = plans.filter(({ text }) => /payments|payment_transfers/.test(text));
      const scanned = own.flatMap((plan) => plan.scanned).filter((table) => LARGE.has(table));
      // Transfers are asked for where a payment of the page has any.
      const most = 'search' in query ? 3 : 2;
      expect([query, own.length === most || own.length === most - 1, scanned]).toEqual([query, true, []]);
      // Every entry of an index that is read names a row of the page.
      expect(Math.max(...own.map(({ pages }) => pages))).toBeLessThan(300);
    }
  });
});
