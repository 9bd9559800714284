/**
 * @inOrder One gateway, which is started with fewer and fewer chains.
 */
import { randomBytes } from 'node:crypto';
import { type ApplicationDto, APPLICATIONS, ApplicationsApi } from './support/applications-api.js';
import { CHECKOUT, postWithKey } from './support/keyed-api.js';
import { createOwner, type Owner } from './support/principals.js';
import { startTestGateway, type TestGateway } from './support/test-gateway.js';
import { bitcoinAccount } from './support/utxo-account.js';
import { newAccount } from './support/wallets-api.js';

/** No node responds there, and there are no rates: neither is a reason to refuse a payment. */
const DEAD_NODE = 'http://127.0.0.1:9';
const ETHEREUM = { CHAIN_ETHEREUM_RPC_URL: DEAD_NODE };
const BOTH = { ...ETHEREUM, CHAIN_BITCOIN_RPC_URL: DEAD_NODE, CHAIN_BITCOIN_NETWORK: 'regtest' };
const NOWHERE = { RATES_KRAKEN_URL: DEAD_NODE, RATES_COINBASE_URL: DEAD_NODE };

const evmKey = () => ({ extendedPublicKey: newAccount().publicExtendedKey });
const bitcoinKey = () => ({ extendedPublicKey: bitcoinAccount(randomBytes(32)).publicExtendedKey });

let gateway: TestGateway;
let owner: Owner;
let api: ApplicationsApi;

beforeAll(async () => {
  gateway = await startTestGateway({ ...BOTH, ...NOWHERE });
  owner = await createOwner(gateway);
  api = new ApplicationsApi(gateway, owner);
});
afterAll(() => gateway.close());

const order = (application: ApplicationDto, changes: object = {}) => ({
  amount: 10_000,
  currencyCode: 'USD',
  reference: 'ORDER-1',
  referenceLabel: 'Order #1',
  clientId: application.clientId,
  ...changes,
});
const create = (application: ApplicationDto, changes: object = {}, by = api) =>
  by.call<{ id: string; checkoutUrl: string }>('POST', CHECKOUT, order(application, changes));
const putWallet = async (path: string, body: object) => {
  const { status, text } = await api.call('PUT', path, body);
  if (status !== 200) throw new Error(`no wallet: ${status} ${text}`);
};
const walletOf = ({ id }: ApplicationDto, family: string) => `${APPLICATIONS}/${id}/wallets/${family}`;

async function countPayments({ id }: ApplicationDto): Promise<number> {
  const rows = await gateway.sql.query('select 1 from payments where application_id = $1', [id]);
  return rows.length;
}

