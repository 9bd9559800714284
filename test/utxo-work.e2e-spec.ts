import { scryptSync } from 'node:crypto';
import { ChainWatcherService } from '../src/chain-watcher/chain-watcher.service.js';
import { reversed, sha256Twice } from '../src/chains/utxo/byte-reader.pure.js';
import { UsersService } from '../src/identity/oauth/people/users.service.js';
import { describeWithLitecoin, startUtxoNode, type UtxoNode } from './support/litecoind.js';
import { createOwner, type Owner } from './support/principals.js';
import { changed, RpcProxy } from './support/rpc-proxy.js';
import { Shop } from './support/shop.js';
import { bitcoinAccount } from './support/utxo-account.js';
import { UtxoAdapters } from './support/utxo-chain.js';

/** What `getdifficulty` says of a private network: every second try is a block. */
const EASY = 4.656e-10;
const TARGET = 0x7f_ffffn << 232n;
const HEADER_BYTES = 80;
const NONCE = 76;

/** The same block with a nonce without proof of work. */
function withoutWork(raw: string): { hash: string; raw: string } {
  const bytes = Buffer.from(raw, 'hex');
  const header = bytes.subarray(0, HEADER_BYTES);
  const work = () => BigInt(`0x${reversed(scryptSync(header, header, 32, { N: 1_024, r: 1, p: 1 }))}`);
  for (let nonce = 0; ; nonce++) {
    header.writeUInt32LE(nonce, NONCE);
    if (work() > TARGET) return { hash: reversed(sha256Twice(header)), raw: bytes.toString('hex') };
  }
}

describeWithLitecoin('the proof of work of blocks', () => {
  let node: UtxoNode;

  beforeAll(async () => {
    node = await startUtxoNode();
  });
  afterAll(() => node?.stop());

  describe('in the adapter', () => {
    const adapters = new UtxoAdapters();
    afterAll(() => adapters.close());

    it.each(['litecoin', 'dogecoin'] as const)(
      'matches that of a real node block by block: %s',
      async (family) => {
        const adapter = adapters.create(node.url, family, 'regtest', { minDifficulty: EASY });
        const tip = await adapter.tip();
        for (let height = tip.height - 30; height <= tip.height; height++) {
          const hash = await node.hashAt(height);
          expect((await adapter.header(height))?.hash).toBe(hash);
          expect((await adapter.block(height))?.hash).toBe(hash);
        }
        const range = await adapter.blocks?.(tip.height - 30, 31);
        expect(range?.length).toBeGreaterThan(0);
      },
    );

    it('is refused when it is of another algorithm, or too little', async () => {
      const { height } = await adapters.create(node.url).tip();
      const heights = Array.from({ length: 40 }, (_, i) => height - i);
      const other = adapters.create(node.url, 'bitcoin', 'regtest', { minDifficulty: EASY });
      const read = await Promise.allSettled(heights.map((at) => other.block(at)));
      const reasons = read.flatMap((one) => (one.status === 'rejected' ? [String(one.reason)] : []));
      // Half of all hashes are small enough.
      expect(reasons.length).toBeGreaterThan(5);
      for (const reason of reasons)
        expect(reason).toMatch(/bitcoin: block [0-9a-f]{64} lacks the work that it names$/);
      const much = adapters.create(node.url, 'litecoin', 'regtest', { minDifficulty: 1 });
      const problem = /has the difficulty 4\.656\d*e-10, and not 1 at least$/;
      await expect(much.block(height)).rejects.toThrow(problem);
      await expect(much.header(height)).rejects.toThrow(problem);
      await expect(much.blocks?.(height - 20, 20)).rejects.toThrow(problem);
    });
  });

  describe('at the gateway', () => {
    let proxy: RpcProxy;
    let shop: Shop;
    let operator: Owner;

    beforeAll(async () => {
      proxy = await RpcProxy.start(node.url);
      shop = await Shop.open({
        CHAIN_LITECOIN_RPC_URL: proxy.url,
        CHAIN_LITECOIN_NETWORK: 'regtest',
        CHAIN_LITECOIN_MIN_DIFFICULTY: String(EASY),
        CHAIN_LITECOIN_CONFIRMATIONS: '1',
      });
      shop.rates.setPrice('LTC', 'USD', '80');
      operator = await createOwner(shop.gateway);
      await shop.gateway.get(UsersService).setOperator(operator.userId, true);
    });
    afterAll(async () => {
      await shop?.close();
      await proxy?.stop();
    });

    async function watch(): Promise<void> {
      await shop.gateway.get(ChainWatcherService).drain('litecoin');
      await shop.settle();
    }

    it('is required before a payment counts', async () => {
      const application = await shop.application();
      const wallet = {
        extendedPublicKey: bitcoinAccount(Buffer.alloc(32, 11)).publicExtendedKey,
        scriptType: 'p2wpkh',
      };
      const path = `/api/payment-applications/${application.id}/wallets/litecoin`;
      expect((await shop.call('PUT', path, shop.owner.accessToken, wallet)).status).toBe(200);
      const payment = await shop.createPayment(application);
      const { address, amount } = await shop.instructions(payment, 'ltc', 'litecoin');
      await watch();
      const { scriptPubKey } = await node.rpc<{ scriptPubKey: string }>('validateaddress', [address]);
      await node.pay([{ key: Buffer.from(scriptPubKey, 'hex'), amount: BigInt(amount.atomic) }]);
      const height = await node.mine();
      const real = await node.hashAt(height);
      const raw = await node.rpc<string>('getblock', [real, 0]);
      const madeUp = withoutWork(raw);
      expect(madeUp.hash).not.toBe(real);

      proxy.setFaults({
        getblockchaininfo: changed((result: object) => ({ ...result, bestblockhash: madeUp.hash })),
        getblockhash: ({ id, params }, answer) =>
          params[0] === height ? { id, result: madeUp.hash } : answer(),
        getblock: ({ id, params }, answer) =>
          params[0] === madeUp.hash ? { id, result: madeUp.raw } : answer(),
      });
      await watch();
      expect(await shop.status(payment)).not.toBe('CONFIRMED');
      const { body } = await shop.call<{ slug: string; endpoint: { error: string } }[]>(
        'GET',
        '/api/admin/chains',
        operator.accessToken,
      );
      expect(body.data.find(({ slug }) => slug === 'litecoin')?.endpoint.error).toBe(
        `litecoin: block ${madeUp.hash} lacks the work that it names`,
      );

      proxy.setFaults({});
      await watch();
      expect(await shop.status(payment)).toBe('CONFIRMED');
    });
  });
});
