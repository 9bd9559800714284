import { randomBytes } from 'node:crypto';
import { HDKey } from '@scure/bip32';
import { UsersService } from '../src/identity/oauth/people/users.service.js';
import type { KeyOwner } from '../src/wallets/key-owner.pure.js';
import { descriptorChecksum } from '../src/wallets/output-descriptor.pure.js';
import { bitcoinAccount } from './support/utxo-account.js';
import { EVM_XPUB, Shop, type ShopApplication } from './support/shop.js';
import { newAccount } from './support/wallets-api.js';

const OPERATOR_BITCOIN = bitcoinAccount(randomBytes(32));
/** As an operator has it who names no account: `operators` is the default. */
const UNNAMED = {
  WALLET_XPUB_ACCOUNTS: '',
  // No node is there: methods and addresses need none.
  CHAIN_BITCOIN_RPC_URL: 'http://127.0.0.1:9',
  CHAIN_BITCOIN_NETWORK: 'regtest',
  WALLET_BITCOIN_XPUB: OPERATOR_BITCOIN.publicExtendedKey,
};

interface Destination {
  family: string;
  owner: KeyOwner | null;
  fingerprint: string | null;
  masterFingerprint: string | null;
  accountPath: string | null;
}

let shop: Shop;
let application: ShopApplication;

beforeAll(async () => {
  shop = await Shop.open(UNNAMED);
});
beforeEach(async () => {
  application = await shop.application();
});
afterAll(() => shop.close());

const call = <T>(method: string, path: string, body?: unknown) =>
  shop.call<T>(method, `/api/payment-applications/${application.id}${path}`, shop.owner.accessToken, body);
async function putKey(family: string, extendedPublicKey: string): Promise<void> {
  expect(await call('PUT', `/wallets/${family}`, { extendedPublicKey })).toMatchObject({ status: 200 });
}

async function destinations(): Promise<Destination[]> {
  const { status, body } = await call<Destination[]>('GET', '/destinations');
  expect(status).toBe(200);
  return body.data;
}

const create = () =>
  shop.call<{ id: string }>('POST', '/api/payment/checkout', application.clientToken, {
    amount: 10_000,
    currencyCode: 'USD',
    reference: 'ORDER-1',
    referenceLabel: 'Order #1',
    clientId: application.clientId,
  });

const setOperator = (isOperator: boolean) =>
  shop.gateway.get(UsersService).setOperator(shop.owner.userId, isOperator);

async function derivationOf({ id }: { id: string }) {
  const path = `/api/payment/${id}/provider/ethereum/method/eth`;
  const { body } = await shop.call<{ derivation: { keyOwner: KeyOwner; walletPath: string } }>(
    'GET',
    path,
    application.clientToken,
  );
  return body.data.derivation;
}