describe('a payment without a wallet anywhere', () => {
  it('is refused with the route that adds one, and nothing is stored', async () => {
    const application = await api.create();
    const { status, error } = await create(application);
    expect(status).toBe(422);
    expect(error).toMatchObject({
      code: 'no_payment_method',
      message:
        'This payment could never be paid: no wallet is configured for any of the networks that it may be paid on.',
      errors: { clientId: [expect.any(String)] },
      hint: `Add a wallet by PUT ${walletOf(application, '{family}')}, where {family} is one of evm, bitcoin.`,
    });
    expect(await countPayments(application)).toBe(0);
  });

  it('is refused with the siteId in the hint when the body has the siteId', async () => {
    const { site, ...rest } = await api.create();
    const { error } = await create({ site, ...rest }, { clientId: undefined, siteId: site.id });
    expect(error).toMatchObject({ code: 'no_payment_method', errors: { siteId: [expect.any(String)] } });
  });

  it('is created by the same request and Idempotency-Key once the hint was followed', async () => {
    const application = await api.create();
    const request = {
      path: CHECKOUT,
      token: owner.accessToken,
      key: 'order-1-attempt-1',
      body: order(application, { blockchainSlug: 'ethereum' }),
    };
    const refused = await postWithKey(gateway, request);
    expect(refused).toMatchObject({ status: 422, code: 'no_payment_method' });
    const { hint } = JSON.parse(refused.text) as { hint: string };
    const [, method = '', path = ''] = /by (PUT) (\S+)\.$/.exec(hint) ?? [];
    expect([method, path]).toEqual(['PUT', walletOf(application, 'evm')]);
    await putWallet(path, evmKey());
    expect(await postWithKey(gateway, request)).toMatchObject({ status: 201, isReplayed: false });
    expect(await countPayments(application)).toBe(1);
  });

  it('is created with a wallet of the account, and refused again after its removal', async () => {
    const merchant = await createOwner(gateway);
    const theirs = new ApplicationsApi(gateway, merchant);
    const application = await theirs.create();
    expect((await create(application, {}, theirs)).error.code).toBe('no_payment_method');
    expect((await theirs.call('PUT', '/api/account/wallets/bitcoin', bitcoinKey())).status).toBe(200);
    expect((await create(application, {}, theirs)).status).toBe(201);
    const removed = await fetch(`${gateway.baseUrl}/api/account/wallets/bitcoin`, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${merchant.accessToken}` },
    });
    expect(removed.status).toBe(204);
    expect((await create(application, {}, theirs)).error.code).toBe('no_payment_method');
  });

  it('is refused although other applications and merchants have wallets', async () => {
    const [mine, other] = [await api.create(), await api.create()];
    await putWallet(walletOf(other, 'evm'), evmKey());
    const stranger = new ApplicationsApi(gateway, await createOwner(gateway));
    await stranger.call('PUT', '/api/account/wallets/evm', evmKey());
    expect((await create(mine)).error.code).toBe('no_payment_method');
    expect((await create(other)).status).toBe(201);
  });

  it("is created with the operator's own key, unless the payment needs another family", async () => {
    const env = { ...BOTH, ...NOWHERE, WALLET_EVM_XPUB: newAccount().publicExtendedKey };
    const keyed = await startTestGateway(env, gateway.clock, gateway.databaseUrl);
    const by = new ApplicationsApi(keyed, owner);
    const application = await by.create();
    expect((await create(application, {}, by)).status).toBe(201);
    expect((await create(application, { blockchainSlug: 'bitcoin' }, by)).error).toMatchObject({
      code: 'no_payment_method',
      hint: `Add a wallet of the family bitcoin by PUT ${walletOf(application, 'bitcoin')}.`,
    });
    await keyed.close();
  });
});

describe('a payment with a wallet', () => {
  it('of a family that neither whitelist nor chain allows is refused', async () => {
    const application = await api.create({ currencyWhitelist: ['BTC'] });
    await putWallet(walletOf(application, 'evm'), evmKey());
    const answer = await create(application);
    expect(answer.error).toMatchObject({
      code: 'no_payment_method',
      hint: `Add a wallet of the family bitcoin by PUT ${walletOf(application, 'bitcoin')}.`,
    });
    await putWallet(walletOf(application, 'bitcoin'), bitcoinKey());
    expect((await create(application)).status).toBe(201);
  });

  it.each([
    ['a node and rates that do not answer', {}],
    ['an amount that is too small for every network', { amount: 1 }],
    ['a price in a currency that it cannot be paid in', { currencyCode: 'BTC', blockchainSlug: 'ethereum' }],
  ])('is created despite %s', async (_what, changes) => {
    const application = await api.create();
    await putWallet(walletOf(application, 'evm'), evmKey());
    expect((await create(application, changes)).status).toBe(201);
  });
});

describe('what is not enabled on this gateway', () => {
  const ENABLED = 'BTC, ETH, USDT, USDC';

  it.each([
    [
      'currencyCode',
      'TRX',
      `The selected currencyCode is known, but not enabled on this gateway; enabled: ${ENABLED}.`,
    ],
    [
      'blockchainSlug',
      'tron',
      'The selected blockchainSlug is known, but not enabled on this gateway; enabled: ethereum, bitcoin.',
    ],
  ])('is refused as %s of a payment', async (field, value, text) => {
    const application = await api.create();
    await putWallet(walletOf(application, 'evm'), evmKey());
    const { status, error } = await create(application, { [field]: value });
    expect({ status, code: error.code }).toEqual({ status: 422, code: 'validation_failed' });
    expect(Object.keys(error.errors ?? {})).toEqual([field]);
    expect(error.message).toBe(text);
  });

  it('is distinguished from an unknown one', async () => {
    const application = await api.create();
    for (const changes of [{ currencyCode: 'XXX' }, { blockchainSlug: 'peercoin' }]) {
      const { status, error } = await create(application, changes);
      expect(status).toBe(422);
      expect(error.message).not.toContain('known, but not enabled');
    }
  });

  it('is still accepted as the settlement currency, which is only for reports', async () => {
    const application = await api.create();
    await putWallet(walletOf(application, 'evm'), evmKey());
    expect((await create(application, { settlementCurrencyCode: 'TRX' })).status).toBe(201);
  });

  it('is refused in a whitelist, by create and by update', async () => {
    const fields = { name: 'Shop', secret: 's', currencyWhitelist: ['ETH', 'TRX'] };
    const created = await api.call('POST', APPLICATIONS, fields);
    expect(created).toMatchObject({ status: 422, error: { code: 'validation_failed' } });
    const [message = ''] = created.error.errors?.['currencyWhitelist.1'] ?? [];
    expect(message).toContain(`known, but not enabled on this gateway; enabled: ${ENABLED}.`);
    const { id } = await api.create({ currencyWhitelist: ['ETH'] });
    expect(await api.put(id, { currencyWhitelist: ['DOGE'] })).toMatchObject({
      status: 422,
      error: { errors: { 'currencyWhitelist.0': [expect.stringContaining('not enabled')] } },
    });
    expect((await api.get(id)).data.currencyWhitelist).toEqual(['ETH']);
  });

  describe('any more', () => {
    let later: TestGateway;
    let by: ApplicationsApi;
    let application: ApplicationDto;

    beforeAll(async () => {
      application = await api.create({ currencyWhitelist: ['BTC'] });
      await putWallet(walletOf(application, 'evm'), evmKey());
      await putWallet(walletOf(application, 'bitcoin'), bitcoinKey());
      later = await startTestGateway({ ...ETHEREUM, ...NOWHERE }, gateway.clock, gateway.databaseUrl);
      by = new ApplicationsApi(later, owner);
    });
    afterAll(() => later.close());

    it('keeps an application readable and changeable, with its whitelist unchanged', async () => {
      expect((await by.get(application.id)).data.currencyWhitelist).toEqual(['BTC']);
      expect(await by.put(application.id, { name: 'Renamed' })).toMatchObject({
        status: 200,
        data: { name: 'Renamed', currencyWhitelist: ['BTC'] },
      });
      const same = await by.put(application.id, { currencyWhitelist: ['BTC'], allowUnderpay: true });
      expect(same).toMatchObject({ status: 200, data: { currencyWhitelist: ['BTC'] } });
      expect((await by.put(application.id, { currencyWhitelist: ['BTC', 'TRX'] })).status).toBe(422);
    });

    it('refuses its payments until the whitelist is what the hint says', async () => {
      const { status, error } = await create(application, {}, by);
      expect({ status, ...error }).toMatchObject({
        status: 422,
        code: 'no_payment_method',
        message:
          'This payment could never be paid: the application accepts only BTC, which is not enabled on this gateway.',
        hint: `Set a currencyWhitelist with at least one of ETH, USDT, USDC by PUT ${APPLICATIONS}/${application.id}.`,
      });
      expect((await by.put(application.id, { currencyWhitelist: ['BTC', 'ETH'] })).status).toBe(200);
      expect((await create(application, {}, by)).status).toBe(201);
    });
  });

  it('at all, because no network is watched, is reported as the operator’s task', async () => {
    const bare = await startTestGateway({}, gateway.clock, gateway.databaseUrl);
    const by = new ApplicationsApi(bare, owner);
    expect((await create(await by.create(), {}, by)).error).toMatchObject({
      code: 'no_payment_method',
      hint: 'The operator of the gateway enables a network with CHAIN_<SLUG>_RPC_URL.',
    });
    await bare.close();
  });
});

describe('a wallet that was removed after the payment was created', () => {
  it('is named to the merchant with the route that adds it, and not to the customer', async () => {
    const application = await api.create();
    await putWallet(walletOf(application, 'bitcoin'), bitcoinKey());
    const { id, checkoutUrl } = (await create(application)).data;
    const asMerchant = await api.call('GET', `/api/payment/${id}/provider/ethereum/method/eth`);
    expect({ status: asMerchant.status, ...asMerchant.error }).toMatchObject({
      status: 422,
      code: 'validation_failed',
      message: 'There is no evm wallet, so ETH on Ethereum cannot be received.',
      errors: { method: [expect.stringContaining('no evm wallet')] },
      hint:
        `Add the wallet by PUT ${walletOf(application, 'evm')}, or for all applications of the account by ` +
        'PUT /api/account/wallets/evm.',
    });
    const { search } = new URL(checkoutUrl);
    const anonymous = new ApplicationsApi(gateway, null);
    const path = `/api/checkout/payment/${id}/provider/ethereum/method/eth${search}`;
    const asCustomer = await anonymous.call('GET', path);
    expect(asCustomer.error).toMatchObject({
      message: 'The merchant cannot receive ETH at the moment.',
    });
    expect(asCustomer.text).not.toMatch(/wallet|payment-applications/i);
    expect(asCustomer.error.hint).toBeUndefined();
  });
});
