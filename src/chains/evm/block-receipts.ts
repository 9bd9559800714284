import { ChainInconsistencyError, type TransferCandidate } from '../chain-adapter.pure.js';
import type { JsonRpc } from '../json-rpc.js';
import { ResponseTooLongError } from '../rpc-error.pure.js';
import { type CoverDepth, findMisfit, hasLeftOut, readReceipts, type ShownReceipts } from './block-cover.js';
import { VERIFIED_CHAINS } from './block-proofs.js';
import { readAnother, type ShownBlock } from './evm-blocks.js';
import { MalformedError } from './evm-wire.pure.js';
import { parseReceipts } from './receipts-text.js';

/** Reads the transfers of a block again, in another way than by its receipts. */
type ReadLogs = (block: ShownBlock) => Promise<TransferCandidate[]>;

/** Transfers of a block, and how many logs of any contract were read for them. */
export interface BlockTransfers {
  candidates: TransferCandidate[];
  logs: number;
}

/** A node's answer, and how far it can be checked. */
interface Answer {
  reply: unknown;
  depth: CoverDepth;
}

/** What an answer shows, and why it is not believed by itself: null when it is. */
interface Judged {
  /** Null: it cannot be read. */
  shown: ShownReceipts | null;
  why: string | null;
}

/** Polygon's nodes append a state sync to a block, and need not show a receipt of it. */
const APPEND_STATE_SYNC: ReadonlySet<string> = new Set(['polygon']);
const METHOD = 'eth_getBlockReceipts';
/** Milliseconds for receipts that are longer than a usual response. */
const LONG_MS = 30_000;

/**
 * Reads the token transfers of blocks from their receipts, as far as the header covers these
 * (specification/chains.md#completeness). A chain may encode receipts in its own way, or change its encoding with an
 * upgrade. That must not stop it: what does not fit is refused on chains whose encoding was verified, while another block
 * fits; elsewhere the logs must then show the same. Receipts that cannot be read are refused while another block's can be.
 * A bit of the header's bloom filter that no log has is no other form: those logs are missing.
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
      ? 'receipts that its headers cover: a log that it leaves out may not be noticed'
      : null;
  }

  /**
   * Transfers of each block.
   * @param isNear whether all is checked that can be, which would slow down catch-up
   * @throws ChainInconsistencyError when receipts do not belong to the header
   */
  async read(blocks: readonly ShownBlock[], isNear: boolean, readLogs: ReadLogs): Promise<BlockTransfers[]> {
    const answers = await this.ask(blocks, isNear);
    const found: BlockTransfers[] = [];
    for (const [i, block] of blocks.entries()) {
      const answer = answers[i];
      if (!answer) throw new ChainInconsistencyError(`${this.chain}: receipts of a block are missing`);
      const { shown, why } = this.judge(block, answer);
      if (why !== null) await this.refuse(block, shown, why);
      else if (shown && shown.receipts.length > 0) this.isUnknown = false;
      found.push(await this.transfers(block, { shown, why }, readLogs));
    }
    return found;
  }

  /** Strangers decide how long the data of logs is: where it makes a response too long, it is cut while it arrives. */
  private async ask(blocks: readonly ShownBlock[], isNear: boolean): Promise<Answer[]> {
    const [only, ...more] = blocks;
    const ofLogs = isNear ? 'logs' : 'filters';
    try {
      const replies = await this.rpc.batchParsed(
        blocks.map(({ header }) => [METHOD, [header.hash]]),
        parseReceipts,
      );
      const depth = isNear && VERIFIED_CHAINS.has(this.chain) ? 'root' : ofLogs;
      return replies.map((reply) => ({ reply, depth }));
    } catch (error) {
      if (!(error instanceof ResponseTooLongError) || !only) throw error;
      if (more.length === 0)
        return [{ reply: await this.rpc.callCut(LONG_MS, METHOD, only.header.hash), depth: ofLogs }];
      const answers: Answer[] = [];
      for (const block of blocks) answers.push(...(await this.ask([block], isNear)));
      return answers;
    }
  }

  private judge({ header, json }: ShownBlock, { reply, depth }: Answer): Judged {
    // Those of a new block may not be there yet, which says nothing about their form.
    if (reply === null) throw this.leftOut(header.height, 'it has no receipts of it');
    try {
      const shown = readReceipts(header, reply, this.tokens, APPEND_STATE_SYNC.has(this.chain));
      return { shown, why: findMisfit(header, json['receiptsRoot'], shown, depth) };
    } catch (error) {
      if (!(error instanceof MalformedError)) throw error;
      return { shown: null, why: error.message };
    }
  }

  /** @throws ChainInconsistencyError unless this chain may have receipts like these */
  private async refuse({ header }: ShownBlock, shown: ShownReceipts | null, why: string): Promise<void> {
    if (shown && hasLeftOut(header, shown)) throw this.leftOut(header.height, why);
    if (shown && !VERIFIED_CHAINS.has(this.chain)) this.isUnknown = true;
    else this.isUnknown ||= await this.isAnotherLike(header, shown !== null);
    if (!this.isUnknown) throw this.leftOut(header.height, why);
  }

  /** Whether another block does not fit, or cannot be read, either. */
  private async isAnotherLike(header: ShownBlock['header'], isReadable: boolean): Promise<boolean> {
    const another = await readAnother(this.rpc, header, false);
    const [answer] = await this.ask([another], true);
    if (!answer) return false;
    const { shown, why } = this.judge(another, answer);
    return why !== null && (isReadable || shown === null);
  }

  private async transfers(
    block: ShownBlock,
    { shown, why }: Judged,
    readLogs: ReadLogs,
  ): Promise<BlockTransfers> {
    if (shown && why === null) return shown;
    const logged = await readLogs(block);
    if (shown && !areSame(shown.candidates, logged)) throw this.leftOut(block.header.height, why ?? '');
    return { candidates: shown?.candidates ?? logged, logs: shown?.logs ?? logged.length };
  }

  private leftOut(height: number, why: string): ChainInconsistencyError {
    return new ChainInconsistencyError(`${this.chain}: the node left out logs of block ${height}: ${why}`);
  }
}

/** In the same order: where a node counts the places of logs in its own way, the order is what both have. */
function areSame(some: readonly TransferCandidate[], others: readonly TransferCandidate[]): boolean {
  return (
    some.length === others.length &&
    some.every((one, i) => {
      const other = others[i];
      return (
        other !== undefined &&
        one.txHash === other.txHash &&
        one.asset === other.asset &&
        one.amount === other.amount &&
        one.key.equals(other.key)
      );
    })
  );
}
