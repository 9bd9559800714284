import {
  type BlockHeader,
  type BlockRef,
  type ChainAdapter,
  ChainInconsistencyError,
  type Credit,
  type Mempool,
  type MempoolTransaction,
  type ObservedBlock,
  type ObservedTransaction,
  type ObservedTransfer,
  type TransactionFate,
  type TransferCandidate,
} from '../chain-adapter.js';
import type { Chain } from '../chain-catalogue.js';
import { type JsonRpc, RpcError } from '../json-rpc.js';
import { isUtxoFamily, type UtxoFamily, type UtxoNetwork, utxoTraits } from './utxo-network.js';
import { parseBlock, parseHeader, parseTransaction, type UtxoTransaction } from './utxo-wire.js';

/** Error codes of Bitcoin Core (src/rpc/protocol.h). */
const NOT_FOUND = -5;
const OUT_OF_RANGE = -8;
const HASH = /^[0-9a-f]{64}$/;

/** Which output of its transaction a candidate is, and what that transaction spends. */
interface OutputLocator {
  vout: number;
  inputs: string[];
}

/**
 * One chain of Bitcoin's kind through one node that speaks Bitcoin Core's RPC. Blocks and transactions come as raw
 * bytes: amounts are exact integers, and a block proves itself, its header by its hash and its transactions by the
 * Merkle root. A transaction index (txindex) is not needed.
 */
export class UtxoAdapter implements ChainAdapter {
  readonly chain: string;
  readonly family: UtxoFamily;
  private readonly network: UtxoNetwork;

  constructor(
    chain: Chain,
    private readonly rpc: JsonRpc,
  ) {
    if (!isUtxoFamily(chain.family) || !chain.network) throw new Error(`${chain.slug} is no UTXO chain`);
    this.chain = chain.slug;
    this.family = chain.family;
    this.network = utxoTraits(chain.family).networks[chain.network];
  }

  async probe(): Promise<void> {
    const { chainName, genesisHash, checkpoint } = this.network;
    const { name, height } = await this.chainInfo();
    if (name !== chainName) {
      throw new Error(`${this.chain}: the node is of the network "${name}", expected "${chainName}"`);
    }
    if (genesisHash !== null) await this.demandHash(0, genesisHash);
    // A node that still catches up has not come that far; it is asked again when it has answered wrongly.
    if (checkpoint && height >= checkpoint.height) await this.demandHash(checkpoint.height, checkpoint.hash);
  }

  async tip(): Promise<BlockRef> {
    const { height, hash } = await this.chainInfo();
    return { height, hash };
  }

  async header(height: number): Promise<BlockHeader | null> {
    const hash = await this.hashAt(height);
    if (hash === null) return null;
    const header = parseHeader(toText(await this.rpc.call('getblockheader', hash, false)));
    return { height, ...this.checked(header, hash) };
  }

  async block(height: number): Promise<ObservedBlock | null> {
    const hash = await this.hashAt(height);
    if (hash === null) return null;
    const raw = toText(await this.rpc.call('getblock', hash, false));
    const { header, transactions } = parseBlock(raw, this.family === 'dogecoin');
    return {
      height,
      ...this.checked(header, hash),
      candidates: transactions.flatMap(candidatesOf),
      spends: new Map(
        transactions.flatMap(({ inputs, txHash }) => inputs.map((outpoint) => [outpoint, txHash] as const)),
      ),
    };
  }

  /** The block proved itself when it was read; what may have changed is whether the chain still holds it. */
  async verify(block: ObservedBlock, candidates: TransferCandidate[]): Promise<ObservedTransfer[]> {
    if (candidates.length === 0) return [];
    if ((await this.hashAt(block.height)) !== block.hash) {
      throw new ChainInconsistencyError(`${this.chain}: the node has left block ${block.height}`);
    }
    return candidates.map(toTransfer);
  }

  /**
   * With a transaction index the node also knows what only stale blocks hold: such a transaction has no
   * confirmations. Without one it knows the mempool alone, and a mined transaction is known by its block.
   */
  async transactionFate(txHash: string): Promise<TransactionFate> {
    const found = await this.findTransaction(txHash);
    return typeof found === 'string' ? found : 'mined';
  }

  /** As far as the node knows it: without a transaction index a mined one is unknown. */
  async transaction(txHash: string): Promise<ObservedTransaction> {
    const found = await this.findTransaction(txHash);
    if (typeof found === 'string') return { fate: found };
    const transaction = parseTransaction(found.raw);
    if (transaction.txHash !== txHash)
      throw new ChainInconsistencyError(`${this.chain}: the node sent another transaction`);
    const credits = candidatesOf(transaction).map(({ asset, key, amount }): Credit => ({
      asset,
      key,
      amount,
    }));
    // What a block of this kind of chain holds has succeeded.
    return { fate: 'mined', confirmations: found.confirmations, succeeded: true, credits };
  }

