import pg from 'pg';
import type { PaymentInstructionsContract } from '../src/checkout/payment-instructions.contract.js';
import { TransfersService } from '../src/payments/transfers/transfers.service.js';
import { Sql } from '../src/platform/database/sql.js';
import { plantCopies } from './support/planted-transfers.js';
import { sealPlanted } from './support/seal-planted.js';
import { CONFIRMATIONS, type CreatedPayment, Shop, type ShopApplication } from './support/shop.js';

/**
 * Of one unit each. Three transactions of a contract can send 18,000 of them for cents, as at night; these already fill
 * a body of 64 kB ten times over, and no statement is planned otherwise.
 */
const DUST = Number(process.env['FLOOD_TRANSFERS'] ?? 4_000);
/** Bytes; what Express accepts as a body by default is 100 kB, and many shops read webhooks with less. */
const MAX_BODY = 64 * 1024;

interface Kind {
  count: number;
  status: string;
  matched: boolean;
  amount: { atomic: string };
  creditedAmount: { atomic: string };
}
interface Flooded {
  status: string;
  receivedAmount: { atomic: string };
  overpaidAmount: unknown;
  transactions: { id: string; txHash: string; status: string; amount: { atomic: string } }[];
  otherTransactions: Kind[];
  transactionCount: number;
  transactionsUrl: string;
}

let shop: Shop;
let application: ShopApplication;
let payment: CreatedPayment;
let paidBy: string;
/** Another one like it, which the tests change. */
let changing: CreatedPayment;
let instructions: PaymentInstructionsContract;

beforeAll(async () => {
  shop = await Shop.open();
  application = await shop.application({ callbackUrl: shop.merchant.url });
  ({ payment, paidBy } = await flooded());
  ({ payment: changing, instructions } = await flooded());
}, 300_000);
afterAll(() => shop?.close());

async function flooded() {
  const made = await shop.createPayment(application);
  const to = await shop.instructions(made);
  await shop.send(to, 1n);
  await shop.mine();
  await plantCopies(shop.gateway.sql, made, DUST - 1);
  await sealPlanted(shop.gateway);
  const rest = await shop.send(to, BigInt(to.amount.amount) - BigInt(DUST));
  await shop.mine(CONFIRMATIONS);
  return { payment: made, paidBy: rest, instructions: to };
}

const read = async (path: string, token: string | null = null, accept = '*/*') => {
  const headers = { accept, ...(token && { authorization: `Bearer ${token}` }) };
  const response = await fetch(`${shop.gateway.baseUrl}${path}`, { headers });
  expect(response.status).toBe(200);
  return response.text();
};
const get = async (of = payment) =>
  JSON.parse(await read(`/api/payment/${of.id}`, application.clientToken)) as { data: Flooded };
const signed = (path: string, of = payment) => `${path}${new URL(of.checkoutUrl).search}`;

