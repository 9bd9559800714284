import { STANDARD_EVENTS } from '../src/applications/event-types.pure.js';
import { WebhookDispatcher } from '../src/webhooks/webhook-dispatcher.service.js';
import type { Hex } from './support/anvil.js';
import { CHECK_INTERVAL_SECONDS, RefundVerifier } from '../src/refunds/refund-verifier.service.js';
import { RefundRequestsApi } from './support/refund-requests-api.js';
import { fetchAccessToken } from './support/principals.js';
import { CUSTOMER, type RefundDto, RefundsApi } from './support/refunds-api.js';
import type { CreatedPayment, Shop, ShopApplication } from './support/shop.js';
import { BSC_CONFIRMATIONS, DUE_BNB, TwoChains } from './support/two-chains.js';

const OTHER = '0x8617E340B3D01FA5F11F306F4090FD50E238070D';
const EVENTS = [...STANDARD_EVENTS, 'payment.refund_requested'];
const ETHER = 10n ** 18n;

let chains: TwoChains;
let shop: Shop;
let application: ShopApplication;
let api: RefundsApi;
let customer: RefundRequestsApi;

beforeAll(async () => {
  chains = await TwoChains.open();
  shop = chains.shop;
  application = await shop.application({ events: EVENTS });
  api = new RefundsApi(shop, application);
  customer = new RefundRequestsApi(shop);
});
afterAll(() => chains.close());

/** 0.0625 ETH for 0.05. */
const overpaid = () => api.paid({}, 'eth', (due) => (due * 5n) / 4n);
/** 0.02 ETH for 0.05. */
const underpaid = () => api.paid({}, 'eth', (due) => (due * 2n) / 5n);
/** 0.2 BNB on BNB Smart Chain, where ETH on Ethereum was asked for. */
async function stray(blocks = BSC_CONFIRMATIONS): Promise<{ payment: CreatedPayment; transferId: string }> {
  const payment = await shop.createPayment(application);
  await chains.sendBnb(payment, { blocks });
  return { payment, transferId: (await chains.transferOf(payment)).id };
}
const refundOf = async (payment: CreatedPayment, id: string) => (await api.get(payment, `/${id}`)).body.data;
const refundsOf = async (payment: CreatedPayment) => (await api.get<RefundDto[]>(payment, '')).body.data;
const conflict = { status: 409, body: { code: 'invalid_state_transition' } };
/** The merchant pays on BNB Smart Chain and reports it. */
async function payOnBsc(refund: RefundDto): Promise<RefundDto> {
  const value = BigInt(refund.payoutAmount.atomic);
  const hash = await chains.bsc.sendEth({ to: refund.address as Hex, value, from: chains.bsc.account(5) });
  expect((await api.complete(refund, hash)).status).toBe(200);
  await chains.mineBsc(BSC_CONFIRMATIONS);
  shop.gateway.clock.advanceSeconds(CHECK_INTERVAL_SECONDS);
  await shop.gateway.get(RefundVerifier).runOnce();
  await chains.settle();
  return api.read(refund);
}
/** Whether the list, the overview and the queue of attention say that it has unmatched funds. */
async function unmatchedIn({ id }: CreatedPayment): Promise<boolean[]> {
  const { clientId, clientSecret } = shop.owner;
  const token = await fetchAccessToken(shop.gateway, clientId, clientSecret);
  const read = async <T>(path: string) => (await shop.call<T[]>('GET', path, token)).body.data;
  const listed = await read<{ id: string }>('/api/payment?unmatchedFunds=true&per_page=100');
  const overview = await read<{ id: string; attention: string[] }>(
    '/api/payment-overview?unmatchedFunds=true&limit=100',
  );
  const items = await read<{ payment: { id: string } | null }>(
    '/api/attention?kind=unmatched_funds&limit=100',
  );
  return [
    listed.some((one) => one.id === id),
    overview.some((one) => one.id === id && one.attention.includes('unmatched_funds')),
    items.some(({ payment }) => payment?.id === id),
  ];
}
const differences = async () => (await chains.reconcile()).differences;

