import { Injectable, Logger } from '@nestjs/common';
import type { ObservedBlock } from '../chains/chain-adapter.pure.js';
import { Clock } from '../platform/kernel/clock.pure.js';
import { UnreadTraceRepository } from './unread-trace.repository.js';

type Unread = NonNullable<ObservedBlock['unread']>;

/** Milliseconds until an unread block is read again for the first time. */
const FIRST_ATTEMPT_MS = 10_000;

/**
 * Keeps account of the blocks that were applied without all of their traces (specification/chains.md#unread-traces): what
 * contracts paid in them is an open question until they are read. Call its methods in the transaction that writes the
 * blocks' transfers, so that an answer and its credits are one.
 */
@Injectable()
export class UnreadTraces {
  private readonly logger = new Logger('UnreadTraces');

  constructor(
    private readonly traces: UnreadTraceRepository,
    private readonly clock: Clock,
  ) {}

  /** For blocks that are applied, or read again by an operator. */
  async record(chain: string, blocks: readonly ObservedBlock[]): Promise<void> {
    for (const { height, hash, unread } of blocks) {
      if (!unread) continue;
      await this.save(chain, { height, hash, unread });
      const transactions = unread.txHashes?.length ?? 'all';
      this.logger.warn(
        { chain, height, hash, transactions, reason: unread.reason },
        'what contracts paid in some transactions of a block is not known yet',
      );
    }
  }

  /**
   * For blocks that were read again: what is known now is settled, and what is not stays open.
   * @param doubtful heights of blocks of which not everything that is missing could be recorded
   */
  async settle(
    chain: string,
    blocks: readonly ObservedBlock[],
    doubtful: ReadonlySet<number>,
  ): Promise<void> {
    const [first, last] = [blocks[0], blocks.at(-1)];
    if (!first || !last) return;
    const open = await this.traces.listBetween(chain, first.height, last.height);
    const hashes = new Map(open.map(({ height, blockHash }) => [height, blockHash]));
    for (const { height, hash, unread } of blocks) {
      if (hashes.get(height) !== hash || doubtful.has(height)) continue;
      if (unread) {
        await this.save(chain, { height, hash, unread });
        continue;
      }
      await this.traces.delete(chain, height);
      this.logger.log({ chain, height, hash }, 'what contracts paid in a block is known now');
    }
  }

  /** Whether something is open in these blocks. */
  async isOpen(chain: string, from: number, to: number): Promise<boolean> {
    return (await this.traces.listBetween(chain, from, to)).length > 0;
  }

  /** A fork takes the blocks back, and their questions with them. */
  forgetAbove(chain: string, height: number): Promise<void> {
    return this.traces.deleteAbove(chain, height);
  }

  private save(
    chain: string,
    { height, hash, unread }: Pick<ObservedBlock, 'height' | 'hash'> & { unread: Unread },
  ): Promise<void> {
    const nextAttemptAt = new Date(this.clock.now().getTime() + FIRST_ATTEMPT_MS);
    const txHashes = unread.txHashes && [...unread.txHashes];
    return this.traces.save(
      { chain, height, blockHash: hash, txHashes, reason: unread.reason },
      nextAttemptAt,
    );
  }
}
