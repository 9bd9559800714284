import { JsonFloat } from '../../src/platform/kernel/exact-json.pure.js';
import { parseDecimal } from '../../src/money/money.js';
import type { EngineDriver } from './chain-driver.js';
import { FEE, type UtxoNode } from './litecoind.js';
import { newScriptKey } from './utxo-chain.js';

/** Acts on a litecoind, or any UTXO node. */
export function utxoDriver(node: UtxoNode): EngineDriver {
  return {
    large: 1_500_000_001n,
    newKey: newScriptKey,
    pay: (outputs) => node.pay(outputs),
    mine: (blocks) => node.mine(blocks),
    fork: (depth, keep) => node.fork(depth, keep),
    rollback: (depth) => node.rollback(depth),
    rivals: async (one, other) => {
      const more = one.amount > other.amount ? one.amount : other.amount;
      const coin = await node.coin(more + 10n * FEE + 100_000n);
      return [await node.sign([coin], [one]), await node.sign([coin], [other], 5n * FEE)];
    },
    signed: (txHash) => node.rpc<string>('getrawtransaction', [txHash, false]),
    submit: async (raw) => {
      const { txid } = await node.rpc<{ txid: string }>('decoderawtransaction', [raw]);
      const waiting = await node.rpc<string[]>('getrawmempool');
      return waiting.includes(txid) ? txid : node.broadcast(raw);
    },
    // Payments of tests are never spent, so the unspent outputs are all that was ever paid.
    paid: async (keys) => {
      if (keys.length === 0) return [];
      type Unspent = { scriptPubKey: string; amount: number | JsonFloat };
      const wanted = keys.map((key) => `raw(${key.toString('hex')})`);
      const { unspents } = await node.rpc<{ unspents: Unspent[] }>('scantxoutset', ['start', wanted]);
      return keys.map((key) =>
        unspents
          .filter(({ scriptPubKey }) => scriptPubKey === key.toString('hex'))
          .map(({ amount }) => parseDecimal(amount instanceof JsonFloat ? amount.text : String(amount), 8))
          .reduce((sum, units) => sum + units, 0n),
      );
    },
    tip: async () => {
      const hash = await node.rpc<string>('getbestblockhash');
      return { height: await node.height(), hash };
    },
  };
}