describe('an overpaid payment', () => {
  it('gives back its excess: the customer asks and names an address, the merchant pays, the network confirms', async () => {
    const payment = await overpaid();
    expect(await customer.returnable(payment)).toMatchObject([
      {
        type: 'OVERPAYMENT',
        transferId: null,
        payoutAmount: { atomic: String(ETHER / 80n), currency: { code: 'ETH' } },
        blockchain: { slug: 'ethereum' },
        status: null,
        claimUrl: null,
      },
    ]);
    const asked = await customer.ask(payment);
    expect(asked).toMatchObject({ status: 200, body: { data: { status: 'AWAITING_ADDRESS' } } });
    expect(asked.body.data.claimUrl).toMatch(/\/refund\/.+signature=/);
    expect((await customer.claim(asked.body.data.claimUrl, CUSTOMER)).status).toBe(200);

    const [refund] = await refundsOf(payment);
    expect(refund).toMatchObject({
      type: 'OVERPAYMENT',
      status: 'AWAITING_PAYMENT',
      amount: { amount: 2_500 },
      transferId: null,
      createdBy: 'customer',
      requestedBy: 'customer',
      address: CUSTOMER,
      addressSetBy: 'customer',
    });
    if (!refund) throw new Error('no refund');
    expect(await api.settleRefund(refund)).toMatchObject({ status: 'COMPLETED' });
    expect(await shop.payment(payment)).toMatchObject({
      status: 'CONFIRMED',
      refundedAmount: { amount: 2_500 },
    });
    expect(await customer.returnable(payment)).toMatchObject([{ type: 'OVERPAYMENT', status: 'COMPLETED' }]);
    expect(await differences()).toEqual([]);
  });

  it('that is held goes on once the excess is back', async () => {
    const strict = await shop.application({ allowOverpay: false });
    const strictApi = new RefundsApi(shop, strict);
    const payment = await strictApi.paid({}, 'eth', (due) => due * 2n);
    const id = await customer.askAndClaim(payment, { type: 'OVERPAYMENT' }, CUSTOMER);
    expect(await shop.status(payment)).toBe('RECEIVED');
    await strictApi.settleRefund((await strictApi.get(payment, `/${id}`)).body.data);
    expect(await shop.status(payment)).toBe('CONFIRMED');
  });

  it('makes one refund of many requests, also simultaneous ones and those of the page', async () => {
    const payment = await overpaid();
    const [answers, forms] = await Promise.all([
      Promise.all(Array.from({ length: 5 }, () => customer.ask(payment))),
      Promise.all(Array.from({ length: 3 }, () => customer.submit(payment, { type: 'OVERPAYMENT' }))),
    ]);
    const links = new Set(answers.map(({ body }) => body.data.claimUrl));
    expect(links.size).toBe(1);
    expect(forms.map(({ status }) => status)).toEqual([303, 303, 303]);
    expect(await refundsOf(payment)).toHaveLength(1);
    const [claimUrl] = links;
    for (const form of forms) {
      const { pathname, search } = new URL(claimUrl ?? '');
      expect(form.headers.get('location')?.split('&payment=')[0]).toBe(`../..${pathname}${search}`);
    }
  });

  it('is not offered again what the merchant has declined', async () => {
    const payment = await overpaid();
    await customer.ask(payment);
    const [refund] = await refundsOf(payment);
    expect((await api.post(payment, `/${refund?.id}/cancel`)).status).toBe(200);
    expect(await customer.returnable(payment)).toMatchObject([{ status: 'CANCELLED' }]);
    expect(await customer.ask(payment)).toMatchObject(conflict);
    const page = await customer.submit(payment, { type: 'OVERPAYMENT' });
    expect(page.status).toBe(409);
    expect(await page.text()).toContain('No refund is available');
    expect(await refundsOf(payment)).toHaveLength(1);
  });

  it('gives nothing that the merchant has promised already', async () => {
    const payment = await overpaid();
    await api.create(payment, { amount: 2_500 });
    expect(await customer.returnable(payment)).toEqual([]);
    expect(await customer.ask(payment)).toMatchObject(conflict);
  });
});

describe('an underpaid payment', () => {
  it('gives back what has arrived, and is refunded', async () => {
    const payment = await underpaid();
    expect(await shop.status(payment)).toBe('UNDERPAID');
    const id = await customer.askAndClaim(payment, { type: 'UNDERPAYMENT' }, CUSTOMER);
    const refund = await refundOf(payment, id);
    expect(refund).toMatchObject({
      type: 'UNDERPAYMENT',
      amount: { amount: 4_000 },
      payoutAmount: { atomic: String(ETHER / 50n) },
    });
    await api.settleRefund(refund);
    expect(await shop.status(payment)).toBe('REFUND');
    expect(await differences()).toEqual([]);
  });

  it('takes no address for the part once the rest is paid, and cancels the request', async () => {
    const payment = await underpaid();
    const { claimUrl } = (await customer.ask(payment, { type: 'UNDERPAYMENT' })).body.data;
    await shop.send(await shop.instructions(payment), (ETHER * 3n) / 100n);
    await shop.mine(12);
    expect(await shop.status(payment)).toBe('CONFIRMED');
    expect(await customer.claim(claimUrl, CUSTOMER)).toMatchObject(conflict);
    expect(await refundsOf(payment)).toMatchObject([{ status: 'CANCELLED' }]);
  });
  it('gives nothing while the shop accepts less by itself', async () => {
    const any = { allowUnderpay: true, underpayLeastShareBps: 1 };
    const lenient = new RefundsApi(shop, await shop.application(any));
    const payment = await lenient.paid({}, 'eth', (due) => due / 2n);
    expect(await shop.status(payment)).toBe('UNDERPAID');
    expect(await customer.ask(payment, { type: 'UNDERPAYMENT' })).toMatchObject(conflict);
  });
});

