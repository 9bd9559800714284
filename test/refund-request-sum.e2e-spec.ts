import { RefundRequestsApi } from './support/refund-requests-api.js';
import { type RefundDto, RefundsApi } from './support/refunds-api.js';
import { Shop } from './support/shop.js';

let shop: Shop;
let api: RefundsApi;
let customer: RefundRequestsApi;

beforeAll(async () => {
  shop = await Shop.open();
  api = new RefundsApi(shop, await shop.application());
  customer = new RefundRequestsApi(shop);
});
afterAll(() => shop.close());

it('is asked back in the sum that the customer saw, or not at all', async () => {
  const payment = await api.paid({}, 'eth', (due) => (due * 5n) / 4n);
  const [seen] = await customer.returnable(payment);
  if (!seen) throw new Error('nothing to ask back');
  const refundsOf = async () => (await api.get<RefundDto[]>(payment, '')).body.data;
  // Once more, a minute later, while the page of the paid order stands still.
  shop.gateway.clock.advanceSeconds(60);
  await shop.send(await shop.instructions(payment), 50_000_000_000_000_000n);
  await shop.mine(12);
  const old = { type: 'OVERPAYMENT', payoutAmountAtomic: seen.payoutAmount.atomic };
  expect(await customer.ask(payment, old)).toMatchObject({
    status: 409,
    body: { code: 'invalid_state_transition' },
  });
  const form = await customer.submit(payment, old, { lang: 'de' });
  expect([form.status, form.headers.get('location')]).toEqual([
    303,
    expect.stringMatching(new RegExp(`^\\.\\./${payment.id}\\?.*lang=de`)),
  ]);
  expect(await refundsOf()).toEqual([]);
  const [now] = await customer.returnable(payment);
  expect([seen.payoutAmount.atomic, now?.payoutAmount.atomic]).toEqual([
    '12500000000000000',
    '62500000000000000',
  ]);
  const { status } = await customer.submit(payment, {
    type: 'OVERPAYMENT',
    payoutAmountAtomic: now?.payoutAmount.atomic ?? '',
  });
  expect(status).toBe(303);
  expect((await refundsOf()).map(({ payoutAmount }) => payoutAmount.atomic)).toEqual(['62500000000000000']);
  // The same request, from the page that was open before.
  expect((await customer.ask(payment, old)).status).toBe(200);
});
