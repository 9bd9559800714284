import { ChainInconsistencyError } from '../chain-adapter.pure.js';
import type { JsonRpc } from '../json-rpc.js';
import type { OutputClaim, OutputReader, OutputState } from '../output-reader.pure.js';
import { RpcError } from '../rpc-error.pure.js';
import { perByte } from './fee-rate.pure.js';
import { checkedPrevious, MAX_PREVIOUS_BYTES } from './previous-transaction.pure.js';
import { toHash, toObject, toText } from './utxo-source.js';

/** Outputs asked for together: of a node that fails meanwhile, the others are known. */
const TOGETHER = 100;
/** Fewer, because each may have 400 kB. */
const TRANSACTIONS_TOGETHER = 20;
/** Blocks until a transaction should be mined. */
const TARGET = 6;

/** Of a node with Bitcoin Core's RPC interface, with or without a transaction index, also pruned. */
export class CoreOutputs implements OutputReader {
  readonly most = 1_000;

  constructor(private readonly rpc: JsonRpc) {}

  async states(claims: readonly OutputClaim[]): Promise<OutputState[]> {
    const states: OutputState[] = [];
    for (let start = 0; start < claims.length; start += TOGETHER) {
      const some = claims.slice(start, start + TOGETHER);
      states.push(
        ...(await orElse(
          () => this.ask(some),
          some.map((): OutputState => 'unread'),
        )),
      );
    }
    return states;
  }

  async previous(claims: readonly OutputClaim[]): Promise<(Buffer | null)[]> {
    const known = new Map<string, Buffer>();
    const wanted = [...new Map(claims.map((claim) => [claim.txHash, claim])).values()];
    let bytes = 0;
    for (let start = 0; start < wanted.length && bytes < MAX_PREVIOUS_BYTES; start += TRANSACTIONS_TOGETHER) {
      const some = wanted.slice(start, start + TRANSACTIONS_TOGETHER);
      const found = await orElse(() => this.askForTransactions(some), []);
      for (const [i, { txHash }] of some.entries()) {
        const transaction = checkedPrevious(found[i], txHash);
        if (transaction === null) continue;
        bytes += transaction.length;
        known.set(txHash, transaction);
      }
    }
    return claims.map(({ txHash }) => known.get(txHash) ?? null);
  }

  async feeRate(): Promise<bigint | null> {
    return orElse(async () => {
      const { feerate } = toObject(await this.rpc.callExact('estimatesmartfee', TARGET));
      return perByte(feerate, 'coins-for-1000');
    }, null);
  }

  private async ask(claims: readonly OutputClaim[]): Promise<OutputState[]> {
    const found = await this.rpc.settle(claims.map(({ txHash, vout }) => ['gettxout', [txHash, vout, true]]));
    // A null is of an output that is spent, or that this node has never seen: its block tells which.
    const heights = [...new Set(claims.flatMap(({ height }, i) => (found[i] === null ? [height] : [])))];
    const hashes = await this.rpc.settle(heights.map((height) => ['getblockhash', [height]]));
    const canonical = new Map(heights.map((height, i) => [height, hashes[i]]));
    return claims.map(({ key, height, blockHash }, i) => {
      const output = found[i];
      if (output instanceof RpcError) return 'unread';
      if (output === null) return canonical.get(height) === blockHash ? 'spent' : 'unknown';
      return toText(toObject(toObject(output)['scriptPubKey'])['hex']) === key.toString('hex')
        ? 'unspent'
        : 'unknown';
    });
  }

  /** By their blocks; from nodes that do not take those (Dogecoin Core 1.14), by the output that is unspent. */
  private async askForTransactions(claims: readonly OutputClaim[]): Promise<unknown[]> {
    const found = await this.rpc.settle(
      claims.map(({ txHash, blockHash }) => ['getrawtransaction', [txHash, false, toHash(blockHash)]]),
    );
    const missing = claims.filter((_claim, i) => found[i] instanceof RpcError);
    const again = await this.rpc.settle(missing.map(({ txHash }) => ['getrawtransaction', [txHash, false]]));
    return claims.map((claim, i) => {
      const place = missing.indexOf(claim);
      return place < 0 ? found[i] : again[place];
    });
  }
}

/** What is said when the node fails. */
async function orElse<T>(ask: () => Promise<T>, otherwise: T): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof RpcError || error instanceof ChainInconsistencyError) return otherwise;
    throw error;
  }
}
