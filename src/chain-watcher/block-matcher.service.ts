import { Injectable } from '@nestjs/common';
import type {
  ChainAdapter,
  KeyBytes,
  ObservedBlock,
  ObservedTransfer,
} from '../chains/chain-adapter.pure.js';
import type { Chain } from '../chains/chain.pure.js';
import { Sql } from '../platform/database/sql.js';
import type { MatchedTransfer, MinedTransfer } from '../payments/transfers.service.js';
import { type DepositMatch, DepositAddressesService } from '../wallets/deposit-addresses.service.js';
import { WatchedKeys } from '../wallets/watched-keys.service.js';

/** From so many keys on, most are told apart in memory; a usual live block is looked up as it is. */
const MANY_KEYS = 2_000;

/** Passes every key of ours, and few others. */
type Sieve = NonNullable<Awaited<ReturnType<WatchedKeys['fresh']>>>;

/** Finds the transfers of a block that go to our deposit addresses. */
@Injectable()
export class BlockMatcher {
  constructor(
    private readonly sql: Sql,
    private readonly depositAddresses: DepositAddressesService,
    private readonly watched: WatchedKeys,
  ) {}

  /**
   * One statement for all blocks; only what matched is verified with the node.
   * An address is stored before anybody sees it, so a payment to it is always in a later block.
   * @returns the leading blocks that could be verified, and their transfers; the others come next time
   * @throws the failure of the first block
   */
  async match(
    chain: Chain,
    adapter: ChainAdapter,
    blocks: readonly ObservedBlock[],
  ): Promise<{ known: ObservedBlock[]; transfers: MinedTransfer[] }> {
    const filter = await this.filterFor(blocks.reduce((sum, { candidates }) => sum + candidates.length, 0));
    const suspects = blocks.map(({ candidates }) => suspectsOf(candidates, filter));
    const ours = await this.findOurs(chain, suspects.flat());
    const verified = await Promise.allSettled(
      blocks.map(async (block, i) => {
        const candidates = (suspects[i] ?? []).filter(({ key }) => ours.find(key) !== null);
        if (candidates.length === 0) return [];
        const matched = toMatched(chain, ours, await adapter.verify(block, candidates));
        return matched.map((transfer) => ({ ...transfer, block }));
      }),
    );
    const failed = verified.findIndex(({ status }) => status === 'rejected');
    const failure = verified[failed];
    if (failed === 0 && failure?.status === 'rejected') throw failure.reason;
    const count = failed === -1 ? blocks.length : failed;
    const transfers = verified
      .slice(0, count)
      .flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
    return { known: blocks.slice(0, count), transfers };
  }

  /** Those of a mempool's transfers that go to our deposit addresses; nothing there needs to be verified. */
  async matchTransfers(chain: Chain, transfers: readonly ObservedTransfer[]): Promise<MatchedTransfer[]> {
    const suspects = suspectsOf(transfers, await this.filterFor(transfers.length));
    return toMatched(chain, await this.findOurs(chain, suspects), transfers);
  }

  /** Asked for now, after the blocks were read: what is stored later is paid in later blocks. */
  private async filterFor(count: number): Promise<Sieve | null> {
    return count < MANY_KEYS ? null : this.watched.fresh();
  }

  private async findOurs(chain: Chain, suspects: readonly { key: Buffer }[]): Promise<Ours> {
    const keys = suspects.map(({ key }) => key);
    return new Ours(await this.depositAddresses.match(this.sql, chain.family, keys));
  }
}

/** A loop: in catch-up next to all of very many candidates are nobody's. */
function suspectsOf<T extends { key: Buffer; keyBytes?: KeyBytes }>(
  candidates: readonly T[],
  filter: Sieve | null,
): readonly T[] {
  if (!filter) return candidates;
  const suspects: T[] = [];
  for (const candidate of candidates)
    if (filter.mayHold(candidate.keyBytes ?? candidate.key)) suspects.push(candidate);
  return suspects;
}

/** The few deposit addresses among very many keys: most of those are told apart by four of their bytes. */
class Ours {
  private readonly byKey: ReadonlyMap<string, DepositMatch>;
  private readonly marks: ReadonlySet<number>;

  constructor(rows: readonly DepositMatch[]) {
    this.byKey = new Map(rows.map((row) => [row.key.toString('hex'), row]));
    this.marks = new Set(rows.map(({ key }) => markOf(key)));
  }

  find(key: Buffer): DepositMatch | null {
    return this.marks.has(markOf(key)) ? (this.byKey.get(key.toString('hex')) ?? null) : null;
  }
}

/** Within the hash of every kind of address and script; scripts of nobody may be shorter. */
function markOf(key: Buffer): number {
  return key.length < 12 ? 0 : key.readInt32LE(8);
}

function toMatched(chain: Chain, ours: Ours, transfers: readonly ObservedTransfer[]): MatchedTransfer[] {
  return transfers.flatMap((transfer) => {
    const depositAddress = ours.find(transfer.key);
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
      },
    ];
  });
}
