import type { HDKey } from '@scure/bip32';
import { utxoAddress } from '../../src/chains/utxo/utxo-address.pure.js';
import type { EngineHarness } from './engine-harness.js';
import { type NodeOptions, startUtxoNode, type UtxoNode } from './litecoind.js';
import { breakingAfter, type RpcHarness } from './rpc-faults.js';
import { RpcProxy } from './rpc-proxy.js';
import { Shop } from './shop.js';
import { PATIENCE_MS, watchDeadlines } from './silence.js';
import { bitcoinAccount } from './utxo-account.js';
import { utxoDriver } from './utxo-driver.js';

const ADDRESSES = 500;
/** Bitcoin Core: no such transaction. */
const NOT_FOUND = -5;

/** What is the same however the gateway reads the node. */
type UtxoShop = Pick<
  EngineHarness,
  'shop' | 'slug' | 'method' | 'confirmations' | 'driver' | 'keyOf' | 'payFully' | 'close'
>;

/** @param source where the gateway reads the chain (RPC_URL or ESPLORA_URL), and what else is special about it */
export async function openUtxoShop(node: UtxoNode, source: Record<string, string>): Promise<UtxoShop> {
  const account = bitcoinAccount(Buffer.alloc(32, 7));
  const forgetDeadlines = watchDeadlines();
  const shop = await Shop.open({
    CHAIN_BITCOIN_NETWORK: 'regtest',
    CHAIN_RPC_TIMEOUT_MS: String(PATIENCE_MS),
    WALLET_BITCOIN_XPUB: account.publicExtendedKey,
    ...source,
  });
  shop.rates.setPrice('BTC', 'USD', '50000');
  const keys = accountKeys(account);
  const driver = utxoDriver(node);
  const keyOf: EngineHarness['keyOf'] = ({ address }) => {
    const key = keys.get(address);
    if (!key) throw new Error(`${address} is not of the account`);
    return key;
  };
  return {
    shop,
    slug: 'bitcoin',
    method: 'btc',
    confirmations: 2,
    driver,
    keyOf,
    payFully: async (payment) => {
      const instructions = await shop.instructions(payment, 'btc', 'bitcoin');
      const [key, due] = [keyOf(instructions), BigInt(instructions.amount.amount)];
      await driver.pay([{ key, amount: due / 2n }]);
      await driver.pay([{ key, amount: due - due / 2n }]);
    },
    close: async () => {
      await shop.close();
      forgetDeadlines();
    },
  };
}

/** Bitcoin in regtest, on a litecoind without extension blocks. */
export async function openUtxoHarness(options: NodeOptions = {}): Promise<RpcHarness> {
  const node = await startUtxoNode(options);
  const faulty = await RpcProxy.start(node.url);
  const harness = await openUtxoShop(node, { CHAIN_BITCOIN_RPC_URL: faulty.url });
  return {
    ...harness,
    faulty,
    ask: (method, ...params) => node.rpc(method, params),
    forget: async (txHash) => {
      const gone = (id: unknown) => ({ id, error: { code: NOT_FOUND, message: 'No such transaction' } });
      faulty.setFaults({
        getrawmempool: async (_call, answer) => {
          const reply = await answer();
          return { ...reply, result: (reply.result as string[]).filter((hash) => hash !== txHash) };
        },
        getrawtransaction: ({ id, params: [hash] }, answer) => (hash === txHash ? gone(id) : answer()),
      });
      return async () => faulty.setFaults({});
    },
    breakAfter: (calls) => faulty.setFaults(breakingAfter(calls)),
    faulted: () => faulty.faulted,
    clearFaults: () => faulty.setFaults({}),
    close: async () => {
      await harness.close();
      await faulty.stop();
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