describe(`a payment with ${DUST} transfers of one unit, and one of the rest`, () => {
  it('is paid exactly: every one of them counts', async () => {
    expect((await get()).data).toMatchObject({
      status: 'CONFIRMED',
      receivedAmount: { atomic: '10000' },
      overpaidAmount: null,
    });
  });

  it('lists the largest, adds the others up, and says how many there are', async () => {
    const { transactions, otherTransactions, transactionCount } = (await get()).data;
    expect(transactions).toHaveLength(25);
    expect(transactions.map(({ txHash }) => txHash)).toContain(paidBy);
    expect(transactionCount).toBe(DUST + 1);
    expect(otherTransactions).toMatchObject([
      {
        count: DUST + 1 - 25,
        amount: { atomic: String(DUST + 1 - 25) },
        status: 'CONFIRMED',
        matched: true,
      },
    ]);
  });

  it('says the same in its events, in which all transfers were counted one by one', async () => {
    const { transactions, otherTransactions, transactionCount } = (await get()).data;
    const [event] = shop.webhooks(payment).slice(-1);
    if (!event) throw new Error('no webhook');
    const sent = event.payment as unknown as Flooded;
    expect(event.event).toBe('payment.completed');
    expect(sent).toMatchObject({ transactionCount, otherTransactions });
    const ids = sent.transactions.map(({ id }) => id);
    expect(ids.toSorted()).toEqual(transactions.map(({ id }) => id).toSorted());
  });

  it('counts each once, however many callers read it in one statement', async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, () => get()));
    expect(answers.map(({ data }) => data.transactionCount)).toEqual(answers.map(() => DUST + 1));
  });

  it('has them all page by page, newest first, each once', async () => {
    const seen: string[] = [];
    let path = `${new URL((await get()).data.transactionsUrl).pathname}?limit=100`;
    for (let page = 0; page < 3; page++) {
      const body = JSON.parse(await read(path, application.clientToken)) as {
        data: Flooded['transactions'];
        meta: { cursor: { next: string; hasMore: boolean } };
      };
      expect(body.meta.cursor.hasMore).toBe(true);
      seen.push(...body.data.map(({ id }) => id));
      path = `${new URL((await get()).data.transactionsUrl).pathname}?limit=100&after=${body.meta.cursor.next}`;
    }
    expect(new Set(seen).size).toBe(300);
  });

  it.each<[string, () => Promise<string>]>([
    ['the payment', () => read(`/api/payment/${payment.id}`, application.clientToken)],
    ['its timeline', () => read(`/api/payment/${payment.id}/timeline`, shop.owner.accessToken)],
    ['its status', () => read(signed(`/api/checkout/payment/${payment.id}`))],
    [
      'the instructions of a coin',
      () => read(signed(`/api/checkout/payment/${payment.id}/provider/ethereum/method/eth`)),
    ],
    ['its page', () => read(signed(`/checkout/${payment.id}`), null, 'text/html')],
    ['the event feed', () => read('/api/events', shop.owner.accessToken)],
    [
      'a page of its transactions',
      () => read(`/api/payment/${payment.id}/transactions`, application.clientToken),
    ],
    ['the list of what needs attention', () => read('/api/attention', shop.owner.accessToken)],
  ])('%s stays below 64 kB', async (_what, body) => {
    expect(Buffer.byteLength(await body())).toBeLessThan(MAX_BODY);
  });

  it('sends no webhook of 64 kB', () => {
    const sizes = shop.merchant.requests.map(({ body }) => Buffer.byteLength(body));
    expect(Math.max(...sizes)).toBeLessThan(MAX_BODY);
  });
});

