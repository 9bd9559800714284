import type {
  MerchantPaymentInstructionsContract,
  PaymentInstructionsContract,
} from '../src/checkout/payment-instructions.contract.js';
import { checkoutKeyOf, signCheckout } from '../src/payments/checkout-url.pure.js';
import { CONFIRMATIONS, type CreatedPayment, Shop, type ShopApplication } from './support/shop.js';

const UNKNOWN_ID = '0190a000-0000-7000-8000-000000000000';

describe('/api/checkout', () => {
  let shop: Shop;
  let application: ShopApplication;
  let payment: CreatedPayment;

  beforeAll(async () => {
    shop = await Shop.open();
    application = await shop.application({ name: 'My <b>Store</b>', url: 'https://mystore.example' });
    payment = await shop.createPayment(application);
  });
  afterAll(() => shop.close());

  /** The three public endpoints of a payment. */
  const endpoints = (id: string) => [
    `payment/${id}`,
    `${id}/payment-methods`,
    `payment/${id}/provider/ethereum/method/eth`,
  ];
  const get = (path: string, query: string) => shop.call('GET', `/api/checkout/${path}${query}`, null);
  const linkOf = ({ checkoutUrl }: CreatedPayment) => new URL(checkoutUrl).searchParams;
  const queryOf = (of: CreatedPayment) => new URL(of.checkoutUrl).search;

  describe('the link', () => {
    it('gives access to all three endpoints, with any additional query parameters', async () => {
      for (const path of endpoints(payment.id)) {
        expect((await get(path, `${queryOf(payment)}&utm_source=mail`)).status).toBe(200);
      }
    });

    it.each<[string, (link: URLSearchParams) => string]>([
      ['nothing', () => ''],
      ['no signature', (link) => `?expires=${link.get('expires')}`],
      ['no expiry', (link) => `?signature=${link.get('signature')}`],
      [
        'a later expiry',
        (link) => `?expires=${Number(link.get('expires')) + 1}&signature=${link.get('signature')}`,
      ],
      ['a zero expiry', (link) => `?expires=0&signature=${link.get('signature')}`],
      [
        'an upper-case signature',
        (link) => `?expires=${link.get('expires')}&signature=${link.get('signature')?.toUpperCase()}`,
      ],
      ['a repeated signature', (link) => `?${link.toString()}&signature=${link.get('signature')}`],
      ['a repeated expiry', (link) => `?${link.toString()}&expires=${link.get('expires')}`],
      ['brackets', (link) => `?expires[]=${link.get('expires')}&signature=${link.get('signature')}`],
      [
        'a signature of another key',
        (link) =>
          `?expires=${link.get('expires')}&signature=${signCheckout(checkoutKeyOf('another'), payment.id, Number(link.get('expires')))}`,
      ],
    ])('with %s gives access to none', async (_name, query) => {
      for (const path of endpoints(payment.id)) {
        const answer = await get(path, query(linkOf(payment)));
        expect(answer).toMatchObject({
          status: 403,
          body: { message: 'Invalid signature', code: 'invalid_signature' },
        });
      }
    });

    it('of one payment gives no access to another, with the same response as for an unknown id', async () => {
      const other = await shop.createPayment(application);
      for (const path of [...endpoints(other.id), ...endpoints(UNKNOWN_ID)]) {
        expect(await get(path, queryOf(payment))).toMatchObject({
          status: 403,
          body: { code: 'invalid_signature' },
        });
      }
    });

    it('with a malformed id is 404', async () => {
      expect((await get('payment/xyz', queryOf(payment))).status).toBe(404);
      expect((await get('xyz/payment-methods', queryOf(payment))).status).toBe(404);
    });

    it('expires to the second', async () => {
      const expiresAt = new Date(shop.gateway.clock.now().getTime() + 120_000).toISOString();
      const short = await shop.createPayment(application, { expiresAt });
      shop.gateway.clock.advanceSeconds(120);
      expect((await shop.checkout(short, `payment/${short.id}`)).status).toBe(200);
      shop.gateway.clock.advanceSeconds(1);
      for (const path of endpoints(short.id)) {
        expect(await shop.checkout(short, path)).toMatchObject({
          status: 403,
          body: { message: 'Checkout link has expired', code: 'link_expired' },
        });
      }
      // The merchant's own call says why there are no new instructions; the payment itself stays OPEN.
      const path = `/api/payment/${short.id}/provider/ethereum/method/eth`;
      expect(await shop.call('GET', path, application.clientToken)).toMatchObject({
        status: 409,
        body: { code: 'payment_not_payable' },
      });
      expect(await shop.payment(short)).toMatchObject({ status: 'OPEN', expired: true });
    });
  });

  describe('the status', () => {
    it('has what customers may see, and no data of the merchant', async () => {
      const { body } = await shop.checkout<Record<string, unknown>>(payment, `payment/${payment.id}`);
      expect(body.data).toMatchObject({
        id: payment.id,
        status: 'OPEN',
        amount: { amount: 10_000 },
        remainingAmount: { amount: 10_000 },
        expired: false,
        merchantSettings: {
          title: 'My <b>Store</b>',
          url: 'https://mystore.example',
          image: null,
          allowOverpay: true,
          allowUnderpay: false,
          currencyWhitelist: [],
        },
      });
      const text = JSON.stringify(body, (_key, value: unknown) =>
        typeof value === 'bigint' ? String(value) : value,
      );
      for (const secret of [shop.owner.userId, application.clientId, shop.merchant.url, 'callbackUrl'])
        expect(text).not.toContain(secret);
    });

    it('is not sent again while nothing has changed', async () => {
      const watched = await shop.createPayment(application);
      const url = `${shop.gateway.baseUrl}/api/checkout/payment/${watched.id}${queryOf(watched)}`;
      const first = await fetch(url);
      const etag = first.headers.get('etag') ?? '';
      expect(first.headers.get('cache-control')).toBe('private, no-cache');
      shop.gateway.clock.advanceSeconds(5);
      const second = await fetch(url, { headers: { 'if-none-match': etag } });
      expect([second.status, await second.text()]).toEqual([304, '']);
      await shop.send(await shop.instructions(watched), 1000n);
      await shop.mine();
      const third = await fetch(url, { headers: { 'if-none-match': etag } });
      expect([third.status, third.headers.get('etag') === etag]).toEqual([200, false]);
    });
  });

  describe('the methods', () => {
    interface Method {
      provider: string;
      method: string;
      available: boolean;
      unavailableReason: string | null;
      selected: boolean;
      estimatedAmount: { atomic: string } | null;
    }
    const methods = async (of: CreatedPayment) =>
      (await shop.checkout<Method[]>(of, `${of.id}/payment-methods`)).body.data;

    it('are listed once per currency and network, with estimates that lock no rate', async () => {
      const open = await shop.createPayment(application);
      expect(await methods(open)).toMatchObject([
        {
          provider: 'ethereum',
          method: 'eth',
          available: true,
          estimatedAmount: { atomic: '50000000000000000' },
        },
        {
          provider: 'ethereum',
          method: 'usdt',
          token: { standard: 'ERC-20', decimals: 6 },
          confirmationsRequired: 12,
        },
        { provider: 'ethereum', method: 'usdc', estimatedAmount: { atomic: '100000000' } },
      ]);
      expect(await shop.gateway.sql.query('select 1 from quotes where payment_id = $1', [open.id])).toEqual(
        [],
      );
    });

    it('respect the whitelist and mark the selected one', async () => {
      const narrow = await shop.application({ currencyWhitelist: ['USDT'] });
      const open = await shop.createPayment(narrow);
      expect(await methods(open)).toMatchObject([{ method: 'usdt', selected: false }]);
      // The only method needs no name.
      const bare = await shop.checkout<PaymentInstructionsContract>(open, `payment/${open.id}/provider`);
      expect(bare.body.data.method).toBe('usdt');
      expect(await methods(open)).toMatchObject([{ method: 'usdt', selected: true }]);
    });

    it('without a rate are unavailable, and the payment stays OPEN', async () => {
      const yen = await shop.createPayment(application, { amount: 1000, currencyCode: 'KWD' });
      expect((await methods(yen)).map(({ unavailableReason }) => unavailableReason)).toEqual(
        Array.from({ length: 3 }, () => 'rate_unavailable'),
      );
      const path = `payment/${yen.id}/provider/ethereum/method/eth`;
      const answer = await shop.checkout(yen, path);
      expect(answer).toMatchObject({ status: 503, body: { code: 'service_unavailable' } });
      expect(await shop.status(yen)).toBe('OPEN');
    });
  });

  describe('the instructions', () => {
    it('are returned for every form of their path', async () => {
      const open = await shop.createPayment(application);
      const base = `payment/${open.id}/provider`;
      for (const path of [
        base,
        `${base}/`,
        `${base}/ethereum`,
        `${base}/method`,
        `${base}//method/`,
        `${base}/ethereum/method/`,
      ])
        expect(await shop.checkout(open, path)).toMatchObject({
          status: 422,
          body: { code: 'method_selection_required' },
        });
      const byMethod = await shop.checkout<PaymentInstructionsContract>(open, `${base}/method/usdc`);
      expect(byMethod.body.data).toMatchObject({ provider: 'ethereum', method: 'usdc' });
      for (const path of [
        base,
        `${base}/ethereum`,
        `${base}//method/`,
        `${base}//method/USDC`,
        `${base}/Ethereum/method/Usdc`,
        `${base}/ethereum/method`,
      ])
        expect((await shop.checkout<PaymentInstructionsContract>(open, path)).body.data).toMatchObject({
          method: 'usdc',
        });
    });

    it.each([
      ['bitcoin', 'btc', 404, 'payment_method_not_found'],
      ['ethereum', 'btc', 404, 'payment_method_not_found'],
      ['bank', 'sepa', 404, 'payment_method_not_found'],
    ])('for %s/%s return %i', async (provider, method, status, code) => {
      const path = `payment/${payment.id}/provider/${provider}/method/${method}`;
      expect(await shop.checkout(payment, path)).toMatchObject({ status, body: { code } });
    });

    it('for a method outside the whitelist name the field', async () => {
      const narrow = await shop.application({ currencyWhitelist: ['USDT'] });
      const open = await shop.createPayment(narrow);
      const answer = await shop.checkout(open, `payment/${open.id}/provider/ethereum/method/eth`);
      expect(answer).toMatchObject({ status: 422, body: { errors: { method: expect.any(Array) } } });
    });

    it('are the same by signed link and by token, which also gets the derivation', async () => {
      const open = await shop.createPayment(application);
      const path = `/api/payment/${open.id}/provider/ethereum/method/eth`;
      const byToken = await shop.call<MerchantPaymentInstructionsContract>(
        'GET',
        path,
        application.clientToken,
      );
      const { derivation, ...instructions } = byToken.body.data;
      expect(instructions).toEqual(await shop.instructions(open));
      expect(derivation).toMatchObject({ path: expect.stringMatching(/^0\/\d+$/) as string });
      expect((await shop.call('GET', path, null)).status).toBe(401);
    });

    it('stay until the quote ends; then a new rate at the same address', async () => {
      const open = await shop.createPayment(application);
      const first = await shop.instructions(open);
      shop.rates.setPrice('ETH', 'USD', '1900');
      shop.gateway.clock.advanceSeconds(899);
      expect(await shop.instructions(open)).toMatchObject({
        amount: first.amount,
        rate: first.rate,
        secondsRemaining: 1,
      });
      shop.gateway.clock.advanceSeconds(1);
      const second = await shop.instructions(open);
      expect(second.address).toBe(first.address);
      expect(second.rate.value).toBe('1900');
      // 100 / 1900, rounded up to 8 places.
      expect(second.amount.atomic).toBe('52631580000000000');
      shop.rates.setPrice('ETH', 'USD', '2000');
      shop.gateway.clock.advanceSeconds(60);
    });

    it('have one quote for concurrent requests', async () => {
      const open = await shop.createPayment(application);
      const all = await Promise.all(Array.from({ length: 20 }, () => shop.instructions(open)));
      expect(
        new Set(all.map(({ amount, address, rate }) => `${amount.atomic}|${address}|${rate.lockedAt}`)).size,
      ).toBe(1);
      const quotes = await shop.gateway.sql.query('select 1 from quotes where payment_id = $1', [open.id]);
      expect(quotes).toHaveLength(1);
    });

    it('count funds of two methods, each at its own quote', async () => {
      const open = await shop.createPayment(application);
      const [ether, tether] = [await shop.instructions(open), await shop.instructions(open, 'usdt')];
      expect(tether.address).toBe(ether.address);
      await shop.send(ether, BigInt(ether.amount.amount) / 4n);
      await shop.mine();
      const rest = await shop.instructions(open, 'usdt');
      expect(rest.remainingAmount.atomic).toBe('75000000');
      await shop.send(rest, 75_000_000n);
      await shop.mine(CONFIRMATIONS);
      expect(await shop.payment(open)).toMatchObject({
        status: 'CONFIRMED',
        receivedAmount: { amount: 10_000 },
        overpaidAmount: null,
      });
    });

    it('are refused without a wallet', async () => {
      const bare = await Shop.open();
      const without = await bare.createPayment(await bare.application());
      bare.gateway = await bare.gateway.restart({ WALLET_EVM_XPUB: '' });
      expect(await bare.checkout(without, `${without.id}/payment-methods`)).toMatchObject({
        body: { data: [{ unavailableReason: 'wallet_not_configured' }, {}, {}] },
      });
      const path = `payment/${without.id}/provider/ethereum/method/eth`;
      expect(await bare.checkout(without, path)).toMatchObject({
        status: 422,
        body: { errors: { method: expect.any(Array) } },
      });
      await bare.close();
    });

    it('fail instead of showing an address that does not belong to the wallet', async () => {
      const open = await shop.createPayment(application);
      await shop.instructions(open);
      await shop.gateway.sql.query(
        'alter table deposit_addresses disable trigger deposit_addresses_append_only',
      );
      await shop.gateway.sql.query(
        'update deposit_addresses set address = $2, key = $3 where payment_id = $1',
        [
          open.id,
          '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
          Buffer.from('70997970C51812dc3A010C7d01b50e0d17dc79C8', 'hex'),
        ],
      );
      const path = `payment/${open.id}/provider/ethereum/method/eth`;
      expect(await shop.checkout(open, path)).toMatchObject({
        status: 409,
        body: { code: 'payment_not_payable' },
      });
      expect(await shop.payment(open)).toMatchObject({ status: 'ERROR', errorReason: 'address_integrity' });
    });
  });
});
