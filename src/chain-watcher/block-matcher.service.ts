import { Injectable } from '@nestjs/common';
import type { ChainAdapter, ObservedBlock } from '../chains/chain-adapter.js';
import type { Chain } from '../chains/chain-catalogue.js';
import { Sql } from '../common/sql.js';
import type { MatchedTransfer } from '../payments/transfers.service.js';
import { DepositAddressesService } from '../wallets/deposit-addresses.service.js';

/** Finds the transfers of a block that go to our deposit addresses. */
@Injectable()
export class BlockMatcher {
  constructor(
    private readonly sql: Sql,
    private readonly depositAddresses: DepositAddressesService,
  ) {}

  /**
   * One statement for all blocks; only what matched is verified with the node.
   * An address is stored before anybody sees it, so a payment to it is always in a later block.
   * @returns transfers by block height
   */
  async match(
    chain: Chain,
    adapter: ChainAdapter,
    blocks: readonly ObservedBlock[],
  ): Promise<Map<number, MatchedTransfer[]>> {
    const keys = new Map(
      blocks.flatMap((b) => b.candidates.map(({ key }) => [key.toString('hex'), key] as const)),
    );
    const matched = new Map<number, MatchedTransfer[]>();
    if (keys.size === 0) return matched;
    const rows = await this.depositAddresses.match(this.sql, chain.family, [...keys.values()]);
    const ours = new Map(rows.map((row) => [row.key.toString('hex'), row]));
    for (const block of blocks) {
      const candidates = block.candidates.filter(({ key }) => ours.has(key.toString('hex')));
      if (candidates.length === 0) continue;
      const transfers: MatchedTransfer[] = [];
      for (const transfer of await adapter.verify(block, candidates)) {
        const depositAddress = ours.get(transfer.key.toString('hex'));
        const asset = chain.assets.find((known) => known.asset === transfer.asset);
        if (!depositAddress || !asset) continue;
        transfers.push({
          depositAddressId: depositAddress.id,
          paymentId: depositAddress.paymentId,
          txHash: transfer.txHash,
          ordinal: transfer.ordinal,
          asset: transfer.asset,
          currencyCode: asset.currencyCode,
          assetDecimals: asset.decimals,
          amount: transfer.amount,
          confirmationsRequired: chain.confirmationsRequired,
        });
      }
      matched.set(block.height, transfers);
    }
    return matched;
  }
}
