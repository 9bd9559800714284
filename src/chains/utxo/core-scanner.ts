import type { UnspentOutput, UnspentScanner } from '../chain-auditor.pure.js';
import { parseDecimal } from '../../money/money.js';
import { JsonFloat } from '../../platform/kernel/exact-json.pure.js';
import { ChainInconsistencyError } from '../chain-adapter.pure.js';
import type { JsonRpc } from '../json-rpc.js';
import { RpcError } from '../rpc-error.pure.js';
import { malformed, toHash, toHeight, toList, toObject, toText } from './utxo-source.js';

/** Milliseconds; on Bitcoin's main network a scan takes minutes. */
export const SCAN_DEADLINE = 30 * 60_000;
/** Of every chain with this RPC. */
const COIN_DECIMALS = 8;
/** Scripts per scan: a request of some megabytes. */
const SCRIPTS = 20_000;

/** `scantxoutset` of Bitcoin Core 0.17 and later. Amounts are decimal coins. */
export class CoreScanner implements UnspentScanner {
  /** @param rpc with a deadline of {@link SCAN_DEADLINE} */
  constructor(private readonly rpc: JsonRpc) {}

  async scan(keys: readonly Buffer[]) {
    const outputs: UnspentOutput[] = [];
    let at = { height: 0, hash: '' };
    for (let start = 0; start < keys.length; start += SCRIPTS) {
      const scripts = keys.slice(start, start + SCRIPTS).map((key) => `raw(${key.toString('hex')})`);
      let answer: Record<string, unknown>;
      try {
        answer = toObject(await this.rpc.callExact('scantxoutset', 'start', scripts));
      } catch (error) {
        if (error instanceof RpcError && error.isUnsupported) return null;
        throw error;
      }
      if (answer['success'] !== true) throw new ChainInconsistencyError('the node gave up its scan');
      // With several scans, the block of the first: later outputs are not in all of them.
      if (start === 0) at = { height: toHeight(answer['height']), hash: toHash(answer['bestblock']) };
      outputs.push(...toList(answer['unspents']).map(toOutput));
    }
    return { at, outputs };
  }
}

function toOutput(value: unknown): UnspentOutput {
  const { txid, vout, scriptPubKey, height, amount } = toObject(value);
  const coins = amount instanceof JsonFloat ? amount.text : amount;
  if (typeof coins !== 'string' && typeof coins !== 'number') throw malformed('amount');
  return {
    key: Buffer.from(toText(scriptPubKey), 'hex'),
    txHash: toHash(txid),
    ordinal: `vout:${toHeight(vout)}`,
    height: toHeight(height),
    amount: parseDecimal(String(coins), COIN_DECIMALS),
  };
}
