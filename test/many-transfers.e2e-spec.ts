import { CONFIRMATIONS, type CreatedPayment, Shop, type ShopApplication } from './support/shop.js';

/** What three transactions of a contract can send for cents: 18,000 transfers, of one unit each. */
const DUST = 18_000;
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
  transactions: { id: string; txHash: string; amount: { atomic: string } }[];
  otherTransactions: Kind[];
  transactionCount: number;
  transactionsUrl: string;
}

let shop: Shop;
let application: ShopApplication;
let payment: CreatedPayment;
let paidBy: string;

beforeAll(async () => {
  shop = await Shop.open();
  application = await shop.application({ callbackUrl: shop.merchant.url });
  payment = await shop.createPayment(application);
  const instructions = await shop.instructions(payment);
  await shop.send(instructions, 1n);
  await shop.mine();
  await plantCopies(DUST - 1);
  paidBy = await shop.send(instructions, BigInt(instructions.amount.amount) - BigInt(DUST));
  await shop.mine(CONFIRMATIONS);
}, 180_000);
afterAll(() => shop?.close());

/** As if the contract had paid so many times in the transaction that was seen. */
async function plantCopies(count: number): Promise<void> {
  const columns = await shop.gateway.sql.query<{ name: string }>(
    `select column_name as name from information_schema.columns where table_name = 'payment_transfers'`,
  );
  const names = columns.map(({ name }) => name);
  const values: Record<string, string> = {
    id: 'gen_random_uuid()',
    ordinal: `t.ordinal || ':' || n`,
    mac: 'null',
  };
  await shop.gateway.sql.query(
    `insert into payment_transfers (${names.join(', ')})
     select ${names.map((name) => values[name] ?? `t.${name}`).join(', ')}
     from payment_transfers t, generate_series(1, $2::integer) n where t.payment_id = $1`,
    [payment.id, count],
  );
}

const read = async (path: string, token: string | null = null, accept = '*/*') => {
  const headers = { accept, ...(token && { authorization: `Bearer ${token}` }) };
  const response = await fetch(`${shop.gateway.baseUrl}${path}`, { headers });
  expect(response.status).toBe(200);
  return response.text();
};
const get = async () =>
  JSON.parse(await read(`/api/payment/${payment.id}`, application.clientToken)) as { data: Flooded };
const signed = (path: string) => `${path}${new URL(payment.checkoutUrl).search}`;

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
    ['the event feed', () => read('/api/events?limit=1', shop.owner.accessToken)],
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
