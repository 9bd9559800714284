import { HDKey } from '@scure/bip32';
import { ChainWatcherService } from '../src/chain-watcher/chain-watcher.service.js';
import { ChainsService } from '../src/chains/chains.service.js';
import { describeWithNode, startUtxoNode, type UtxoNode } from './support/litecoind.js';
import { RpcProxy } from './support/rpc-proxy.js';
import { Shop, type ShopApplication } from './support/shop.js';
import { scriptOf } from './support/utxo-account.js';
import { UtxoAdapters } from './support/utxo-chain.js';

const TPUB = { private: 0x04358394, public: 0x043587cf };
/** PREFIX_TOKEN, a category, "an amount", one (CHIP-2022-02). */
const TOKENS = Buffer.from(`ef${'bb'.repeat(32)}1001`, 'hex');

interface Cousin {
  family: 'dogecoin' | 'bitcoincash';
  code: string;
  coinType: number;
  /** US dollars for a coin, and what 100 dollars come to. */
  price: string;
  due: bigint;
  confirmations: number;
  address: RegExp;
  uri: (address: string) => string;
}

const COUSINS: Cousin[] = [
  {
    family: 'dogecoin',
    code: 'DOGE',
    coinType: 3,
    price: '10',
    due: 1_000_000_000n,
    confirmations: 20,
    // Version byte 0x6f of its regtest.
    address: /^[mn][1-9A-HJ-NP-Za-km-z]{33}$/,
    uri: (address) => `dogecoin:${address}?amount=10.00000000`,
  },
  {
    family: 'bitcoincash',
    code: 'BCH',
    coinType: 145,
    price: '500',
    due: 20_000_000n,
    confirmations: 6,
    address: /^bchreg:q[02-9ac-hj-np-z]{41}$/,
    uri: (address) => `${address}?amount=0.20000000`,
  },
];

