import type { AttentionItemContract } from '../src/overview/attention.contract.js';
import { PaymentSweep } from '../src/payments/payment-sweep.service.js';
import { DatabaseThief } from './support/database-thief.js';
import type { CreatedPayment } from './support/merchant-api.js';
import { fetchAccessToken } from './support/principals.js';
import { CONFIRMATIONS, Shop, type ShopApplication } from './support/shop.js';

let shop: Shop;
let application: ShopApplication;
beforeAll(async () => {
  shop = await Shop.open();
  application = await shop.application({ allowOverpay: false });
});
afterAll(() => shop.close());

async function paid(hundredths: bigint): Promise<CreatedPayment> {
  const payment = await shop.createPayment(application, { reference: crypto.randomUUID() });
  const instructions = await shop.instructions(payment);
  await shop.send(instructions, (BigInt(instructions.amount.amount) * hundredths) / 100n);
  await shop.mine(CONFIRMATIONS);
  return payment;
}
const reasonOf = async ({ id }: CreatedPayment) => {
  const [row] = await shop.gateway.sql.query<{ reason: string | null }>(
    'select review_reason as reason from payments where id = $1',
    [id],
  );
  return row?.reason ?? null;
};
/** Somebody writes into the row of a payment, past its triggers. */
const write = ({ id }: CreatedPayment, change: string) =>
  new DatabaseThief(shop.gateway.sql).tamper([[`update payments set ${change} where id = $1`, [id]]]);
async function sweep({ id }: CreatedPayment): Promise<void> {
  await shop.gateway.sql.query('update payments set recheck_at = created_at where id = $1', [id]);
  while (await shop.gateway.get(PaymentSweep).runOnce()) continue;
}
async function listed({ id }: CreatedPayment): Promise<AttentionItemContract[]> {
  const { clientId, clientSecret } = shop.owner;
  const token = await fetchAccessToken(shop.gateway, clientId, clientSecret);
  const { body } = await shop.call<AttentionItemContract[]>('GET', '/api/attention?limit=100', token);
  return body.data.filter(({ payment }) => payment?.id === id);
}
const kinds = async (payment: CreatedPayment) => (await listed(payment)).map(({ kind }) => kind);

const CASES: [string, () => Promise<CreatedPayment>, string | null, string][] = [
  ['held as overpaid', () => paid(150n), 'overpaid', 'overpaid_held'],
  [
    'closed, with funds after its end',
    async () => {
      const payment = await shop.createPayment(application, { reference: crypto.randomUUID() });
      const instructions = await shop.instructions(payment);
      await shop.call('POST', `/api/payment/${payment.id}/cancel`, application.clientToken);
      await shop.send(instructions);
      await shop.mine(CONFIRMATIONS);
      return payment;
    },
    'funds_after_cancel',
    'funds_after_end',
  ],
  [
    'paid once, before a reorganization',
    async () => {
      const payment = await paid(50n);
      await write(payment, `review_reason = 'reorg'`);
      return payment;
    },
    'reorg',
    'reorg',
  ],
  ['underpaid', () => paid(50n), null, 'underpaid'],
];

it.each(CASES)(
  'a payment that is %s says once that it is stopped, and what it said before when it goes on',
  async (_name, make, reason, kind) => {
    const payment = await make();
    const [before] = [await kinds(payment)];
    expect([await reasonOf(payment), before]).toEqual([reason, expect.arrayContaining([kind])]);

    await write(payment, 'amount = amount + 1');
    await sweep(payment);
    const since = shop.gateway.clock.now();
    // Each further look leaves the reason and the time.
    shop.gateway.clock.advanceSeconds(120);
    await sweep(payment);
    expect(await reasonOf(payment)).toBe('integrity');
    expect(await listed(payment)).toEqual([
      expect.objectContaining({
        kind: 'integrity',
        since: since.toISOString().replace(/\.\d+Z$/, 'Z'),
        sums: null,
        actions: [{ name: 'payment', method: 'GET', path: `/api/payment/${payment.id}` }],
      }),
    ]);

    await write(payment, 'amount = amount - 1');
    await sweep(payment);
    expect([await reasonOf(payment), await kinds(payment)]).toEqual([reason, before]);
  },
);

it('a reason that nobody has is refused, so that it stops nothing when the payment goes on', async () => {
  const payment = await paid(50n);
  for (const reason of ['integrity', 'anything'])
    await expect(write(payment, `reason_before = '${reason}'`)).rejects.toThrow(
      'payments_reason_before_check',
    );
});
