import { Inject, Injectable } from '@nestjs/common';
import {
  type BlockRef,
  type ChainAdapter,
  ChainInconsistencyError,
  type ObservedBlock,
} from '../chains/chain-adapter.pure.js';
import type { Chain } from '../chains/chain.pure.js';
import { ChainsService } from '../chains/chains.service.js';
import { readBlocksConcurrently } from '../chains/read-blocks-concurrently.pure.js';
import { OwnFundsService } from '../payments/own-funds/own-funds.service.js';
import { TransfersService } from '../payments/transfers/transfers.service.js';
import { AuditLog } from '../platform/integrity/audit-log.service.js';
import { Sql } from '../platform/database/sql.js';
import { BlockMatcher } from './block-matcher.service.js';
import { ChainCursorRepository, CursorMovedError } from './chain-cursor.repository.js';
import { ChainFinalityService } from './chain-finality.service.js';
import { UnreadTraces } from './unread-traces.service.js';

/** Blocks that are read at once, and whose missing transfers are recorded in one transaction. */
const BLOCKS_PER_STEP = 8;

/** What a part of a rescan found. */
export interface RescanStep {
  /** The newest block that was read. */
  height: number;
  /** Transfers that were missing and are recorded now. */
  recorded: number;
  /** Transactions that were left out, because the records place their transfers elsewhere. */
  conflicting: string[];
  /** Blocks of which not all traces could be read. */
  unread: UnreadBlock[];
}

/** A block, and why its traces could not all be read. */
type UnreadBlock = Pick<ObservedBlock, 'height'> & Pick<NonNullable<ObservedBlock['unread']>, 'reason'>;

/** Applied blocks, both ends included. */
interface RescanRange {
  chain: string;
  from: number;
  to: number;
  /** Leave no entry in the audit log when nothing was missing: no operator ordered this rescan. */
  isQuiet?: boolean;
}

/**
 * Reads applied blocks again and records the transfers that are missing (specification/chains.md#rescan). It runs beside
 * the watcher: each transaction locks the cursor, so that neither can change the applied chain under the other.
 */
@Injectable()
export class RescanService {
  @Inject(OwnFundsService) private readonly ownFunds: OwnFundsService;

  constructor(
    private readonly sql: Sql,
    private readonly chains: ChainsService,
    private readonly cursors: ChainCursorRepository,
    private readonly matcher: BlockMatcher,
    private readonly finality: ChainFinalityService,
    private readonly transfers: TransfersService,
    private readonly audit: AuditLog,
    private readonly unread: UnreadTraces,
  ) {}

  /** The newest applied block of a chain; null when there is none, or the chain is halted. */
  async findTip(slug: string): Promise<BlockRef | null> {
    const cursor = await this.cursors.find(slug);
    return cursor && !cursor.isHalted ? cursor : null;
  }

  /**
   * Yields after each step, whose effect is then committed.
   * @throws Error when a block cannot be read or is not part of the applied chain; earlier steps stand
   */
  async *run(range: RescanRange): AsyncGenerator<RescanStep> {
    const { chain: slug, from, to } = range;
    const chain = this.chains.get(slug);
    const adapter = this.chains.adapter(slug);
    await adapter.probe();
    let total = 0;
    for (let next = from; next <= to;) {
      const step = await this.step(chain, adapter, { ...range, from: next }).catch((error: unknown) => {
        // The watcher has reverted blocks meanwhile: the same blocks are read again.
        if (error instanceof CursorMovedError) return null;
        throw error;
      });
      if (!step) continue;
      total += step.recorded;
      next = step.height + 1;
      yield step;
    }
    // Steps that recorded something have an entry each.
    if (total === 0 && range.isQuiet !== true) await this.record({ chain: slug, from, to }, 0);
  }

  private async step(
    chain: Chain,
    adapter: ChainAdapter,
    { from, to, isQuiet = false }: RescanRange,
  ): Promise<RescanStep> {
    const seen = await this.findTip(chain.slug);
    if (!seen) throw new Error(`the chain is halted, or was never watched`);
    if (seen.height < from) throw new Error(`the newest applied block is ${seen.height}`);
    const count = Math.min(BLOCKS_PER_STEP, to - from + 1, seen.height - from + 1);
    const patient = { block: (at: number) => adapter.patientBlock?.(at) ?? adapter.block(at) };
    const blocks = await readBlocksConcurrently(patient, from, count);
    if (blocks.length === 0) throw new Error(`the node has no block ${from}`);
    const { known, transfers, own } = await this.matcher.match(chain, adapter, blocks);
    await this.requireApplied(chain, adapter, known);
    const height = known.at(-1)?.height ?? from;
    const unread = known.flatMap((block) =>
      block.unread ? [{ height: block.height, reason: block.unread.reason }] : [],
    );
    if (
      transfers.length + own.length === 0 &&
      unread.length === 0 &&
      !(await this.unread.isOpen(chain.slug, from, height))
    )
      return { height, recorded: 0, conflicting: [], unread };
    const awaited = await this.finality.listAwaited(chain, adapter);
    const final = await this.finality.read(chain, adapter, awaited, [seen]);
    return this.sql.transaction(async (tx) => {
      const cursor = await this.cursors.lock(tx, chain.slug, seen);
      await this.ownFunds.record(chain.slug, own);
      const { missing, conflicting } = await this.transfers.recordMissing({
        chain: chain.slug,
        height: cursor.height,
        transfers,
        final,
        spends: known.flatMap(({ spends }) => spends ?? []),
      });
      if (missing.length > 0) await this.record({ chain: chain.slug, from, to: height }, missing.length);
      const doubtful = transfers.filter(({ txHash }) => conflicting.includes(txHash));
      await this.unread.settle(chain.slug, known, new Set(doubtful.map(({ block }) => block.height)));
      // A customer may name any transaction: that one's block may be too old for the node says nothing about the records.
      if (!isQuiet) await this.unread.record(chain.slug, known);
      return { height, recorded: missing.length, conflicting, unread };
    });
  }

  /**
   * The blocks must form one chain that ends in the kept history. Below that, where a fork would have halted the watcher,
   * the nodes must agree that their chain contains it.
   */
  private async requireApplied(
    chain: Chain,
    adapter: ChainAdapter,
    blocks: readonly ObservedBlock[],
  ): Promise<void> {
    const [first, last] = [blocks[0], blocks.at(-1)];
    if (!first || !last) return;
    const broken = blocks.find((block, i) => i > 0 && block.parentHash !== blocks[i - 1]?.hash);
    if (broken) throw new ChainInconsistencyError(`block ${broken.height} does not follow the one before it`);
    const kept = await this.cursors.findKeptHashes(chain.slug, first.height, last.height);
    const foreign = blocks.find(({ height, hash }) => (kept.get(height) ?? hash) !== hash);
    if (foreign)
      throw new ChainInconsistencyError(`the node's block ${foreign.height} is not the applied one`);
    if (kept.has(last.height)) return;
    // No hash is favored: with several nodes the majority decides.
    const agreed = await (adapter.agreedHeader?.(last.height, '') ?? adapter.header(last.height));
    if (agreed?.hash !== last.hash)
      throw new ChainInconsistencyError(`the nodes do not agree about block ${last.height}`);
  }

  private async record({ chain, from, to }: RescanRange, transfers: number): Promise<void> {
    const target = { kind: 'chain', id: chain };
    await this.audit.record({
      act: 'chain.rescanned',
      userId: null,
      target,
      details: { from, to, transfers },
    });
  }
}
