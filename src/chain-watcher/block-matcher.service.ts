import { Injectable } from '@nestjs/common';
import type { ChainAdapter, ObservedBlock, ObservedTransfer } from '../chains/chain-adapter.js';
import type { Chain } from '../chains/chain-catalogue.js';
import { Sql } from '../common/sql.js';
import type { MatchedTransfer } from '../payments/transfers.service.js';
import { type DepositMatch, DepositAddressesService } from '../wallets/deposit-addresses.service.js';

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
    const matched = new Map<number, MatchedTransfer[]>();
    const ours = await this.findOurs(
      chain,
      blocks.flatMap((block) => block.candidates),
    );
    for (const block of blocks) {
      const candidates = block.candidates.filter(({ key }) => ours.has(key.toString('hex')));
      if (candidates.length === 0) continue;
      matched.set(block.height, toMatched(chain, ours, await adapter.verify(block, candidates)));
    }
    return matched;
  }

  /** Those of a mempool's transfers that go to our deposit addresses; nothing there needs to be verified. */
  async matchTransfers(chain: Chain, transfers: readonly ObservedTransfer[]): Promise<MatchedTransfer[]> {
    return toMatched(chain, await this.findOurs(chain, transfers), transfers);
  }

  /** Deposit addresses by key in hex. */
  private async findOurs(chain: Chain, paid: readonly { key: Buffer }[]): Promise<Map<string, DepositMatch>> {
    const keys = new Map(paid.map(({ key }) => [key.toString('hex'), key] as const));
    if (keys.size === 0) return new Map();
    const rows = await this.depositAddresses.match(this.sql, chain.family, [...keys.values()]);
    return new Map(rows.map((row) => [row.key.toString('hex'), row]));
  }
}

function toMatched(
  chain: Chain,
  ours: ReadonlyMap<string, DepositMatch>,
  transfers: readonly ObservedTransfer[],
): MatchedTransfer[] {
  return transfers.flatMap((transfer) => {
    const depositAddress = ours.get(transfer.key.toString('hex'));
    const asset = chain.assets.find((known) => known.asset === transfer.asset);
    if (!depositAddress || !asset) return [];
    return [
      {
        depositAddressId: depositAddress.id,
        paymentId: depositAddress.paymentId,
        txHash: transfer.txHash,
        ordinal: transfer.ordinal,
        asset: transfer.asset,
        currencyCode: asset.currencyCode,
        assetDecimals: asset.decimals,
        amount: transfer.amount,
        inputs: transfer.inputs?.length ? transfer.inputs : null,
        confirmationsRequired: chain.confirmationsRequired,
      },
    ];
  });
}
