/**
 * @inOrder One refund, which is claimed once, after all that is refused.
 */
import { randomUUID } from 'node:crypto';
import { stringifyExact } from '../src/platform/kernel/exact-json.pure.js';
import { claimKeyOf, claimUrl } from '../src/refunds/claim-url.pure.js';
import type { RefundClaimContract } from '../src/refunds/refund.contract.js';
import { RefundVerifier } from '../src/refunds/refund-verifier.service.js';
import { CUSTOMER, type RefundDto, RefundsApi } from './support/refunds-api.js';
import { Shop } from './support/shop.js';

const OTHER = '0x8617E340B3D01FA5F11F306F4090FD50E238070D';

/** The customer has no account and no token, only the link that the shop sent. */
describe('the claim of a refund', () => {
  let shop: Shop;
  let api: RefundsApi;

  beforeAll(async () => {
    shop = await Shop.open();
    api = new RefundsApi(
      shop,
      await shop.application({ name: 'Bluebird Coffee', url: 'https://shop.example' }),
    );
  });
  afterAll(() => shop.close());

  const open = async (body: Record<string, unknown> = {}): Promise<RefundDto> =>
    api.create(await api.paid(), { note: 'internal', ...body });
  const pathOf = ({ id, claimUrl: url }: RefundDto) => `/api/checkout/refund/${id}${new URL(url).search}`;
  const look = (refund: RefundDto) => shop.call<RefundClaimContract>('GET', pathOf(refund), null);
  const claim = (refund: RefundDto, address: unknown) =>
    shop.call<RefundClaimContract>('POST', pathOf(refund), null, { address });

  it("shows the amount owed, and none of the merchant's private fields", async () => {
    const refund = await open({ amount: 2_500 });
    expect(new URL(refund.claimUrl).pathname).toBe(`/refund/${refund.id}`);
    const answer = await look(refund);
    expect(answer.status).toBe(200);
    expect(answer.body.data).toEqual({
      id: refund.id,
      status: 'AWAITING_ADDRESS',
      transferId: null,
      reference: 'ORDER-1',
      referenceLabel: 'Order #1',
      amount: refund.amount,
      payoutAmount: refund.payoutAmount,
      blockchain: { slug: 'ethereum', name: 'Ethereum', testnet: true },
      token: null,
      address: null,
      memo: null,
      txHash: null,
      explorerUrl: null,
      confirmations: { seen: 0, required: 12 },
      completedAt: null,
      expiresAt: refund.expiresAt,
      serverTime: expect.any(String),
      merchantSettings: { title: 'Bluebird Coffee', url: 'https://shop.example' },
    });
    const text = stringifyExact(answer.body);
    for (const secret of ['internal', shop.owner.userId, shop.merchant.url])
      expect(text).not.toContain(secret);
  });

  it('accepts one address, and shows the refund until it is completed', async () => {
    const refund = await open();
    const claimed = await claim(refund, CUSTOMER.toLowerCase());
    expect(claimed).toMatchObject({
      status: 200,
      body: { data: { status: 'AWAITING_PAYMENT', address: CUSTOMER } },
    });
    expect(await api.read(refund)).toMatchObject({ status: 'AWAITING_PAYMENT', addressSetBy: 'customer' });
    // The same address changes nothing; another one could be that of a person who stole the link.
    expect((await claim(refund, CUSTOMER)).status).toBe(200);
    expect(await claim(refund, OTHER)).toMatchObject({
      status: 409,
      body: { code: 'invalid_state_transition' },
    });
    const done = await api.settleRefund(await api.read(refund));
    expect(done.status).toBe('COMPLETED');
    expect((await look(refund)).body.data).toMatchObject({ status: 'COMPLETED', txHash: done.txHash });
  });

  it('accepts one of several simultaneous claims', async () => {
    const refund = await open();
    const answers = await Promise.all(
      [CUSTOMER, OTHER, CUSTOMER, OTHER].map((address) => claim(refund, address)),
    );
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 200, 409, 409]);
    const [winner] = answers.filter(({ status }) => status === 200);
    expect((await look(refund)).body.data.address).toBe(winner?.body.data.address);
  });

  it('lets the merchant correct the address before anything is sent', async () => {
    const refund = await open();
    await claim(refund, CUSTOMER);
    const corrected = await api.post({ id: refund.paymentId }, `/${refund.id}/address`, { address: OTHER });
    expect(corrected.body.data).toMatchObject({ address: OTHER, addressSetBy: 'merchant' });
    expect((await look(refund)).body.data.address).toBe(OTHER);
  });

  it('refuses an address for a cancelled refund', async () => {
    const refund = await open();
    await api.post({ id: refund.paymentId }, `/${refund.id}/cancel`);
    expect(await claim(refund, CUSTOMER)).toMatchObject({ status: 409 });
    expect((await look(refund)).body.data.status).toBe('CANCELLED');
  });

  it.each([
    ['nothing', undefined],
    ['no text', 5],
    ['an empty text', ''],
    ['half an address', CUSTOMER.slice(0, 30)],
    ['a wrong checksum', CUSTOMER.replace('E7', 'e7')],
    ['the zero address', `0x${'0'.repeat(40)}`],
    ['a private key', '4f3edf983ac636a65a842ce7c78d9aa706d3b113bce9c46f30d7d21715b23b1d'],
    ['recovery words', 'legal winner thank year wave sausage worth useful legal winner thank yellow'],
  ])('refuses %s with an error on the field, without repeating it', async (_name, address) => {
    const refund = await (opened ??= open());
    const answer = await claim(refund, address);
    expect(answer).toMatchObject({ status: 422, body: { errors: { address: [expect.any(String)] } } });
    if (typeof address === 'string' && address.length > 5)
      expect(JSON.stringify(answer.body)).not.toContain(address);
    expect((await look(refund)).body.data.status).toBe('AWAITING_ADDRESS');
  });
  let opened: Promise<RefundDto> | undefined;

  it('refuses a token contract and a deposit address of the shop', async () => {
    const payment = await api.paid();
    const { address } = await shop.instructions(payment);
    const refund = await api.create(payment);
    for (const wrong of [shop.tokens.USDT, address])
      expect(await claim(refund, wrong)).toMatchObject({ status: 422, body: { code: 'validation_failed' } });
  });

  describe('the signature', () => {
    let refund: RefundDto;
    beforeAll(async () => {
      refund = await open();
    });
    const invalid = { status: 403, body: { code: 'invalid_signature', message: 'Invalid signature' } };
    const at = (id: string, query: string, method = 'GET') =>
      shop.call(
        method,
        `/api/checkout/refund/${id}${query}`,
        null,
        method === 'POST' ? { address: CUSTOMER } : undefined,
      );

    it.each([
      ['none', () => ''],
      ['half', ({ search }: URL) => search.slice(0, -2)],
      ['upper case', ({ search }: URL) => search.replace(/[0-9a-f]{64}$/, (hex) => hex.toUpperCase())],
      ['another end', ({ search }: URL) => search.replace(/expires=\d/, 'expires=2')],
      ['a padded end', ({ search }: URL) => search.replace('expires=', 'expires=0')],
      ['twice', ({ search }: URL) => `${search}&${search.slice(1)}`],
    ])('is required and verified: %s', async (_name, spoil) => {
      for (const method of ['GET', 'POST'])
        expect(await at(refund.id, spoil(new URL(refund.claimUrl)), method)).toMatchObject(invalid);
      expect((await look(refund)).body.data.status).toBe('AWAITING_ADDRESS');
    });

    it('is valid for one refund, and not as a checkout link', async () => {
      const other = await open();
      expect(await at(other.id, new URL(refund.claimUrl).search)).toMatchObject(invalid);
      expect(await at(refund.id.toUpperCase(), new URL(refund.claimUrl).search)).toMatchObject(invalid);
      const { checkoutUrl } = await shop.payment({ id: refund.paymentId });
      expect(await at(refund.id, new URL(checkoutUrl).search)).toMatchObject(invalid);
      expect(
        await shop.call(
          'GET',
          `/api/checkout/payment/${refund.paymentId}${new URL(refund.claimUrl).search}`,
          null,
        ),
      ).toMatchObject(invalid);
    });

    it('distinguishes a wrong signature from an unknown refund only with a valid signature', async () => {
      const unknown = randomUUID();
      expect(await at(unknown, new URL(refund.claimUrl).search)).toMatchObject(invalid);
      const key = claimKeyOf(shop.gateway.config.checkoutSigningKeys[0] ?? '');
      const { search } = new URL(claimUrl('http://x', key, unknown, 4_000_000_000));
      expect(await at(unknown, search)).toMatchObject({ status: 404, body: { code: 'refund_not_found' } });
      expect((await at('x', search)).status).toBe(404);
    });
  });

  // Last, because access tokens expire when the clock advances by a month.
  it('expires after 30 days, with its link, and its amount can be refunded again', async () => {
    const payment = await api.paid();
    const refund = await api.create(payment);
    expect(await api.post(payment, '', {})).toMatchObject({ status: 422 });
    const left = (Date.parse(refund.expiresAt) - shop.gateway.clock.now().getTime()) / 1000;
    shop.gateway.clock.advanceSeconds(Math.floor(left));
    expect((await look(refund)).status).toBe(200);
    shop.gateway.clock.advanceSeconds(2);
    const expired = { status: 403, body: { code: 'link_expired', message: 'Refund link has expired' } };
    expect(await look(refund)).toMatchObject(expired);
    expect(await claim(refund, CUSTOMER)).toMatchObject(expired);
    while (await shop.gateway.get(RefundVerifier).runOnce()) continue;
    expect((await api.read(refund)).status).toBe('EXPIRED');
    expect((await api.create(payment)).amount).toEqual(refund.amount);
  });
});
