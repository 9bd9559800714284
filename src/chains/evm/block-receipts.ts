import { ChainInconsistencyError, type TransferCandidate } from '../chain-adapter.pure.js';
import type { JsonRpc } from '../json-rpc.js';
import { findMisfit, readReceipts, type ShownReceipts } from './block-cover.js';
import { VERIFIED_CHAINS } from './block-proofs.js';
import { readAnother, type ShownBlock } from './evm-blocks.js';
import { parseReceipts } from './receipts-text.js';

/** Reads the transfers of a block again, in another way than by its receipts. */
type ReadLogs = (block: ShownBlock) => Promise<TransferCandidate[]>;

/**
 * Reads the token transfers of blocks from their receipts, as far as the header covers these
 * (specification/chains.md#completeness). A chain may encode receipts in its own way, or change its encoding with an
 * upgrade. That must not stop it: what does not fit is refused on chains whose encoding was verified, while another block
 * fits; elsewhere the logs must then show the same.
 */
export class BlockReceipts {
  /** Since receipts did not fit their header on a chain for which that may be right, until some fit. */
  private isUnknown = false;

  constructor(
    private readonly rpc: JsonRpc,
    private readonly chain: string,
    private readonly tokens: ReadonlySet<string>,
  ) {}

  /** What does not hold for this chain, in words for the operator. */
  get lack(): string | null {
    return this.isUnknown
      ? 'headers that cover the receipts: a log that it leaves out of both receipts and logs is not noticed'
      : null;
  }

  /**
   * Transfers of each block.
   * @param isProven see {@link findMisfit}
   * @throws ChainInconsistencyError when receipts do not belong to the header
   */
  async read(
    blocks: readonly ShownBlock[],
    isProven: boolean,
    readLogs: ReadLogs,
  ): Promise<TransferCandidate[][]> {
    const shown = await this.receipts(blocks);
    const found: TransferCandidate[][] = [];
    for (const [i, block] of blocks.entries()) {
      const receipts = shown[i];
      if (!receipts) throw new ChainInconsistencyError(`${this.chain}: receipts of a block are missing`);
      const why = this.misfitOf(block, receipts, isProven);
      if (why !== null) await this.refuse(block, receipts, why, readLogs);
      else if (receipts.receipts.length > 0) this.isUnknown = false;
      found.push(receipts.candidates);
    }
    return found;
  }

  private async receipts(blocks: readonly ShownBlock[]): Promise<ShownReceipts[]> {
    const replies = await this.rpc.batchParsed(
      blocks.map(({ header }) => ['eth_getBlockReceipts', [header.hash]]),
      parseReceipts,
    );
    return blocks.map(({ header }, i) => readReceipts(header, replies[i], this.tokens));
  }

  private misfitOf({ header, json }: ShownBlock, receipts: ShownReceipts, isProven: boolean): string | null {
    return findMisfit(header, json['receiptsRoot'], receipts, isProven && VERIFIED_CHAINS.has(this.chain));
  }

  private async refuse(
    block: ShownBlock,
    { candidates }: ShownReceipts,
    why: string,
    readLogs: ReadLogs,
  ): Promise<void> {
    const { height } = block.header;
    const refusal = new ChainInconsistencyError(
      `${this.chain}: the node left out logs of block ${height}: ${why}`,
    );
    if (VERIFIED_CHAINS.has(this.chain)) this.isUnknown ||= await this.isAnotherUnknown(block);
    else this.isUnknown = true;
    if (!this.isUnknown || (await readLogs(block)).length !== candidates.length) throw refusal;
  }

  private async isAnotherUnknown({ header }: ShownBlock): Promise<boolean> {
    const another = await readAnother(this.rpc, header, false);
    const [receipts] = await this.receipts([another]);
    return receipts !== undefined && this.misfitOf(another, receipts, true) !== null;
  }
}
