import { Injectable } from '@nestjs/common';
import type {
  ChainAdapter,
  KeyBytes,
  ObservedBlock,
  ObservedTransfer,
} from '../chains/chain-adapter.pure.js';
import type { Chain } from '../chains/chain.pure.js';
import type { MatchedTransfer, MinedTransfer } from '../payments/transfers/transfers.service.js';
import { type DepositMatch, DepositAddressesService } from '../wallets/deposit-addresses.service.js';
import { SpareAddresses } from '../wallets/earlier-use/spare-addresses.service.js';
import { WatchedKeys } from '../wallets/watched-keys.service.js';

/** From this many keys on, a filter in memory sorts out most of them; a usual live block goes to the database as it is. */
const MANY_KEYS = 2_000;

/** Passes every deposit address, and few other keys. */
type KeyFilter = NonNullable<Awaited<ReturnType<WatchedKeys['fresh']>>>;

/** Finds the transfers of a block that pay deposit addresses. */
@Injectable()
export class BlockMatcher {
  constructor(
    private readonly depositAddresses: DepositAddressesService,
    private readonly watched: WatchedKeys,
    private readonly spares: SpareAddresses,
  ) {}

  /**
   * Matches all blocks with one statement; only matches are verified with the node.
   * An address is stored before it is shown, so a payment to it is always in a later block.
   * @returns the leading blocks that could be verified, with their transfers; the caller reads the others again
   * @throws Error when the first block cannot be verified
   */
  async match(
    chain: Chain,
    adapter: ChainAdapter,
    blocks: readonly ObservedBlock[],
  ): Promise<{ known: ObservedBlock[]; transfers: MinedTransfer[] }> {
    const filter = await this.filterFor(blocks.reduce((sum, { candidates }) => sum + candidates.length, 0));
    const possible = blocks.map(({ candidates }) => possibleMatches(candidates, filter));
    const keys = possible.flat().map(({ key }) => key);
    // One after the other, on one connection: blocks are read while requests need theirs.
    const ours = await this.findOurs(chain, possible.flat());
    const spare = await this.spares.find(chain.family, keys);
    const isSpare = new Set(spare.map(({ key }) => key.toString('hex')));
    const verified = await Promise.allSettled(
      blocks.map(async (block, i) => {
        const candidates = (possible[i] ?? []).filter(
          ({ key }) => ours.find(key) !== null || (isSpare.size > 0 && isSpare.has(key.toString('hex'))),
        );
        if (candidates.length === 0) return [];
        const verified = await adapter.verify(block, candidates);
        if (isSpare.size > 0) await this.spares.report(chain, spare, verified);
        const matched = toMatched(chain, ours, verified);
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

  /** The mempool's transfers that pay deposit addresses; unmined transfers need no verification. */
  async matchTransfers(chain: Chain, transfers: readonly ObservedTransfer[]): Promise<MatchedTransfer[]> {
    const possible = possibleMatches(transfers, await this.filterFor(transfers.length));
    return toMatched(chain, await this.findOurs(chain, possible), transfers);
  }

  /** Must be called after the blocks were read: an address stored later is paid in later blocks. */
  private async filterFor(count: number): Promise<KeyFilter | null> {
    return count < MANY_KEYS ? null : this.watched.fresh();
  }

  private async findOurs(chain: Chain, possible: readonly { key: Buffer }[]): Promise<Ours> {
    const keys = possible.map(({ key }) => key);
    return new Ours(await this.depositAddresses.match(chain.family, keys));
  }
}

/** A loop for speed: in catch-up there are very many candidates, and hardly any is ours. */
function possibleMatches<T extends { key: Buffer; keyBytes?: KeyBytes }>(
  candidates: readonly T[],
  filter: KeyFilter | null,
): readonly T[] {
  if (!filter) return candidates;
  const possible: T[] = [];
  for (const candidate of candidates)
    if (filter.mayHold(candidate.keyBytes ?? candidate.key)) possible.push(candidate);
  return possible;
}

/** Looks up the few deposit addresses among very many keys; comparing four bytes rules most of them out. */
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

/** Four bytes within the hash of every address and script type; scripts that are not addresses may be shorter. */
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
        isCoinbase: transfer.inputs?.length === 0,
        awaitsAgreement: transfer.awaitsAgreement ?? false,
      },
    ];
  });
}