describe('funds on the wrong network', () => {
  it('go back as they came, and change no sum of the payment', async () => {
    const { payment, transferId } = await stray();
    const type = 'UNEXPECTED';
    expect(await customer.returnable(payment)).toMatchObject([
      {
        type,
        transferId,
        payoutAmount: { atomic: String(DUE_BNB) },
        blockchain: { slug: 'bsc' },
        status: null,
      },
    ]);
    const id = await customer.askAndClaim(payment, { type, transferId }, CUSTOMER);
    const refund = await refundOf(payment, id);
    expect(refund).toMatchObject({
      type,
      transferId,
      status: 'AWAITING_PAYMENT',
      amount: { amount: 0 },
      payoutAmount: { atomic: String(DUE_BNB), currency: { code: 'BNB' } },
      blockchain: 'bsc',
      rate: null,
      createdBy: 'customer',
    });
    expect(await payOnBsc(refund)).toMatchObject({ status: 'COMPLETED' });
    expect(await shop.payment(payment)).toMatchObject({
      status: 'OPEN',
      receivedAmount: { amount: 0 },
      refundedAmount: null,
    });
    expect(await customer.status(payment)).toMatchObject({
      unmatchedTransactions: [],
      warnings: [],
      returnable: [{ transferId, status: 'COMPLETED' }],
    });
    expect(await chains.accept(application, payment)).toMatchObject(conflict);
    expect(await differences()).toEqual([]);
    // The payment goes on as if nothing had been sent there.
    await shop.send(await shop.instructions(payment));
    await shop.mine(12);
    expect(await shop.status(payment)).toBe('CONFIRMED');
    expect(await differences()).toEqual([]);
  });

  it('are asked back only once they are confirmed', async () => {
    const { payment, transferId } = await stray(1);
    expect(await customer.returnable(payment)).toEqual([]);
    expect(await customer.ask(payment, { type: 'UNEXPECTED', transferId })).toMatchObject(conflict);
  });

  it('are not accepted while a refund promises them, and are after it is cancelled', async () => {
    const { payment, transferId } = await stray();
    expect(await unmatchedIn(payment)).toEqual([true, true, true]);
    const id = await customer.askAndClaim(payment, { type: 'UNEXPECTED', transferId }, CUSTOMER);
    expect(await unmatchedIn(payment)).toEqual([false, false, false]);
    expect(await chains.accept(application, payment)).toMatchObject(conflict);
    expect(await shop.status(payment)).toBe('OPEN');
    expect((await api.post(payment, `/${id}/cancel`)).status).toBe(200);
    expect((await chains.accept(application, payment)).status).toBe(200);
    await chains.settle();
    expect(await shop.status(payment)).toBe('CONFIRMED');
    expect(await customer.returnable(payment)).toEqual([]);
  });

  it('are not given back once they are accepted', async () => {
    const { payment, transferId } = await stray();
    expect((await chains.accept(application, payment)).status).toBe(200);
    expect(await customer.ask(payment, { type: 'UNEXPECTED', transferId })).toMatchObject(conflict);
    expect(await api.post(payment, '', { transferId })).toMatchObject(conflict);
  });

  it('are either accepted or given back when both are asked for at once', async () => {
    for (const isAskedFirst of [true, false]) {
      const { payment, transferId } = await stray();
      const ask = () => customer.ask(payment, { type: 'UNEXPECTED', transferId });
      const accept = () => chains.accept(application, payment, transferId);
      const answers = await Promise.all(isAskedFirst ? [ask(), accept()] : [accept(), ask()]);
      expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
      expect(await differences()).toEqual([]);
    }
  });

  it('are given back by the merchant unasked, once, as they came', async () => {
    const { payment, transferId } = await stray();
    const wrong = await api.post(payment, '', { transferId, amount: 5, payoutCurrencyCode: 'BNB' });
    expect(wrong).toMatchObject({
      status: 422,
      body: { errors: { amount: [expect.any(String)], payoutCurrencyCode: [expect.any(String)] } },
    });
    const foreign = (await stray()).transferId;
    expect(await api.post(payment, '', { transferId: foreign })).toMatchObject({
      status: 422,
      body: { errors: { transferId: [expect.any(String)] } },
    });
    const refund = await api.create(payment, { transferId, address: OTHER });
    expect(refund).toMatchObject({ transferId, createdBy: 'merchant', requestedBy: shop.owner.userId });
    expect(await api.post(payment, '', { transferId })).toMatchObject(conflict);
    // The link of this refund is for whom the merchant gives it to.
    expect(await customer.returnable(payment)).toMatchObject([
      { status: 'AWAITING_PAYMENT', claimUrl: null },
    ]);
    expect(await customer.ask(payment, { type: 'UNEXPECTED', transferId })).toMatchObject(conflict);
    expect(await payOnBsc(refund)).toMatchObject({ status: 'COMPLETED' });
  });

  it('that a reorganization has taken get no address', async () => {
    const { payment, transferId } = await stray();
    const { claimUrl } = (await customer.ask(payment, { type: 'UNEXPECTED', transferId })).body.data;
    await chains.reorgBsc(BSC_CONFIRMATIONS + 1);
    expect((await chains.transferOf(payment)).status).not.toBe('CONFIRMED');
    expect(await customer.claim(claimUrl, CUSTOMER)).toMatchObject(conflict);
  });
});

