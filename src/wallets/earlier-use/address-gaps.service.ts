import { Injectable } from '@nestjs/common';
import { type Queryable, Sql } from '../../platform/database/sql.js';
import { Clock } from '../../platform/kernel/clock.pure.js';
import { GAP, gapLimitFor, isLongGap } from './address-gap.pure.js';
import { AddressGapRepository, type AddressRun } from './address-gap.repository.js';
import type { AddressGapContract } from './earlier-use.contract.js';

/** Milliseconds between two looks at a wallet: each reads its newest addresses. */
const PAUSE_MS = 10 * 60_000;
/** Wallets of one turn. */
const BATCH = 50;

/** The longest runs of addresses without a payment, behind which wallet programs do not look (docs/how-to/wallets.md). */
@Injectable()
export class AddressGaps {
  private readonly gaps: AddressGapRepository;

  constructor(
    sql: Sql,
    private readonly clock: Clock,
  ) {
    this.gaps = new AddressGapRepository(sql);
  }

  /** Of each wallet that was asked for. */
  async describe(walletIds: readonly string[]): Promise<Map<string, AddressGapContract>> {
    const runs = walletIds.length === 0 ? [] : await this.gaps.longestOf(walletIds);
    return new Map(
      runs.map(({ walletId, longest, statedGapLimit }) => [
        walletId,
        { longest, gapLimit: gapLimitFor(longest), statedGapLimit },
      ]),
    );
  }

  /** Finds the runs that attention shows, so that reading it looks at no address. True if more may be due. */
  async runOnce(): Promise<boolean> {
    const due = await this.gaps.listDue(new Date(this.clock.now().getTime() - PAUSE_MS), BATCH);
    await this.look(due);
    return due.length === BATCH;
  }

  /** Its owner has set the gap limit of their wallet program. */
  async state(walletId: string, gapLimit: number): Promise<void> {
    await this.look([walletId]);
    await this.gaps.setGapLimit(walletId, gapLimit);
  }

  private async look(walletIds: readonly string[]): Promise<void> {
    if (walletIds.length > 0) await this.gaps.save(await this.gaps.longestOf(walletIds), this.clock.now());
  }

  /** Wallets whose longest run their owner's program does not look behind. @param limit wallets that are looked at */
  static async listLong(sql: Queryable, limit: number): Promise<AddressRun[]> {
    const gaps = new AddressGapRepository(sql);
    const ids = await gaps.listInUse(GAP, limit);
    if (ids.length === 0) return [];
    return (await gaps.longestOf(ids)).filter(({ longest, statedGapLimit }) =>
      isLongGap(longest, statedGapLimit),
    );
  }
}
