import type { AttentionItemContract } from '../src/overview/attention.contract.js';
import { sendRequest } from './support/api-request.js';
import { RefundsApi } from './support/refunds-api.js';
import { CONFIRMATIONS, type CreatedPayment, Shop, type ShopApplication } from './support/shop.js';

let shop: Shop;
let application: ShopApplication;
let strict: ShopApplication;
let orders = 0;

beforeAll(async () => {
  shop = await Shop.open();
  application = await shop.application();
  strict = await shop.application({ allowOverpay: false });
});
afterAll(() => shop.close());

async function ordered(reference = `OPEN-${++orders}`, of = application) {
  const payment = await shop.createPayment(of, { reference });
  const asked = await shop.instructions(payment);
  const send = (percent: bigint) => shop.send(asked, (BigInt(asked.amount.amount) * percent) / 100n);
  return { payment, send };
}
async function paid(percent: bigint, reference?: string, of?: ShopApplication): Promise<CreatedPayment> {
  const { payment, send } = await ordered(reference, of);
  await send(percent);
  await shop.mine(CONFIRMATIONS);
  return payment;
}
const act = ({ id }: CreatedPayment, name: string) =>
  shop.call('POST', `/api/payment/${id}/${name}`, application.clientToken);

/** What Attention has of each payment: its largest sum, or what is missing. */
async function ofAttention(): Promise<Map<string, [kind: string, sum: bigint]>> {
  const path = '/api/attention?limit=100';
  const { body } = await shop.call<AttentionItemContract[]>('GET', path, shop.owner.accessToken);
  const open = new Map<string, [string, bigint]>();
  for (const { kind, payment, sums } of body.data) {
    if (!payment || !sums) continue;
    const { asked, received, excess } = sums;
    const isMissing = kind === 'underpaid' && !open.has(payment.id);
    const sum = isMissing ? BigInt(asked.atomic) - BigInt(received.atomic) : BigInt(excess?.atomic ?? 0);
    if (sum > (open.get(payment.id)?.[1] ?? 0n)) open.set(payment.id, [kind, sum]);
  }
  return open;
}

/** The rows of what is open in the months in which something was paid, but refunds that are to be sent. */
async function ofMonths(months: ReadonlySet<string>): Promise<[id: string, kind: string, sum: bigint][]> {
  const open: [string, string, bigint][] = [];
  for (const month of months) {
    const url = `${shop.gateway.baseUrl}/api/reports/month?month=${month}&format=csv&locale=de`;
    const { status, text } = await sendRequest(url, { token: shop.owner.accessToken });
    expect(status).toBe(200);
    for (const line of text.split('\r\n')) {
      const cells = line.split(';');
      const [, kind = '', , , , , value = ''] = cells;
      const id = cells[15] ?? '';
      if (!kind.startsWith('Offen: ') || kind === 'Offen: noch zu erstatten' || id === '') continue;
      open.push([id, kind, BigInt(value.replaceAll(/[.,]/g, ''))]);
    }
  }
  return open;
}

it('are the same in Attention and in the month, of every kind that has a sum', async () => {
  const refunds = new RefundsApi(shop, application);
  const names = new Map<string, string>();
  const note = (name: string, { id }: CreatedPayment) => names.set(id, name);
  note('exact', await paid(100n));
  note('too much', await paid(130n));
  const promised = await paid(130n);
  note('too much, promised in part', promised);
  await refunds.create(promised, { amount: 1_000 });
  const kept = await paid(130n);
  note('too much, kept', kept);
  expect(await act(kept, 'keep')).toMatchObject({ status: 200 });
  const held = await ordered(undefined, strict);
  note('held', held.payment);
  await held.send(130n);
  await shop.mine(CONFIRMATIONS);
  note('first of two', await paid(100n, 'TWICE'));
  note('second of two, too much', await paid(110n, 'TWICE'));
  note('part of two', await paid(40n, 'PARTS'));
  note('whole of two', await paid(100n, 'PARTS'));
  note('short', await paid(70n));
  const cancelled = await ordered();
  note('after the cancellation', cancelled.payment);
  expect(await act(cancelled.payment, 'cancel')).toMatchObject({ status: 200 });
  const [late, lateMore] = [await ordered(), await ordered()];
  note('late', late.payment);
  note('late, too much', lateMore.payment);
  await shop.wait(25 * 3_600);
  await cancelled.send(100n);
  await late.send(100n);
  await lateMore.send(120n);
  await shop.mine(CONFIRMATIONS);
  // Seen, and not confirmed.
  await held.send(10n);
  await shop.mine(1);

  const attention = await ofAttention();
  const months = new Set<string>();
  for (const id of names.keys())
    for (const { seenAt } of (await shop.payment({ id })).transactions) months.add(seenAt.slice(0, 7));
  const month = await ofMonths(months);
  const named = (id: string) => names.get(id) ?? id;
  const inOrder = (sums: readonly (readonly [id: string, sum: bigint])[]) =>
    sums.map(([id, sum]) => `${named(id)}: ${sum}`).toSorted();
  expect(inOrder(month.map(([id, , sum]) => [id, sum]))).toEqual(
    inOrder([...attention].map(([id, [, sum]]) => [id, sum])),
  );
  expect(Object.fromEntries([...attention].map(([id, [kind, sum]]) => [named(id), [kind, sum]]))).toEqual({
    'too much': ['overpaid', 3_000n],
    'too much, promised in part': ['overpaid', 2_000n],
    held: ['overpaid_held', 4_000n],
    'second of two, too much': ['paid_twice', 11_000n],
    'part of two': ['paid_twice', 4_000n],
    short: ['underpaid', 3_000n],
    'after the cancellation': ['funds_after_end', 10_000n],
    late: ['paid_late', 10_000n],
    'late, too much': ['paid_late', 12_000n],
  });
  expect(new Set(month.map(([, kind]) => kind))).toEqual(
    new Set([
      'Offen: zu viel gezahlt',
      'Offen: Bestellung doppelt bezahlt',
      'Offen: nach dem Ende bezahlt',
      'Offen: Kunde schuldet',
    ]),
  );
});