describe('a cancelled payment', () => {
  it('gives back what came afterwards', async () => {
    const payment = await shop.createPayment(application);
    const instructions = await shop.instructions(payment);
    const cancelled = await shop.call(
      'POST',
      `/api/payment/${payment.id}/cancel`,
      application.clientToken,
      {},
    );
    expect(cancelled.status).toBe(200);
    await shop.send(instructions);
    await shop.mine(12);
    const id = await customer.askAndClaim(payment, { type: 'UNEXPECTED' }, CUSTOMER);
    expect(await api.settleRefund(await refundOf(payment, id))).toMatchObject({ status: 'COMPLETED' });
    expect(await shop.status(payment)).toBe('CANCELLED');
    expect(await differences()).toEqual([]);
  });
});

describe('a request that is not allowed', () => {
  it('is refused for the price of a payment', async () => {
    const payment = await api.paid();
    for (const type of ['OVERPAYMENT', 'UNDERPAYMENT', 'UNEXPECTED'])
      expect(await customer.ask(payment, { type })).toMatchObject(conflict);
    for (const type of ['FULL', 'PARTIAL', undefined])
      expect(await customer.ask(payment, { type })).toMatchObject({
        status: 422,
        body: { errors: { type: [expect.any(String)] } },
      });
    expect(await refundsOf(payment)).toEqual([]);
  });

  it('is refused without the signature of the payment, and with that of another', async () => {
    const [payment, other] = [await overpaid(), await overpaid()];
    for (const search of ['', '?expires=1&signature=00', new URL(other.checkoutUrl).search])
      expect(await customer.ask(payment, undefined, search)).toMatchObject({
        status: 403,
        body: { code: 'invalid_signature' },
      });
    const forged = { ...payment, checkoutUrl: payment.checkoutUrl.replace(/signature=./, 'signature=z') };
    expect((await customer.submit(forged, { type: 'OVERPAYMENT' })).status).toBe(403);
    expect(await refundsOf(payment)).toEqual([]);
  });

  it('is refused for a transfer of a payment of another merchant', async () => {
    const { transferId } = await stray();
    const payment = await overpaid();
    expect(await customer.ask(payment, { type: 'UNEXPECTED', transferId })).toMatchObject(conflict);
  });

  it.each<Record<string, string>>([{}, { type: 'FULL' }, { type: 'UNEXPECTED', transferId: 'x' }])(
    'shows an error page for the form %j',
    async (form) => {
      const page = await customer.submit(await overpaid(), form);
      expect(page.status).toBe(422);
      expect(page.headers.get('content-type')).toContain('text/html');
    },
  );
});

describe('payment.refund_requested', () => {
  it('is sent once, when the address of a request is named, with the payment and the refund', async () => {
    const payment = await overpaid();
    const requested = () =>
      shop.merchant.requests
        .map(({ body }) => JSON.parse(body.toString()) as { event: string; payment: object; refund: object })
        .filter(({ event }) => event === 'payment.refund_requested');
    const before = requested().length;
    const send = async () => {
      while (await shop.gateway.get(WebhookDispatcher).runOnce());
    };
    const { claimUrl } = (await customer.ask(payment)).body.data;
    await send();
    const after = requested().length;
    await customer.claim(claimUrl, CUSTOMER);
    await customer.claim(claimUrl, CUSTOMER);
    await send();
    expect(after).toBeGreaterThanOrEqual(before);
    expect(requested().slice(after)).toMatchObject([
      {
        payment: { id: payment.id, status: 'CONFIRMED' },
        refund: { type: 'OVERPAYMENT', status: 'AWAITING_PAYMENT', address: CUSTOMER, createdBy: 'customer' },
      },
    ]);
    // A refund that the merchant has promised is no news.
    await api.create(await overpaid(), { amount: 100, address: OTHER });
    await send();
    expect(requested()).toHaveLength(after + 1);
  });
});
