import { randomBytes } from 'node:crypto';
import { calculateJwkThumbprint, compactVerify, importJWK, type JWK } from 'jose';
import {
  type DepositAddress,
  Gateway,
  GatewayError,
  stringifyExact,
  verifyDepositAddress,
  verifyInstructions,
} from '../sdk/src/index.js';
import { familyOf } from '../src/chains/chain-families.pure.js';
import { InstructionSigner } from '../src/checkout/instruction-signer.service.js';
import { runCli } from '../src/cli.js';
import { findAddressOfKey } from '../src/wallets/account-addresses.pure.js';
import { RewritingProxy } from './support/rewriting-proxy.js';
import { type CreatedPayment, EVM_XPUB, Shop, type ShopApplication } from './support/shop.js';
import { newAccount } from './support/wallets-api.js';

/** An address of no key of the merchant. */
const THIEF = '0x52908400098527886E0F7030069857D2E4169EE7';
const ETH = { provider: 'ethereum', method: 'eth' };

/** What the merchant's server sees of signed instructions (specification/instructions.md). */
describe('signed payment instructions', () => {
  let shop: Shop;
  let application: ShopApplication;
  let payment: CreatedPayment;
  /** What the operator has given to the merchant on another way. */
  let pinned: string[];

  const client = (baseUrl = shop.gateway.baseUrl) =>
    new Gateway({ baseUrl, token: application.clientToken, retries: 0 });
  const keysOf = async () => {
    const response = await fetch(`${shop.gateway.baseUrl}/api/instruction-keys`);
    return { response, keys: ((await response.json()) as { keys: (JWK & { x: string })[] }).keys };
  };
  const now = () => shop.gateway.clock.now();

  beforeAll(async () => {
    shop = await Shop.open();
    application = await shop.application();
    pinned = (await keysOf()).keys.map(({ x }) => x);
  });
  afterAll(() => shop?.close());
  beforeEach(async () => {
    payment = await shop.createPayment(application);
  });

  it('publishes its keys as a JWK Set that may be cached for five minutes', async () => {
    const { response, keys } = await keysOf();
    expect(response.headers.get('cache-control')).toBe('public, max-age=300');
    expect(keys).toHaveLength(1);
    for (const key of keys) {
      expect(key).toMatchObject({ kty: 'OKP', crv: 'Ed25519', alg: 'EdDSA', use: 'sig' });
      expect(key.kid).toBe(await calculateJwkThumbprint(key));
    }
  });

  it('signs the same statement for merchant and customer, which a JOSE library verifies', async () => {
    const merchant = await client().payments.instructions(payment.id, ETH);
    const customer = await client().checkout.instructions(payment.checkoutUrl, ETH);
    expect(customer.signatures).toEqual(merchant.signatures);
    const [key] = (await keysOf()).keys;
    const { payload } = await compactVerify(merchant.signatures[0]!, await importJWK(key!));
    expect(JSON.parse(new TextDecoder().decode(payload))).toEqual({
      v: 1,
      paymentId: payment.id,
      chain: 'ethereum',
      chainId: shop.chain.chainId,
      asset: 'ETH',
      contract: null,
      decimals: 18,
      address: merchant.address,
      memo: null,
      amount: merchant.amount.atomic,
      expiresAt: merchant.expiresAt,
    });
  });

  it.each(['eth', 'usdt', 'usdc'])(
    'passes the verification of the client package with %s',
    async (method) => {
      const shown = await client().payments.instructions(payment.id, { provider: 'ethereum', method });
      const signed = await verifyInstructions(shown, { keys: pinned, paymentId: payment.id, now: now() });
      expect(signed).toMatchObject({
        address: shown.address,
        contract: shown.token?.contractAddress ?? null,
      });
    },
  );

  it('tells the index of the address to the merchant and not to the customer', async () => {
    const merchant = await client().payments.instructions(payment.id, ETH);
    const { index } = merchant.derivation;
    expect(merchant.derivation).toEqual({
      kind: 'key',
      treasury: null,
      keyFingerprint: expect.stringMatching(/^[0-9a-f]{8}$/),
      masterFingerprint: null,
      keyOwner: 'operator',
      index,
      path: `0/${index}`,
      walletPath: `m/44'/60'/0'/0/${index}`,
    });
    const customer = await client().checkout.instructions(payment.checkoutUrl, ETH);
    expect(stringifyExact(customer)).not.toMatch(/derivation|fingerprint/i);
  });

  it('signs anew when the rate lock has ended, and refuses the former statement from then on', async () => {
    const before = await client().payments.instructions(payment.id, ETH);
    expect((await client().payments.instructions(payment.id, ETH)).signatures).toEqual(before.signatures);
    shop.gateway.clock.advanceSeconds(15 * 60 + 1);
    const options = { keys: pinned, paymentId: payment.id, now: now() };
    await expect(verifyInstructions(before, options)).rejects.toMatchObject({ reason: 'expired' });
    const after = await client().payments.instructions(payment.id, ETH);
    await expect(verifyInstructions(after, options)).resolves.toMatchObject({ address: before.address });
  });

  it('lists the addresses of a payment with a signature, and none before a method is chosen', async () => {
    await expect(client().payments.depositAddresses(payment.id)).resolves.toEqual([]);
    const { address, derivation } = await client().payments.instructions(payment.id, ETH);
    const [listed, ...others] = await client().payments.depositAddresses(payment.id);
    expect(others).toEqual([]);
    expect(listed).toMatchObject({ paymentId: payment.id, family: 'evm', address, derivation });
    const options = { keys: pinned, paymentId: payment.id };
    await expect(verifyDepositAddress(listed!, options)).resolves.toBeUndefined();
    const swapped = { ...listed!, address: THIEF };
    await expect(verifyDepositAddress(swapped, options)).rejects.toMatchObject({ reason: 'altered' });
  });

  describe('behind a proxy that rewrites what the gateway says', () => {
    let proxy: RewritingProxy;
    beforeAll(async () => {
      proxy = await RewritingProxy.start(() => shop.gateway.baseUrl);
    });
    afterAll(() => proxy?.stop());

    const ask = async () => {
      const shown = await client(proxy.url).payments.instructions(payment.id, ETH);
      return verifyInstructions(shown, { keys: pinned, paymentId: payment.id, now: now() });
    };

    it('are refused when the address was swapped everywhere', async () => {
      const { address } = await client().payments.instructions(payment.id, ETH);
      proxy.rewrite = (text) => text.replaceAll(address, THIEF);
      await expect(ask()).rejects.toMatchObject({
        reason: 'altered',
        message: expect.stringContaining('address'),
      });
    });

    it('are refused when the amount was raised, or the link for wallets alone was changed', async () => {
      const { address, amount } = await client().payments.instructions(payment.id, ETH);
      proxy.rewrite = (text) => text.replaceAll(amount.atomic, `${amount.atomic}0`);
      await expect(ask()).rejects.toMatchObject({ reason: 'altered' });
      proxy.rewrite = (text) => text.replaceAll(`ethereum:${address}`, `ethereum:${THIEF}`);
      await expect(ask()).rejects.toMatchObject({
        reason: 'altered',
        message: expect.stringMatching(/^paymentUri:/),
      });
    });

    it('are refused when they are genuine instructions of a payment of the thief', async () => {
      const thief = await shop.createPayment(await shop.application());
      const genuine = await shop.instructions(thief);
      proxy.rewrite = () => stringifyExact({ data: genuine });
      await expect(ask()).rejects.toMatchObject({ reason: 'other_payment' });
    });

    it('are accepted when the proxy changes nothing', async () => {
      proxy.rewrite = (text) => text;
      await expect(ask()).resolves.toMatchObject({ paymentId: payment.id });
    });
  });

  /** With the merchant's own copy of the extended public key; nothing that the gateway says is believed. */
  const isOwn = ({ address, derivation }: DepositAddress) =>
    findAddressOfKey({ key: EVM_XPUB, index: derivation.index, address }) !== null;

  it('are noticed as foreign by the derivation after the address was swapped in the database', async () => {
    await client().payments.instructions(payment.id, ETH);
    expect((await client().payments.depositAddresses(payment.id)).map(isOwn)).toEqual([true]);
    const account = newAccount();
    const thief = await shop.application();
    const path = `/api/payment-applications/${thief.id}/wallets/evm`;
    await shop.call('PUT', path, shop.owner.accessToken, { extendedPublicKey: account.publicExtendedKey });
    const { publicKey } = account.deriveChild(0).deriveChild(7);
    const { key, address } = familyOf('evm').addresses.ofPublicKey(publicKey!, undefined, null);
    const { sql } = shop.gateway;
    await sql.query('alter table deposit_addresses disable trigger user');
    await sql.query(
      `update deposit_addresses set derivation_index = 7, key = $2, address = $3, wallet_id =
         (select id from wallets where application_id = $4 and retired_at is null) where payment_id = $1`,
      [payment.id, key, address, thief.id],
    );
    await sql.query('alter table deposit_addresses enable trigger user');
    // The gateway itself may refuse, or not notice: the merchant's server ships in neither case.
    const mayShip = await client()
      .payments.depositAddresses(payment.id)
      .then(
        (listed) => listed.every(isOwn),
        (error: unknown) => !(error instanceof GatewayError && error.code === 'payment_not_payable'),
      );
    expect(mayShip).toBe(false);
  });

  it('are noticed as foreign by the derivation when a compromised host signs the address of a thief', async () => {
    const shown = await client().payments.instructions(payment.id, ETH);
    const statement = {
      paymentId: payment.id,
      chain: 'ethereum',
      chainId: shop.chain.chainId,
      asset: 'ETH',
      contract: null,
      decimals: 18,
      address: THIEF,
      memo: null,
      amount: BigInt(shown.amount.atomic),
      expiresAt: new Date(shown.expiresAt),
    };
    const signatures = shop.gateway.get(InstructionSigner).signInstructions(statement);
    const paymentUri = shown.paymentUri!.replace(shown.address, THIEF);
    const forged = {
      ...shown,
      address: THIEF,
      paymentUri,
      qrCode: { ...shown.qrCode, content: THIEF },
      signatures,
    };
    const options = { keys: pinned, paymentId: payment.id, now: now() };
    const { address } = await verifyInstructions(forged, options);
    expect(findAddressOfKey({ key: EVM_XPUB, index: shown.derivation.index, address })).toBeNull();
  });

  it('are missing in a checkout page that was changed on its way to the customer', async () => {
    const shown = await client().payments.instructions(payment.id, ETH);
    const { address } = await verifyInstructions(shown, { keys: pinned, paymentId: payment.id, now: now() });
    const proxy = await RewritingProxy.start(() => shop.gateway.baseUrl);
    try {
      const { pathname, search } = new URL(payment.checkoutUrl);
      const page = async () =>
        (await fetch(`${proxy.url}${pathname}${search}&provider=ethereum&method=eth`)).text();
      expect(await page()).toContain(address);
      proxy.rewrite = (text) => text.replaceAll(address, THIEF);
      expect(await page()).not.toContain(address);
    } finally {
      await proxy.stop();
    }
  });

  it('are signed by both keys while APP_KEYS is rotated, so that a pinned key stays good', async () => {
    const former = shop.gateway.config.appKeys[0]!;
    const added = randomBytes(32).toString('base64');
    const rotated = await shop.gateway.another({
      APP_KEYS: `t2:${added},t1:${former.key.toString('base64')}`,
    });
    try {
      const shown = await client(rotated.baseUrl).payments.instructions(payment.id, ETH);
      expect(shown.signatures).toHaveLength(2);
      const options = { keys: pinned, paymentId: payment.id, now: now() };
      await expect(verifyInstructions(shown, options)).resolves.toBeDefined();
      const response = await fetch(`${rotated.baseUrl}/api/instruction-keys`);
      const { keys } = (await response.json()) as { keys: { x: string }[] };
      expect(keys.map(({ x }) => x)).toEqual([expect.not.stringMatching(pinned[0]!), pinned[0]]);
      await expect(verifyInstructions(shown, { ...options, keys: [keys[0]!.x] })).resolves.toBeDefined();
    } finally {
      await rotated.close();
    }
  });

  it('are signed with the key that the command line prints, without a database', async () => {
    const { key } = shop.gateway.config.appKeys[0]!;
    const environment = {
      NODE_ENV: 'test',
      DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none',
      APP_KEYS: `t1:${key.toString('base64')}`,
      CHECKOUT_SIGNING_KEY: 'test-checkout-signing-key-with-enough-length',
    };
    const lines: string[] = [];
    const write = (text: string) => void lines.push(text);
    const terminal = { input: [] as never, write, writeError: write };
    expect(await runCli(['instruction-key'], environment, terminal)).toBe(0);
    const [published] = (await keysOf()).keys;
    expect(lines.join('')).toBe(`key:        ${pinned[0]}\nthumbprint: ${published!.kid}\nAPP_KEYS:   t1\n`);
  });
});
