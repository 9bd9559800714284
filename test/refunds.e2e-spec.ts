import { randomUUID } from 'node:crypto';
import { contractAddressOf } from '../src/chains/contract-address.pure.js';
import type { Hex } from './support/anvil.js';
import { createOwner } from './support/principals.js';
import { CUSTOMER, type RefundDto, RefundsApi } from './support/refunds-api.js';
import { CONFIRMATIONS, Shop, type ShopApplication } from './support/shop.js';

const NOWHERE = `0x${'ab'.repeat(32)}`;

/** The whole path of refunds, on a real chain, without a private key on the server. */
describe('refunds', () => {
  let shop: Shop;
  let application: ShopApplication;
  let api: RefundsApi;

  beforeAll(async () => {
    shop = await Shop.open();
    application = await shop.application();
    api = new RefundsApi(shop, application);
  });
  afterAll(() => shop.close());

  // First, because OAuth tokens expire when later tests advance the clock.
  describe('access', () => {
    let payment: { id: string };
    let refund: RefundDto;
    const routes = (): [string, string, unknown][] => [
      ['POST', '', {}],
      ['GET', '', undefined],
      ['GET', `/${refund.id}`, undefined],
      ['POST', `/${refund.id}/address`, { address: CUSTOMER }],
      ['POST', `/${refund.id}/complete`, { txHash: NOWHERE }],
      ['POST', `/${refund.id}/cancel`, undefined],
    ];
    const call = (token: string | null, [method, path, body]: [string, string, unknown]) =>
      shop.call(method, `/api/payment/${payment.id}/refunds${path}`, token, body);

    beforeAll(async () => {
      payment = await api.paid();
      refund = await api.create(payment);
    });

    it('returns the same error for foreign and unknown payments', async () => {
      const stranger = await createOwner(shop.gateway);
      const other = await shop.application();
      for (const token of [stranger.accessToken, other.clientToken])
        for (const route of routes())
          expect(await call(token, route)).toMatchObject({
            status: 404,
            body: { code: 'payment_not_found' },
          });
      const unknown = [randomUUID(), 'x', refund.id.toUpperCase()];
      for (const id of unknown)
        expect(await api.get(payment, `/${id}`)).toMatchObject({
          status: 404,
          body: { code: 'refund_not_found' },
        });
      const foreign = await api.paid();
      expect(await api.get(foreign, `/${refund.id}`)).toMatchObject({ status: 404 });
      expect((await api.post({ id: 'x' }, '')).status).toBe(404);
    });

    it('requires OAuth2 or a client token on every route', async () => {
      const narrow = await shop.call<{ token: string }>(
        'POST',
        `/api/payment-applications/${application.id}/client-tokens`,
        shop.owner.accessToken,
        { label: 'Narrow', scopes: ['payments.create', 'payments.get'] },
      );
      for (const route of routes()) {
        expect((await call(null, route)).status).toBe(401);
        expect(await call(narrow.body.data.token, route)).toMatchObject({
          status: 403,
          body: { message: 'Insufficient permissions' },
        });
      }
      expect((await api.get(payment, `/${refund.id}`, shop.owner.accessToken)).status).toBe(200);
    });
  });

  describe('a full refund', () => {
    it('moves the payment to REFUND with one event that contains the refund, and returns every unit', async () => {
      const payment = await api.paid();
      expect(await shop.status(payment)).toBe('CONFIRMED');
      const refund = await api.create(payment, { reason: 'customer_request', note: 'called twice' });
      expect(refund).toMatchObject({
        paymentId: payment.id,
        type: 'FULL',
        status: 'AWAITING_ADDRESS',
        amount: { formatted: '$100.00' },
        // 100 USD at 2000 USD for one ETH.
        payoutAmount: { formatted: '0.05000000 ETH', atomic: '50000000000000000' },
        rate: { base: 'ETH', quote: 'USD', value: '2000' },
        blockchain: 'ethereum',
        token: null,
        address: null,
        paymentUri: null,
        memo: null,
        txHash: null,
        confirmations: { seen: 0, required: CONFIRMATIONS },
        reason: 'customer_request',
        note: 'called twice',
        requestedBy: shop.owner.userId,
        completedAt: null,
        failureReason: null,
      });
      expect(Date.parse(refund.expiresAt) - Date.parse(refund.createdAt)).toBe(30 * 86_400_000);

      const addressed = await api.post(payment, `/${refund.id}/address`, { address: CUSTOMER.toLowerCase() });
      expect(addressed).toMatchObject({
        status: 200,
        body: {
          data: {
            status: 'AWAITING_PAYMENT',
            address: CUSTOMER,
            addressSetBy: 'merchant',
            paymentUri: `ethereum:${CUSTOMER}@31337?value=50000000000000000`,
          },
        },
      });

      const txHash = await api.payOut(addressed.body.data);
      const reported = await api.complete(refund, txHash.toUpperCase().replace('0X', '0x'));
      expect(reported).toMatchObject({ status: 200, body: { data: { status: 'PROCESSING', txHash } } });
      await api.verify();
      expect(await api.read(refund)).toMatchObject({ status: 'PROCESSING', confirmations: { seen: 0 } });
      await api.confirm(CONFIRMATIONS - 1);
      expect(await api.read(refund)).toMatchObject({
        status: 'PROCESSING',
        confirmations: { seen: CONFIRMATIONS - 1 },
      });
      expect(await shop.status(payment)).toBe('CONFIRMED');
      await api.confirm(1);

      const done = await api.read(refund);
      expect(done).toMatchObject({ status: 'COMPLETED', txHash, failureReason: null });
      expect(done.completedAt).not.toBeNull();
      expect(await shop.payment(payment)).toMatchObject({
        status: 'REFUND',
        refundedAmount: { formatted: '$100.00' },
      });
      expect(shop.events(payment)).toEqual(['payment.received', 'payment.completed', 'payment.refund']);
      const webhook = shop.webhooks(payment).at(-1);
      expect(webhook).toMatchObject({
        payment: { status: 'REFUND', refundedAmount: { amount: 10_000 } },
        refund: { id: refund.id, status: 'COMPLETED', txHash, claimUrl: refund.claimUrl },
      });
      // Further runs change nothing.
      await api.verify();
      expect(shop.events(payment)).toHaveLength(3);
      expect((await api.complete(refund, txHash)).body.data).toEqual(done);
    });

    it('is paid in a token', async () => {
      const payment = await api.paid({}, 'usdt');
      const refund = await api.create(payment, { address: CUSTOMER });
      expect(refund).toMatchObject({
        status: 'AWAITING_PAYMENT',
        payoutAmount: { atomic: '100000000', currency: { code: 'USDT' } },
        token: {
          standard: 'ERC-20',
          contractAddress: contractAddressOf('evm', shop.tokens.USDT),
          decimals: 6,
        },
      });
      expect((await api.settleRefund(refund)).status).toBe('COMPLETED');
      expect(await shop.status(payment)).toBe('REFUND');
    });

    it('moves an underpaid payment to REFUND, and returns every unit of an odd sum', async () => {
      const payment = await api.paid({}, 'eth', (asked) => asked / 3n + 1n);
      expect(await shop.status(payment)).toBe('UNDERPAID');
      const refund = await api.create(payment, { address: CUSTOMER });
      const [paid] = (await shop.payment(payment)).transactions;
      expect(refund).toMatchObject({ type: 'UNDERPAYMENT', amount: { amount: 3_333 } });
      expect(refund.payoutAmount.atomic).toBe(paid?.amount.atomic);
      await api.settleRefund(refund);
      expect(await shop.status(payment)).toBe('REFUND');
      expect(shop.events(payment)).toEqual(['payment.underpaid', 'payment.refund']);
    });

    it('moves a received but unacknowledged payment to REFUND', async () => {
      await shop.merchant.down();
      const payment = await api.paid();
      expect(await shop.status(payment)).toBe('RECEIVED');
      await api.settleRefund(await api.create(payment, { address: CUSTOMER }));
      await shop.merchant.up();
      expect(await shop.status(payment)).toBe('REFUND');
    });
  });

  describe('a partial refund', () => {
    it('raises refundedAmount without an event, and moves the payment to REFUND with the last part', async () => {
      const payment = await api.paid();
      const part = await api.create(payment, { amount: 2_500, currencyCode: 'USD', address: CUSTOMER });
      expect(part).toMatchObject({ type: 'PARTIAL', payoutAmount: { atomic: '12500000000000000' } });
      expect((await shop.payment(payment)).refundedAmount).toBeNull();
      await api.settleRefund(part);
      expect(await shop.payment(payment)).toMatchObject({
        status: 'CONFIRMED',
        refundedAmount: { amount: 2_500 },
      });
      expect(shop.events(payment)).toEqual(['payment.received', 'payment.completed']);
      const rest = await api.create(payment, { address: CUSTOMER });
      expect(rest).toMatchObject({ type: 'PARTIAL', amount: { amount: 7_500 } });
      await api.settleRefund(rest);
      expect(await shop.payment(payment)).toMatchObject({
        status: 'REFUND',
        refundedAmount: { amount: 10_000 },
      });
      expect(shop.events(payment).at(-1)).toBe('payment.refund');
      expect(shop.webhooks(payment).at(-1)).toMatchObject({ refund: { id: rest.id } });
    });

    it('never exceeds the received amount, even with simultaneous requests', async () => {
      const payment = await api.paid();
      const answers = await Promise.all(
        Array.from({ length: 8 }, () => api.post(payment, '', { amount: 3_000 })),
      );
      expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
        201, 201, 201, 422, 422, 422, 422, 422,
      ]);
      const [refused] = answers.filter(({ status }) => status === 422);
      expect(refused?.body).toMatchObject({
        code: 'validation_failed',
        errors: { amount: [expect.stringContaining('$10.00 are left')] },
      });
      // The amounts of cancelled and expired refunds can be refunded again.
      const [one] = answers.filter(({ status }) => status === 201);
      const cancelled = await api.post(payment, `/${one?.body.data.id}/cancel`);
      expect(cancelled).toMatchObject({ status: 200, body: { data: { status: 'CANCELLED' } } });
      expect((await api.create(payment)).amount.amount).toBe(4_000);
      expect(await api.post(payment, '')).toMatchObject({
        status: 422,
        body: { errors: { amount: [expect.any(String)] } },
      });
    });

    it('is listed with the others, newest first, in pages', async () => {
      const payment = await api.paid();
      const ids: string[] = [];
      for (const amount of [1, 2, 3]) ids.unshift((await api.create(payment, { amount })).id);
      const first = await api.get<RefundDto[]>(payment, '?per_page=2');
      expect(first.body.data.map(({ id }) => id)).toEqual(ids.slice(0, 2));
      expect(first.body).toMatchObject({ meta: { pagination: { total: 3, count: 2, total_pages: 2 } } });
      const [, , last] = ids;
      expect(
        (await api.get<RefundDto[]>(payment, '?per_page=2&page=2')).body.data.map(({ id }) => id),
      ).toEqual([last]);
      expect(await api.get(payment, '?per_page=0')).toMatchObject({ status: 422 });
    });
  });

  describe('of an overpayment on hold', () => {
    it('lets the payment become CONFIRMED after the excess was refunded', async () => {
      const strict = new RefundsApi(shop, await shop.application({ allowOverpay: false }));
      const payment = await strict.paid({}, 'eth', (asked) => (asked * 3n) / 2n);
      expect(await shop.payment(payment)).toMatchObject({ status: 'RECEIVED', reviewReason: 'overpaid' });
      const refund = await strict.create(payment, { amount: 5_000, address: CUSTOMER });
      expect(refund).toMatchObject({ type: 'OVERPAYMENT', payoutAmount: { atomic: '25000000000000000' } });
      await strict.settleRefund(refund);
      expect(await shop.payment(payment)).toMatchObject({
        status: 'CONFIRMED',
        reviewReason: null,
        refundedAmount: { amount: 5_000 },
        overpaidAmount: { amount: 5_000 },
      });
      expect(shop.events(payment)).toEqual(['payment.received', 'payment.completed']);
    });

    it('holds the payment until the whole excess was refunded', async () => {
      const strict = new RefundsApi(shop, await shop.application({ allowOverpay: false }));
      const payment = await strict.paid({}, 'eth', (asked) => (asked * 3n) / 2n);
      await strict.settleRefund(await strict.create(payment, { amount: 4_999, address: CUSTOMER }));
      expect(await shop.status(payment)).toBe('RECEIVED');
      await strict.settleRefund(await strict.create(payment, { amount: 1, address: CUSTOMER }));
      expect(await shop.status(payment)).toBe('CONFIRMED');
    });
  });

  it('returns funds that came after the cancellation, and the payment stays CANCELLED', async () => {
    const payment = await shop.createPayment(application);
    const instructions = await shop.instructions(payment);
    await shop.call('POST', `/api/payment/${payment.id}/cancel`, application.clientToken);
    expect(await api.post(payment, '')).toMatchObject({
      status: 409,
      body: { code: 'invalid_state_transition' },
    });
    await shop.send(instructions);
    await shop.mine(CONFIRMATIONS);
    expect((await shop.payment(payment)).reviewReason).toBe('funds_after_cancel');
    const refund = await api.create(payment, { address: CUSTOMER });
    expect(refund.type).toBe('UNEXPECTED');
    await api.settleRefund(refund);
    expect(await shop.payment(payment)).toMatchObject({
      status: 'CANCELLED',
      refundedAmount: { amount: 10_000 },
    });
    expect(shop.events(payment)).toEqual([]);
  });

  it('returns funds that came after a full refund', async () => {
    const payment = await api.paid();
    const { address } = await shop.instructions(payment);
    await api.settleRefund(await api.create(payment, { address: CUSTOMER }));
    expect(await api.post(payment, '')).toMatchObject({ status: 422 });
    await shop.chain.sendEth({ to: address as Hex, value: 10n ** 16n });
    await shop.mine(CONFIRMATIONS);
    expect(await shop.payment(payment)).toMatchObject({
      status: 'REFUND',
      reviewReason: 'funds_after_cancel',
    });
    expect(await api.create(payment)).toMatchObject({ type: 'UNEXPECTED', amount: { amount: 2_000 } });
  });

  describe('the payout', () => {
    it.each([
      ['nothing was received', async () => (await shop.createPayment(application)).id],
      [
        'funds are still unconfirmed',
        async () => {
          const payment = await shop.createPayment(application);
          await shop.send(await shop.instructions(payment));
          await shop.mine();
          return payment.id;
        },
      ],
    ])('is refused when %s', async (_why, prepare) => {
      const answer = await api.post({ id: await prepare() }, '');
      expect(answer).toMatchObject({ status: 409, body: { code: 'invalid_state_transition' } });
    });

    it('may be another coin, at the quoted rate or with an amount that the merchant sets', async () => {
      const payment = await shop.createPayment(application);
      await shop.instructions(payment, 'usdt');
      const instructions = await shop.instructions(payment, 'eth');
      await shop.send(instructions);
      await shop.mine(CONFIRMATIONS);
      const quoted = await api.create(payment, { amount: 1_000, payoutCurrencyCode: 'USDT' });
      expect(quoted).toMatchObject({
        payoutAmount: { formatted: '10.000000 USDT' },
        rate: { base: 'USDT' },
      });
      const unknown = { amount: 1_000, payoutCurrencyCode: 'USDC', blockchainSlug: 'ethereum' };
      expect(await api.post(payment, '', unknown)).toMatchObject({
        status: 422,
        body: { errors: { payoutAmount: [expect.stringContaining('no rate for USDC')] } },
      });
      expect(await api.create(payment, { ...unknown, payoutAmount: 9_990_000 })).toMatchObject({
        payoutAmount: { atomic: '9990000' },
        rate: null,
      });
    });

    const wrong: [string, Record<string, unknown>, string][] = [
      ['a text amount', { amount: '100' }, 'amount'],
      ['a zero amount', { amount: 0 }, 'amount'],
      ['a fraction', { amount: 1.5 }, 'amount'],
      ['more than was received', { amount: 10_001 }, 'amount'],
      ['10^77', { amount: 10n ** 77n }, 'amount'],
      ['another currency', { currencyCode: 'EUR' }, 'currencyCode'],
      ['an unknown coin', { payoutCurrencyCode: 'XXX' }, 'payoutCurrencyCode'],
      ['a fiat payout', { payoutCurrencyCode: 'USD' }, 'payoutCurrencyCode'],
      ['an unknown network', { blockchainSlug: 'peercoin' }, 'blockchainSlug'],
      ['a zero payout', { payoutAmount: 0 }, 'payoutAmount'],
      ['a long reason', { reason: 'x'.repeat(256) }, 'reason'],
      ['a long note', { note: 'x'.repeat(2_001) }, 'note'],
      ['a NUL in the note', { note: 'a\u0000' }, 'note'],
      ['half an address', { address: CUSTOMER.slice(0, -1) }, 'address'],
      ['a mistyped address', { address: CUSTOMER.replace('E7', 'e7') }, 'address'],
      ['the zero address', { address: `0x${'0'.repeat(40)}` }, 'address'],
      ['a private key', { address: `0x${'4f'.repeat(32)}` }, 'address'],
      ['recovery words', { address: 'abandon '.repeat(11) + 'about' }, 'address'],
      ['a list as address', { address: [CUSTOMER] }, 'address'],
    ];
    it.each(wrong)('refuses %s, names the field, and stores nothing', async (_name, body, field) => {
      const payment = await (paidOnce ??= api.paid());
      const answer = await api.post(payment, '', body);
      expect(answer).toMatchObject({ status: 422, body: { code: 'validation_failed' } });
      expect(Object.keys(answer.body.errors ?? {})).toEqual([field]);
      if (typeof body['address'] === 'string')
        expect(JSON.stringify(answer.body)).not.toContain(body['address']);
      expect((await api.get<RefundDto[]>(payment, '')).body.data).toEqual([]);
    });
    let paidOnce: Promise<{ id: string }> | undefined;

    it('is refused to a token contract and to a deposit address', async () => {
      const payment = await api.paid();
      const { address: ours } = await shop.instructions(payment);
      for (const address of [shop.tokens.USDT, shop.tokens.USDC, ours, ours.toLowerCase()]) {
        expect(await api.post(payment, '', { address })).toMatchObject({
          status: 422,
          body: { errors: { address: [expect.any(String)] } },
        });
      }
    });
  });
});
