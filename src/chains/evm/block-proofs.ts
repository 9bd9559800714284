import type { BlockHeader, ObservedTransfer } from '../chain-adapter.pure.js';
import type { JsonRpc } from '../json-rpc.js';
import { RpcError } from '../rpc-error.pure.js';
import {
  BlockForgedError,
  checkProof,
  missingBytes,
  RootMismatchError,
  readShownBlock,
  type ShownBlock,
} from './block-proof.pure.js';
import { toBytes, toList, toObject } from './evm-wire.pure.js';
import { isHashOfHeader } from './header-hash.pure.js';

/** `lacks`: what the node does not show, so that it could not be proven; null when it is. */
export interface Proof {
  lacks: string | null;
}

/**
 * Chains whose encoding of receipts was verified with real blocks (receipt-encoding.pure.spec.ts). Elsewhere a root that
 * differs may be due to an encoding of the chain's own: the transfer waits, and the chain is read on.
 */
export const VERIFIED_CHAINS: ReadonlySet<string> = new Set(['ethereum', 'optimism', 'base']);

/**
 * Proves that transfers are in a block by the block's own hash: the header's fields have that hash, and its roots are those
 * of the block's transactions and receipts (specification/chains.md#proof). A node can then not add, change or move one.
 * It can still make up whole blocks, and the amounts of internal payments, which no root covers.
 */
export class BlockProofs {
  constructor(
    private readonly rpc: JsonRpc,
    private readonly chain: string,
  ) {}

  /** @returns null when the node does not have the block @throws ChainInconsistencyError when the block is another one */
  async prove(block: BlockHeader, transfers: readonly ObservedTransfer[]): Promise<Proof | null> {
    try {
      const reply = await this.rpc.call('eth_getBlockByHash', block.hash, true);
      return reply === null
        ? null
        : { lacks: await this.check(readShownBlock(reply, block), block, transfers) };
    } catch (error) {
      if (error instanceof RpcError && error.isUnsupported) return { lacks: error.message };
      if (!(error instanceof BlockForgedError)) throw error;
      throw new BlockForgedError(`${this.chain}: block ${block.height} is not proven: ${error.message}`, {
        cause: error,
      });
    }
  }

  private async check(
    shown: ShownBlock,
    { hash }: BlockHeader,
    transfers: readonly ObservedTransfer[],
  ): Promise<string | null> {
    if (!shown.isHashed) {
      // After an upgrade of the chain no header of it may be known here.
      const latest = await this.rpc.call('eth_getBlockByNumber', 'latest', false);
      if (!isHashOfHeader(toObject(latest, 'block')))
        return 'the hash of its headers is not that of the fields known here';
      throw new BlockForgedError('the header does not have its hash');
    }
    const bytes = await this.bytes(missingBytes(shown));
    const receipts = await this.receipts(hash, shown);
    try {
      return checkProof(shown, receipts, bytes, transfers);
    } catch (error) {
      if (!(error instanceof RootMismatchError) || VERIFIED_CHAINS.has(this.chain)) throw error;
      return error.message;
    }
  }

  /** Signed bytes of transactions, as far as the node shows them. */
  private async bytes(txHashes: readonly string[]): Promise<Map<string, Buffer>> {
    const found = await this.rpc.settle(txHashes.map((hash) => ['eth_getRawTransactionByHash', [hash]]));
    return new Map(
      txHashes.flatMap((hash, i) => {
        const isShown = typeof found[i] === 'string';
        return isShown ? [[hash, toBytes(found[i], 'transaction')] as const] : [];
      }),
    );
  }

  private async receipts(hash: string, { transactions }: ShownBlock): Promise<unknown[]> {
    try {
      return toList(await this.rpc.call('eth_getBlockReceipts', hash), 'receipt list');
    } catch (error) {
      if (!(error instanceof RpcError) || !error.isUnsupported) throw error;
      return this.rpc.batch(transactions.map((one) => ['eth_getTransactionReceipt', [one.hash]]));
    }
  }
}
