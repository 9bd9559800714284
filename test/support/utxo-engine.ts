import type { HDKey } from '@scure/bip32';
import { utxoAddress } from '../../src/chains/utxo/utxo-address.pure.js';
import type { EngineWorld } from './engine-world.js';
import { type NodeOptions, startUtxoNode, type UtxoNode } from './litecoind.js';
import { breakingAfter, type RpcWorld } from './rpc-lies.js';
import { RpcProxy } from './rpc-proxy.js';
import { Shop } from './shop.js';
import { bitcoinAccount } from './utxo-account.js';
import { utxoHand } from './utxo-hand.js';

const ADDRESSES = 500;
/** Milliseconds; a busy machine must not look like a node that hangs. */
const RPC_TIMEOUT = '2000';
/** Bitcoin Core: no such transaction. */
const NOT_FOUND = -5;

/** What is the same however the gateway reads the node. */
type UtxoShop = Pick<
  EngineWorld,
  'shop' | 'slug' | 'method' | 'confirmations' | 'hand' | 'keyOf' | 'payFully'
>;

/** @param source where the gateway reads the chain (RPC_URL or ESPLORA_URL), and what else is special about it */
export async function openUtxoShop(node: UtxoNode, source: Record<string, string>): Promise<UtxoShop> {
  const account = bitcoinAccount(Buffer.alloc(32, 7));
  const shop = await Shop.open({
    CHAIN_BITCOIN_NETWORK: 'regtest',
    CHAIN_RPC_TIMEOUT_MS: RPC_TIMEOUT,
    WALLET_BITCOIN_XPUB: account.publicExtendedKey,
    ...source,
  });
  shop.rates.setPrice('BTC', 'USD', '50000');
  const keys = accountKeys(account);
  const hand = utxoHand(node);
  const keyOf: EngineWorld['keyOf'] = ({ address }) => {
    const key = keys.get(address);
    if (!key) throw new Error(`${address} is not of the account`);
    return key;
  };
  return {
    shop,
    slug: 'bitcoin',
    method: 'btc',
    confirmations: 2,
    hand,
    keyOf,
    payFully: async (payment) => {
      const instructions = await shop.instructions(payment, 'btc', 'bitcoin');
      const [key, due] = [keyOf(instructions), BigInt(instructions.amount.amount)];
      await hand.pay([{ key, amount: due / 2n }]);
      await hand.pay([{ key, amount: due - due / 2n }]);
    },
  };
}

/** Bitcoin in regtest, on a litecoind without extension blocks. */
export async function openUtxoWorld(options: NodeOptions = {}): Promise<RpcWorld> {
  const node = await startUtxoNode(options);
  const liar = await RpcProxy.start(node.url);
  const world = await openUtxoShop(node, { CHAIN_BITCOIN_RPC_URL: liar.url });
  return {
    ...world,
    liar,
    ask: (method, ...params) => node.rpc(method, params),
    forget: async (txHash) => {
      const gone = (id: unknown) => ({ id, error: { code: NOT_FOUND, message: 'No such transaction' } });
      liar.tell({
        getrawmempool: async (_call, answer) => {
          const reply = await answer();
          return { ...reply, result: (reply.result as string[]).filter((hash) => hash !== txHash) };
        },
        getrawtransaction: ({ id, params: [hash] }, answer) => (hash === txHash ? gone(id) : answer()),
      });
      return async () => liar.tell({});
    },
    breakAfter: (calls) => liar.tell(breakingAfter(calls)),
    lied: () => liar.lied,
    beHonest: () => liar.tell({}),
    close: async () => {
      await world.shop.close();
      await liar.stop();
      await node.stop();
    },
  };
}

function accountKeys(account: HDKey): Map<string, Buffer> {
  const branch = account.deriveChild(0);
  return new Map(
    Array.from({ length: ADDRESSES }, (_, i) => {
      const { publicKey } = branch.deriveChild(i);
      if (!publicKey) throw new Error('no key');
      const { address, key } = utxoAddress(publicKey, 'bitcoin', 'regtest', 'p2wpkh');
      return [address, key] as const;
    }),
  );
}
