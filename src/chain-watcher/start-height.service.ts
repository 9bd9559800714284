import { Injectable } from '@nestjs/common';
import { type ChainAdapter, ChainInconsistencyError } from '../chains/chain-adapter.pure.js';
import type { Chain } from '../chains/chain.pure.js';
import { ChainsService } from '../chains/chains.service.js';
import { AuditLog } from '../platform/integrity/audit-log.service.js';
import { Sql } from '../platform/database/sql.js';
import { ConflictError } from '../platform/kernel/errors/errors.pure.js';
import { DepositAddressesService } from '../wallets/deposit-addresses.service.js';
import { ChainCursorRepository } from './chain-cursor.repository.js';
import { ChainStartService } from './chain-start.service.js';
import { decideSkip, type SkipDecision } from './skipped-blocks.pure.js';

/** The operator's decision to watch a chain from a later height on (specification/chains.md#start-height). */
@Injectable()
export class StartHeightService {
  constructor(
    private readonly sql: Sql,
    private readonly chains: ChainsService,
    private readonly cursors: ChainCursorRepository,
    private readonly start: ChainStartService,
    private readonly addresses: DepositAddressesService,
    private readonly audit: AuditLog,
  ) {}

  /**
   * Moves the cursor to the block below `height`, beside the running watcher, which goes on from there.
   * @param isForced also over blocks that could have paid an address
   * @throws ConflictError when the chain has no cursor, or is halted; CursorMovedError after a reorganization meanwhile
   */
  async skipTo(slug: string, height: number, isForced: boolean): Promise<SkipDecision> {
    const [chain, adapter] = [this.chains.get(slug), this.chains.adapter(slug)];
    await adapter.probe();
    // Before the addresses: one that is handed out from now on is paid in a later block.
    const tip = await adapter.tip();
    const seen = await this.cursors.find(slug);
    if (!seen || seen.isHalted)
      throw new ConflictError(
        'invalid_state_transition',
        seen
          ? `${slug} is halted: run resume-chain first`
          : `${slug} was never watched: CHAIN_${slug.toUpperCase().replaceAll('-', '_')}_START_HEIGHT says where it starts`,
      );
    await this.requireApplied(adapter, seen.height, seen.hash);
    const last = await adapter.header(height - 1);
    const oldestAddressAt = await this.addresses.findOldest(chain.family);
    const decide = (applied: number) =>
      decideSkip({
        height,
        applied,
        tip: tip.height,
        lastSkippedAt: last?.time ?? null,
        oldestAddressAt,
        isForced,
      });
    const expected = decide(seen.height);
    if (expected.kind !== 'skip' || !last) return expected;
    const kept = await this.start.historyAt(chain, adapter, last);
    return this.sql.transaction(async (tx) => {
      // The watcher may have read on since.
      const cursor = await this.cursors.lock(tx, slug, seen);
      const decision = decide(cursor.height);
      if (decision.kind !== 'skip') return decision;
      await this.cursors.skipTo(slug, cursor, last, kept, cursor.epoch);
      await this.record(chain, decision, isForced);
      return decision;
    });
  }

  /** A fork that the watcher has not followed yet would lie below the new position, and would never be seen. */
  private async requireApplied(adapter: ChainAdapter, height: number, hash: string): Promise<void> {
    const shown = await (adapter.agreedHeader?.(height, hash) ?? adapter.header(height));
    if (shown?.hash !== hash)
      throw new ChainInconsistencyError(
        `the node does not show the newest applied block, ${height}: let the watcher follow the chain first`,
      );
  }

  private async record(
    { slug }: Chain,
    { blocks: { from, to } }: Extract<SkipDecision, { kind: 'skip' }>,
    forced: boolean,
  ): Promise<void> {
    const target = { kind: 'chain', id: slug };
    const details = { from, to, forced };
    await this.audit.record({ act: 'chain.blocks_skipped', userId: null, target, details });
  }
}
