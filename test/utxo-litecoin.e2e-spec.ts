/**
 * @inOrder One shop that sets its wallet first.
 */
import { HDKey } from '@scure/bip32';
import { ChainWatcherService } from '../src/chain-watcher/chain-watcher.service.js';
import { JsonFloat } from '../src/platform/kernel/exact-json.pure.js';
import { describeWithLitecoin, startUtxoNode, type UtxoNode } from './support/litecoind.js';
import { RpcProxy } from './support/rpc-proxy.js';
import { Shop, type ShopApplication } from './support/shop.js';

const TPUB = { private: 0x04358394, public: 0x043587cf };
const ACCOUNT = HDKey.fromMasterSeed(Buffer.alloc(32, 9), TPUB).derive("m/86'/1'/0'");
const OTHER = HDKey.fromMasterSeed(Buffer.alloc(32, 10), TPUB).derive("m/44'/1'/0'");
/** 100 USD at 80 USD for a litecoin. */
const DUE = 125_000_000n;
const CONFIRMATIONS = 6;

describeWithLitecoin('a payment in litecoin', () => {
  let node: UtxoNode;
  let proxy: RpcProxy;
  let shop: Shop;
  let application: ShopApplication;

  beforeAll(async () => {
    node = await startUtxoNode();
    proxy = await RpcProxy.start(node.url);
    shop = await Shop.open({ CHAIN_LITECOIN_RPC_URL: proxy.url, CHAIN_LITECOIN_NETWORK: 'regtest' });
    shop.rates.setPrice('LTC', 'USD', '80');
    application = await shop.application();
  });
  afterEach(() => proxy.setFaults({}));
  afterAll(async () => {
    await shop?.close();
    await proxy?.stop();
    await node?.stop();
  });

  async function watch(): Promise<void> {
    await shop.gateway.get(ChainWatcherService).drain('litecoin');
    await shop.settle();
  }

  async function putWallet(extendedPublicKey: string, scriptType: string | null) {
    const path = `/api/payment-applications/${application.id}/wallets/litecoin`;
    return shop.call('PUT', path, shop.owner.accessToken, { extendedPublicKey, scriptType });
  }

  it('is not offered before the application has a wallet', async () => {
    const payment = await shop.createPayment(application);
    const { status, body } = await shop.checkout(
      payment,
      `payment/${payment.id}/provider/litecoin/method/ltc`,
    );
    expect([status, body.errors]).toEqual([
      422,
      { method: ['The merchant cannot receive LTC at the moment.'] },
    ]);
  });

  it('has an address of the merchant’s key and script type, and keeps it when the key changes', async () => {
    expect((await putWallet(ACCOUNT.publicExtendedKey, 'p2tr')).status).toBe(200);
    const payment = await shop.createPayment(application);
    const { address, paymentUri } = await shop.instructions(payment, 'ltc', 'litecoin');
    expect(address).toMatch(/^rltc1p[0-9a-z]{58}$/);
    expect(paymentUri).toBe(`litecoin:${address}?amount=1.25000000`);
    expect((await putWallet(OTHER.publicExtendedKey, 'p2pkh')).status).toBe(200);
    expect((await shop.instructions(payment, 'ltc', 'litecoin')).address).toBe(address);

    await watch();
    const { scriptPubKey } = await node.rpc<{ scriptPubKey: string }>('validateaddress', [address]);
    await node.pay([{ key: Buffer.from(scriptPubKey, 'hex'), amount: DUE }]);
    await watch();
    expect(await shop.status(payment)).toBe('FOUND');
    await node.mine(CONFIRMATIONS - 1);
    await watch();
    expect(await shop.status(payment)).toBe('FOUND');
    await node.mine();
    await watch();
    expect(await shop.payment(payment)).toMatchObject({
      status: 'CONFIRMED',
      receivedAmount: { amount: 10_000 },
    });

    const next = await shop.createPayment(application);
    expect((await shop.instructions(next, 'ltc', 'litecoin')).address).toMatch(/^[mn]/);
  });

  it('is found after the node failed in the middle of a step', async () => {
    const payment = await shop.createPayment(application);
    const { address } = await shop.instructions(payment, 'ltc', 'litecoin');
    const { scriptPubKey } = await node.rpc<{ scriptPubKey: string }>('validateaddress', [address]);
    await node.pay([{ key: Buffer.from(scriptPubKey, 'hex'), amount: DUE }]);
    for (const method of ['getrawmempool', 'getrawtransaction', 'getblockchaininfo']) {
      proxy.setFaults({
        [method]: ({ id }) => ({ id, error: { code: -28, message: 'Verifying blocks...' } }),
      });
      await watch();
      expect(await shop.status(payment)).toBe('OPEN');
    }
    proxy.setFaults({});
    await watch();
    expect(await shop.status(payment)).toBe('FOUND');
    await node.mine(CONFIRMATIONS);
    for (const method of ['getblock', 'getblockhash']) {
      proxy.setFaults({ [method]: ({ id }) => ({ id, result: '00' }) });
      await watch();
      expect(await shop.status(payment)).toBe('FOUND');
    }
    proxy.setFaults({});
    await watch();
    expect(await shop.status(payment)).toBe('CONFIRMED');
  });

  it('is credited exactly although the node returns floats', async () => {
    const payment = await shop.createPayment(application, { amount: 700 });
    const instructions = await shop.instructions(payment, 'ltc', 'litecoin');
    const { scriptPubKey } = await node.rpc<{ scriptPubKey: string }>('validateaddress', [
      instructions.address,
    ]);
    const txHash = await node.pay([{ key: Buffer.from(scriptPubKey, 'hex'), amount: 8_750_000n }]);
    const { vout } = await node.rpc<{ vout: { value: JsonFloat }[] }>('getrawtransaction', [txHash, true]);
    expect(vout[0]?.value.text).toBe('0.08750000');
    await node.mine(CONFIRMATIONS);
    await watch();
    expect(await shop.payment(payment)).toMatchObject({
      status: 'CONFIRMED',
      transactions: [{ amount: { atomic: '8750000' }, creditedAmount: { amount: 700 } }],
    });
  });
});