  readonly mempool: Mempool = {
    list: async () => {
      const hashes = await this.rpc.call('getrawmempool');
      if (!Array.isArray(hashes)) throw malformed('mempool');
      return hashes.map(toHash);
    },
    read: async (txHashes) => {
      const found = await this.rpc.settle(txHashes.map((hash) => ['getrawtransaction', [hash, false]]));
      return found.flatMap((raw, i) => this.readUnmined(raw, txHashes[i] ?? ''));
    },
  };

  /** A hidden method of Bitcoin Core that answers at the next block. */
  async waitForBlock(maxMs: number, signal: AbortSignal): Promise<void> {
    await this.rpc.callUntil(signal, 'waitfornewblock', maxMs);
  }

  private readUnmined(raw: unknown, txHash: string): MempoolTransaction[] {
    if (raw instanceof RpcError) {
      if (raw.code === NOT_FOUND) return [];
      throw raw;
    }
    const transaction = parseTransaction(toText(raw));
    // Wholly inside Litecoin's extension block: it has another kind of hash, and pays nothing that anybody can see.
    if (transaction.outputs.length === 0) return [];
    if (transaction.txHash !== txHash)
      throw new ChainInconsistencyError(`${this.chain}: the node sent another transaction`);
    const { inputs } = transaction;
    return [{ txHash, inputs, transfers: candidatesOf(transaction).map(toTransfer) }];
  }

  private async findTransaction(
    txHash: string,
  ): Promise<{ raw: string; confirmations: number } | 'mempool' | 'unknown'> {
    let found: unknown;
    try {
      found = await this.rpc.call('getrawtransaction', txHash, true);
    } catch (error) {
      if (error instanceof RpcError && error.code === NOT_FOUND) return 'unknown';
      throw error;
    }
    const { txid, blockhash, confirmations, hex } = toObject(found);
    if (txid !== txHash)
      throw new ChainInconsistencyError(`${this.chain}: the node sent another transaction`);
    if (blockhash === undefined) return 'mempool';
    if (typeof confirmations !== 'number' || !Number.isSafeInteger(confirmations) || confirmations < 1)
      return 'unknown';
    return { raw: toText(hex), confirmations };
  }

  private async chainInfo(): Promise<{ name: string; height: number; hash: string }> {
    const { chain, blocks, bestblockhash } = toObject(await this.rpc.call('getblockchaininfo'));
    if (typeof blocks !== 'number' || !Number.isSafeInteger(blocks) || blocks < 0) throw malformed('height');
    return { name: toText(chain), height: blocks, hash: toHash(bestblockhash) };
  }

  /** Null above the tip. */
  private async hashAt(height: number): Promise<string | null> {
    try {
      return toHash(await this.rpc.call('getblockhash', height));
    } catch (error) {
      if (error instanceof RpcError && error.code === OUT_OF_RANGE) return null;
      throw error;
    }
  }

  private async demandHash(height: number, expected: string): Promise<void> {
    const found = await this.hashAt(height);
    if (found !== expected) {
      throw new Error(`${this.chain}: block ${height} of the node is ${String(found)}, expected ${expected}`);
    }
  }

  private checked<T extends { hash: string }>(header: T, hash: string): T {
    if (header.hash !== hash) throw new ChainInconsistencyError(`${this.chain}: the node sent another block`);
    return header;
  }
}

function candidatesOf({ txHash, inputs, outputs }: UtxoTransaction): TransferCandidate[] {
  return outputs.flatMap(({ script, amount }, vout) => {
    const locator: OutputLocator = { vout, inputs };
    return amount > 0n ? [{ key: script, asset: 'native', amount, txHash, locator }] : [];
  });
}

function toTransfer({ txHash, asset, key, amount, locator }: TransferCandidate): ObservedTransfer {
  const { vout, inputs } = locator as OutputLocator;
  return { txHash, ordinal: `vout:${vout}`, asset, key, amount, inputs };
}

function toObject(value: unknown): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw malformed('answer');
  return value as Record<string, unknown>;
}

function toText(value: unknown): string {
  if (typeof value !== 'string') throw malformed('text');
  return value;
}

function toHash(value: unknown): string {
  if (typeof value !== 'string' || !HASH.test(value)) throw malformed('hash');
  return value;
}

function malformed(field: string): ChainInconsistencyError {
  return new ChainInconsistencyError(`the node sent a malformed ${field}`);
}