describe("the operator's keys", () => {
  it('are offered to nobody who is no operator: a payment that only they could receive is refused', async () => {
    expect(await create()).toMatchObject({ status: 422, body: { code: 'no_payment_method' } });
    expect(await destinations()).toEqual(
      ['evm', 'bitcoin'].map((family) => ({
        family,
        owner: null,
        fingerprint: null,
        masterFingerprint: null,
        accountPath: null,
        treasury: null,
      })),
    );
  });

  it('serve no coin beside the one that the merchant has a key for', async () => {
    await putKey('evm', newAccount().publicExtendedKey);
    const payment = await shop.createPayment(application);
    const methods = await shop.checkout<{ provider: string; unavailableReason: string | null }[]>(
      payment,
      `${payment.id}/payment-methods`,
    );
    const reasons = new Map(
      methods.body.data.map(({ provider, unavailableReason }) => [provider, unavailableReason]),
    );
    expect(reasons.get('ethereum')).toBeNull();
    expect(reasons.get('bitcoin')).toBe('wallet_not_configured');
    const path = `payment/${payment.id}/provider/bitcoin/method/btc`;
    expect(await shop.checkout(payment, path)).toMatchObject({
      status: 422,
      body: { errors: { method: {} } },
    });
    await shop.instructions(payment);
    expect((await derivationOf(payment)).keyOwner).toBe('application');
    expect((await destinations()).map(({ owner }) => owner)).toEqual(['application', null]);
  });

  it('serve an operator, and every place says whose they are', async () => {
    await setOperator(true);
    const payment = await shop.createPayment(application);
    await shop.instructions(payment);
    expect((await derivationOf(payment)).keyOwner).toBe('operator');
    const { fingerprint } = HDKey.fromExtendedKey(EVM_XPUB);
    expect(await destinations()).toContainEqual({
      family: 'evm',
      owner: 'operator',
      fingerprint: fingerprint.toString(16).padStart(8, '0'),
      masterFingerprint: null,
      accountPath: "m/44'/60'/0'",
      treasury: null,
    });
    // The rights end: the address that was shown stays, and no other one is handed out.
    const unasked = await shop.createPayment(application);
    await setOperator(false);
    expect((await derivationOf(payment)).keyOwner).toBe('operator');
    const path = `payment/${unasked.id}/provider/ethereum/method/eth`;
    expect(await shop.checkout(unasked, path)).toMatchObject({ status: 422 });
    expect(await create()).toMatchObject({ status: 422 });
  });

  it.each([
    ['an account by its id', () => shop.owner.userId],
    ['an account beside the operators', () => `operators, ${shop.owner.userId}`],
    ['all accounts', () => 'all'],
  ])('serve %s where the operator says so', async (_who, accounts) => {
    const env = { ...UNNAMED, WALLET_XPUB_ACCOUNTS: accounts() };
    shop.gateway = await shop.gateway.restart(env);
    expect((await destinations()).map(({ owner }) => owner)).toEqual(['operator', 'operator']);
    await shop.createPayment(application);
    shop.gateway = await shop.gateway.restart(UNNAMED);
  });
});

describe('the fingerprint of a wallet', () => {
  const master = HDKey.fromMasterSeed(randomBytes(32), { private: 0x04358394, public: 0x043587cf });
  const { publicExtendedKey } = master.derive("m/84'/1'/5'");
  const masterFingerprint = master.fingerprint.toString(16).padStart(8, '0');
  const descriptor = (origin: string) => {
    const body = `wpkh(${origin}${publicExtendedKey}/0/*)`;
    return `${body}#${descriptorChecksum(body)}`;
  };

  it("is the master key's where the pasted descriptor names the origin, also when it is pasted later", async () => {
    await putKey('bitcoin', descriptor(''));
    expect((await call('GET', '/wallets/bitcoin')).body.data).toMatchObject({ masterFingerprint: null });
    await putKey('bitcoin', descriptor(`[${masterFingerprint.toUpperCase()}/84'/1h/5H]`));
    expect((await call('GET', '/wallets/bitcoin')).body.data).toMatchObject({
      masterFingerprint,
      accountPath: "m/84'/1'/5'",
      changedAt: expect.any(String),
      previousFingerprint: null,
    });
    expect((await destinations()).find(({ family }) => family === 'bitcoin')).toMatchObject({
      owner: 'application',
      masterFingerprint,
    });
  });

  it('and the path are those that Electrum shows for a key that it made itself', async () => {
    // Electrum 4.3.4, `electrum create --regtest`.
    const key =
      'vpub5VMH92ewU2Hh44HkdsDk6XW4u5uX18T6V9RUCNtJpysHSger5skm4Fdzbw7U7KEb1eikhF1nWiKawcdji6i2Zoz5MkSDgERvUretpis94QX';
    await putKey('bitcoin', `"${key.slice(0, 60)}\n${key.slice(60)}"`);
    const expected = { accountPath: "m/0'", masterFingerprint: expect.stringMatching(/^[0-9a-f]{8}$/) };
    const { data } = (await call('GET', '/wallets/bitcoin')).body;
    expect(data).toMatchObject({
      ...expected,
      extendedPublicKey: `${key.slice(0, 6)}...${key.slice(-4)}`,
      scriptType: 'p2wpkh',
    });
    expect(await destinations()).toContainEqual(expect.objectContaining({ family: 'bitcoin', ...expected }));
  });
});