/** One node stands in for both: the RPC, raw blocks and legacy scripts are the same (docs/reference/chains.md, "What was tested"). */
describeWithNode('Dogecoin and Bitcoin Cash', () => {
  const accountOf = ({ coinType }: Cousin) =>
    HDKey.fromMasterSeed(Buffer.alloc(32, 11), TPUB).derive(`m/44'/${coinType}'/0'`);
  let node: UtxoNode;
  let shop: Shop;
  let application: ShopApplication;

  beforeAll(async () => {
    node = await startUtxoNode();
    shop = await Shop.open({
      CHAIN_DOGECOIN_RPC_URL: node.url,
      CHAIN_DOGECOIN_NETWORK: 'regtest',
      CHAIN_BITCOINCASH_RPC_URL: node.url,
      CHAIN_BITCOINCASH_NETWORK: 'regtest',
    });
    application = await shop.application();
    for (const cousin of COUSINS) {
      shop.rates.setPrice(cousin.code, 'USD', cousin.price);
      const path = `/api/payment-applications/${application.id}/wallets/${cousin.family}`;
      const wallet = { extendedPublicKey: accountOf(cousin).publicExtendedKey, scriptType: 'p2pkh' };
      expect((await shop.call('PUT', path, shop.owner.accessToken, wallet)).status).toBe(200);
    }
    await watch();
  });
  afterAll(async () => {
    await shop?.close();
    await node?.stop();
  });

  async function watch(): Promise<void> {
    for (const { family } of COUSINS) {
      await shop.gateway.get(ChainWatcherService).drain(family);
      expect(shop.gateway.get(ChainsService).findHealth(family)).toEqual({ ok: true });
    }
    await shop.settle();
  }

  async function mine(blocks: number): Promise<void> {
    await node.mine(blocks);
    await watch();
  }

  async function asked(cousin: Cousin, fields: Record<string, unknown> = {}) {
    const payment = await shop.createPayment(application, fields);
    const instructions = await shop.instructions(payment, cousin.code.toLowerCase(), cousin.family);
    const key = scriptOf(accountOf(cousin), instructions.address, cousin.family, 'p2pkh');
    return { payment, instructions, key };
  }

  describe.each(COUSINS)('$family', (cousin) => {
    it('payments have an address and a link of the chain, and are received at its depth', async () => {
      const { payment, instructions, key } = await asked(cousin);
      expect(instructions).toMatchObject({
        provider: cousin.family,
        method: cousin.code.toLowerCase(),
        blockchain: { slug: cousin.family, chainId: null, testnet: true },
        address: expect.stringMatching(cousin.address) as unknown,
        amount: { atomic: String(cousin.due) },
        confirmations: { seen: 0, required: cousin.confirmations },
        paymentUri: cousin.uri(instructions.address),
        qrCode: { content: cousin.uri(instructions.address) },
      });
      const txHash = await node.pay([{ key, amount: cousin.due }]);
      await watch();
      expect(await shop.payment(payment)).toMatchObject({
        status: 'FOUND',
        transactions: [{ txHash, blockchain: cousin.family, confirmations: 0 }],
      });
      await mine(cousin.confirmations - 1);
      expect(await shop.status(payment)).toBe('FOUND');
      await mine(1);
      expect(await shop.payment(payment)).toMatchObject({
        status: 'CONFIRMED',
        receivedAmount: { amount: 10_000 },
        transactions: [{ txHash, status: 'CONFIRMED' }],
      });
      expect(shop.events(payment)).toEqual(['payment.received', 'payment.completed']);
    });

    it('payments are pending again after a reorg, and count once', async () => {
      const { payment, key } = await asked(cousin);
      await node.pay([{ key, amount: cousin.due }]);
      await mine(3);
      await node.fork(3);
      await node.mineOnly();
      await watch();
      expect(await shop.payment(payment)).toMatchObject({
        status: 'FOUND',
        transactions: [{ status: 'PENDING', confirmations: 0 }],
      });
      await mine(cousin.confirmations);
      expect(await shop.payment(payment)).toMatchObject({ status: 'CONFIRMED', overpaidAmount: null });
    });
  });

  it('an amount of almost a billion dogecoins is exact beyond what a float holds', async () => {
    const [dogecoin] = COUSINS;
    if (!dogecoin) throw new Error('no dogecoin');
    const amount = 99_999_999_999_999_999n;
    expect(Number.isSafeInteger(Number(amount))).toBe(false);
    const { instructions } = await asked(dogecoin, { currencyCode: 'DOGE', amount });
    expect(instructions.amount.atomic).toBe(String(amount));
    expect(instructions.paymentUri).toBe(`dogecoin:${instructions.address}?amount=999999999.99999999`);
  });

  it('the coins of an output with CashTokens are credited, on Bitcoin Cash only', async () => {
    for (const cousin of COUSINS) {
      const { payment, key } = await asked(cousin);
      await node.pay([{ key: Buffer.concat([TOKENS, key]), amount: cousin.due }]);
      await watch();
      const isCash = cousin.family === 'bitcoincash';
      expect(await shop.status(payment)).toBe(isCash ? 'FOUND' : 'OPEN');
      await mine(cousin.confirmations);
      expect(await shop.status(payment)).toBe(isCash ? 'CONFIRMED' : 'OPEN');
    }
  });

  it('a node of another chain with the same first block is refused', async () => {
    const adapters = new UtxoAdapters();
    const genesis = '000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f';
    const proxy = await RpcProxy.start(node.url);
    const blocks: Record<number, string> = {
      0: genesis,
      478_559: '000000000000000000651ef99cb9fcbe0dadde1d424bd9f15ff20136191a5eec',
      661_648: 'ab'.repeat(32),
    };
    proxy.setFaults({
      getblockchaininfo: ({ id }) => ({
        id,
        result: { chain: 'main', blocks: 700_000, bestblockhash: 'cd'.repeat(32) },
      }),
      getblockhash: ({ id, params }) => ({ id, result: blocks[Number(params[0])] }),
    });
    const cash = adapters.create(proxy.url, 'bitcoincash', 'mainnet');
    // eCash: Bitcoin's beginning, Bitcoin Cash's split, and a way of its own from 2020 on.
    await expect(cash.probe()).rejects.toThrow(/block 661648 .* expected 0+29e471c/);
    blocks[478_559] = '00000000000000000019f112ec0a9982926f1258cdcc558dd7c3b7e5dc7fa148';
    await expect(cash.probe()).rejects.toThrow(/block 478559 .* expected 0+651ef/);
    const bitcoin = adapters.create(proxy.url, 'bitcoin', 'mainnet');
    await bitcoin.probe();
    const dogecoin = adapters.create(proxy.url, 'dogecoin', 'mainnet');
    await expect(dogecoin.probe()).rejects.toThrow(/block 0 .* expected 1a91e3da/);
    await adapters.close();
    await proxy.stop();
  });
});
