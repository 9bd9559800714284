import { HDKey } from '@scure/bip32';
import { randomBytes } from 'node:crypto';
import { Reconciliation } from '../src/operations/reconciliation/reconciliation.service.js';
import {
  DepositAddressesService,
  WalletNotConfiguredError,
} from '../src/wallets/deposit-addresses.service.js';
import { insertPayment } from './support/payment-rows.js';
import { startTestGateway, type TestGateway } from './support/test-gateway.js';
import { bitcoinAccount } from './support/utxo-account.js';
import { WalletsApi } from './support/wallets-api.js';

/** Version bytes of `zprv` and `zpub` (SLIP-0132). */
const ZPUB = { private: 0x04b2430c, public: 0x04b24746 };
const ON_REGTEST = { CHAIN_BITCOIN_RPC_URL: 'http://127.0.0.1:9', CHAIN_BITCOIN_NETWORK: 'regtest' };

/** The operator tried a test network, and then switched to the main network with the same database. */
describe('a wallet of the previous network', () => {
  let gateway: TestGateway;
  let wallets: WalletsApi;
  let applicationId: string;
  let payments: { paid: string; unpaid: string };

  const allocate = (paymentId: string) => {
    const { userId } = wallets.owner;
    const addresses = gateway.get(DepositAddressesService);
    return addresses.allocate({ userId, applicationId, paymentId, family: 'bitcoin' });
  };
  const list = async () => (await wallets.list(applicationId)).data;

  beforeAll(async () => {
    gateway = await startTestGateway(ON_REGTEST);
    wallets = await WalletsApi.open(gateway);
    ({ applicationId } = wallets);
    const key = bitcoinAccount(randomBytes(32)).publicExtendedKey;
    expect((await wallets.put({ extendedPublicKey: key }, 'bitcoin')).status).toBe(200);
    const owner = { userId: wallets.owner.userId, applicationId };
    payments = { paid: await insertPayment(gateway, owner), unpaid: await insertPayment(gateway, owner) };
    expect((await allocate(payments.paid)).address).toMatch(/^bcrt1q/);
    gateway = await gateway.restart({ CHAIN_BITCOIN_NETWORK: 'mainnet' });
    wallets = await WalletsApi.open(gateway, wallets.owner);
  });
  afterAll(() => gateway.close());

  it('is shown without addresses', async () => {
    expect(await list()).toMatchObject([{ family: 'bitcoin', nextIndex: 1, previewAddresses: [] }]);
  });

  it('is no longer used for payments', async () => {
    await expect(allocate(payments.unpaid)).rejects.toThrow(WalletNotConfiguredError);
    await expect(allocate(payments.paid)).rejects.toThrow(WalletNotConfiguredError);
    expect((await list())[0]?.nextIndex).toBe(1);
  });

  it('is reported for its addresses by the reconciliation', async () => {
    const { differences } = await gateway.get(Reconciliation).run({ limit: 100, budget: null });
    // The payments were planted without a MAC, which is reported too.
    expect(differences.filter(({ check }) => check !== 'record')).toMatchObject([
      { check: 'address', paymentId: payments.paid, expected: "a wallet's key that can be read" },
    ]);
  });

  it('can be replaced by a wallet of this network', async () => {
    const zpub = HDKey.fromMasterSeed(randomBytes(32), ZPUB).derive("m/84'/0'/0'").publicExtendedKey;
    const { status, data } = await wallets.put({ extendedPublicKey: zpub }, 'bitcoin', applicationId);
    expect([status, data.previewAddresses.length]).toEqual([200, 3]);
    expect((await allocate(payments.unpaid)).address).toBe(data.previewAddresses[0]);
  });
});