describe('what its pages cost', () => {
  const sent: string[] = [];
  const original = Reflect.get(pg.Client.prototype, 'query') as (...words: unknown[]) => unknown;
  beforeAll(() => {
    Reflect.set(pg.Client.prototype, 'query', function (this: pg.Client, ...words: unknown[]) {
      const [statement] = words;
      sent.push(typeof statement === 'string' ? statement : (statement as { text: string }).text);
      return original.apply(this, words);
    });
  });
  afterAll(() => {
    Reflect.set(pg.Client.prototype, 'query', original);
  });

  const status = () => read(signed(`/api/checkout/payment/${changing.id}`, changing));
  const additions = () => sent.filter((text) => /sum\(t\.amount\)/.test(text)).length;

  it('is one addition for each change of the payment, however many read it at once', async () => {
    await status();
    for (const amount of [1n, 2n]) {
      sent.length = 0;
      await shop.send(instructions, amount);
      await shop.mine();
      const seen = await Promise.all(Array.from({ length: 5 }, status));
      expect(new Set(seen.map((text) => text.replace(/"serverTime":"[^"]*"/, ''))).size).toBe(1);
      expect(additions()).toBe(1);
    }
  });

  it('is none for a poll, which reads no more transfers than are listed', async () => {
    const path = `${shop.gateway.baseUrl}${signed(`/api/checkout/payment/${changing.id}`, changing)}`;
    const tag = (await fetch(path)).headers.get('etag') ?? '';
    const poll = () => fetch(path, { headers: { 'if-none-match': tag } });
    expect((await poll()).status).toBe(304);
    sent.length = 0;
    expect((await poll()).status).toBe(304);
    const [marks] = sent.filter((text) => /as mark/.test(text));
    expect(additions()).toBe(0);
    expect(await mostRows(marks ?? '', [[changing.id]])).toBeLessThanOrEqual(100);
  });
});

/** The most rows that one step of a statement reads or passes on. */
async function mostRows(text: string, values: unknown[]): Promise<number> {
  interface Step {
    'Actual Rows': number;
    'Actual Loops': number;
    'Rows Removed by Filter'?: number;
    Plans?: Step[];
  }
  const [row] = await shop.gateway.sql.query<{ 'QUERY PLAN': [{ Plan: Step }] }>(
    `explain (analyze, format json) ${text}`,
    values,
  );
  const most = (step: Step): number =>
    Math.max(
      (step['Actual Rows'] + (step['Rows Removed by Filter'] ?? 0)) * step['Actual Loops'],
      ...(step.Plans ?? []).map(most),
    );
  if (!row) throw new Error('no plan');
  return most(row['QUERY PLAN'][0].Plan);
}

describe('its sums', () => {
  /** As they are shown, and as every transfer of the table says. */
  const compare = async () => {
    const { transactions, otherTransactions, transactionCount } = (await get(changing)).data;
    const all = [...transactions, ...otherTransactions.flatMap((kind) => ({ ...kind, txHash: '' }))];
    const shown = all.reduce((sum, { amount }) => sum + BigInt(amount.atomic), 0n);
    const [row] = await shop.gateway.sql.query<{ count: string; sum: string }>(
      'select count(*)::text, sum(amount)::text from payment_transfers where payment_id = $1',
      [changing.id],
    );
    expect({ count: String(transactionCount), sum: shown.toString() }).toEqual(row);
    const states = await shop.gateway.sql.query<{ live: string }>(
      `select count(*)::text as live from payment_transfers where payment_id = $1 and state in ('pending', 'confirmed')`,
      [changing.id],
    );
    const live = [...transactions.map((one) => ({ ...one, count: 1 })), ...otherTransactions]
      .filter(({ status: now }) => ['PENDING', 'CONFIRMED'].includes(now))
      .reduce((sum, { count }) => sum + count, 0);
    expect(String(live)).toBe(states[0]?.live);
  };

  /** As the watcher does: in one transaction. */
  const write = (work: (transfers: TransfersService) => Promise<unknown>) =>
    shop.gateway.get(Sql).transaction(() => work(shop.gateway.get(TransfersService)));

  it('are exact after a block, after a fork without its transfers, and after one with them', async () => {
    const count = async () => (await get(changing)).data.transactionCount;
    const before = await count();
    await shop.send(instructions, 3n);
    await shop.mine();
    expect(await count()).toBe(before + 1);
    await compare();
    await shop.chain.reorg(1);
    await shop.mine(2);
    expect(await count()).toBe(before + 1);
    expect((await get(changing)).data.otherTransactions.map(({ status }) => status)).toContain('ORPHANED');
    await compare();
    await shop.send(instructions, 4n);
    await shop.mine();
    await compare();
  });

  it('are exact after any writer, also one that does not know of sums', async () => {
    const [first] = (await get(changing)).data.transactions;
    for (const change of [
      () => plantCopies(shop.gateway.sql, changing, 2, { ordinal: `t.ordinal || ':again' || n` }),
      () =>
        shop.gateway.sql.query(
          `update payment_transfers set state = 'orphaned', block_height = null,
          block_hash = null, block_time = null, confirmed_at = null where id = $1`,
          [first?.id],
        ),
    ]) {
      await change();
      await sealPlanted(shop.gateway);
      await compare();
    }
  });

  it('are exact after a sighting that is dropped, and one that is replaced', async () => {
    const [address] = await shop.gateway.sql.query<{ id: string }>(
      'select id from deposit_addresses where payment_id = $1',
      [changing.id],
    );
    const sighted = (txHash: string, input: string) => ({
      depositAddressId: address?.id ?? '',
      paymentId: changing.id,
      txHash,
      ordinal: 'value',
      asset: 'eth',
      currencyCode: 'ETH',
      assetDecimals: 18,
      amount: 5n,
      inputs: [input],
    });
    const see = (txHash: string, input: string) =>
      write((transfers) =>
        transfers.applySightings({
          chain: 'ethereum',
          spends: new Map([[input, txHash]]),
          transfers: [sighted(txHash, input)],
        }),
      );
    const given = async () => {
      const { transactions, otherTransactions } = (await get(changing)).data;
      return [...transactions.map((one) => ({ ...one, count: 1 })), ...otherTransactions]
        .filter(({ status }) => status === 'REPLACED')
        .reduce((sum, { count }) => sum + count, 0);
    };
    await see('0xa1', 'x:0');
    await compare();
    await write((transfers) => transfers.drop('ethereum', { forgotten: ['0xa1'], idle: [] }));
    expect(await given()).toBe(1);
    await compare();
    await see('0xb1', 'y:0');
    await see('0xb2', 'y:0');
    expect(await given()).toBe(2);
    await compare();
  });
});
