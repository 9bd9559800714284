import { Injectable } from '@nestjs/common';
import { type Queryable, Sql } from '../../platform/database/sql.js';
import { gapLimitFor, isLongGap } from './address-gap.pure.js';
import { AddressGapRepository, type AddressRun } from './address-gap.repository.js';
import type { AddressGapContract } from './earlier-use.contract.js';
import { GAP } from './earlier-use.pure.js';

/** The longest runs of addresses without a payment, behind which wallet programs do not look (docs/how-to/wallets.md). */
@Injectable()
export class AddressGaps {
  private readonly gaps: AddressGapRepository;

  constructor(sql: Sql) {
    this.gaps = new AddressGapRepository(sql);
  }

  /** Of each wallet that was asked for. */
  async describe(walletIds: readonly string[]): Promise<Map<string, AddressGapContract>> {
    const runs = walletIds.length === 0 ? [] : await this.gaps.longestOf(walletIds);
    return new Map(
      runs.map(({ walletId, longest }) => [walletId, { longest, gapLimit: gapLimitFor(longest) }]),
    );
  }

  /** Wallets whose longest run the usual gap limit does not bridge. @param limit wallets that are looked at */
  static async listLong(sql: Queryable, limit: number): Promise<AddressRun[]> {
    const gaps = new AddressGapRepository(sql);
    const ids = await gaps.listInUse(GAP, limit);
    return ids.length === 0 ? [] : (await gaps.longestOf(ids)).filter(({ longest }) => isLongGap(longest));
  }
}
