import { Injectable } from '@nestjs/common';
import type {
  ChainAdapter,
  KeyBytes,
  ObservedBlock,
  ObservedTransfer,
} from '../chains/chain-adapter.pure.js';
import type { Chain } from '../chains/chain.pure.js';
import type { OwnFunds } from '../payments/own-funds/own-funds.service.js';
import type { MatchedTransfer, MinedTransfer } from '../payments/transfers/transfers.service.js';
import { type DepositMatch, DepositAddressesService } from '../wallets/deposit-addresses.service.js';
import { SpareAddresses } from '../wallets/earlier-use/spare-addresses.service.js';
import { FeeAccounts } from '../wallets/fee-accounts.service.js';
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
    private readonly feeAccounts: FeeAccounts,
  ) {}

  /**
   * Matches all blocks with one statement; only matches are verified with the node.
   * An address is stored before it is shown, so a payment to it is always in a later block.
   * @returns the leading blocks that could be verified, with their transfers, and apart from these what is no customer's
   *   money; the caller reads the other blocks again
   * @throws Error when the first block cannot be verified
   */
  async match(
    chain: Chain,
    adapter: ChainAdapter,
    blocks: readonly ObservedBlock[],
  ): Promise<{ known: ObservedBlock[]; transfers: MinedTransfer[]; own: OwnFunds[] }> {
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
        if (candidates.length === 0) return { transfers: [], own: [] };
        const verified = await adapter.verify(block, candidates);
        if (isSpare.size > 0) await this.spares.report(chain, spare, verified);
        const own = await this.findOwn(chain, ours, verified);
        const matched = toMatched(
          chain,
          ours,
          verified.filter((one) => !own.has(one)),
        );
        return {
          transfers: matched.map((transfer) => ({ ...transfer, block })),
          own: [...own.values()].map((one) => ({ ...one, block })),
        };
      }),
    );
    const failed = verified.findIndex(({ status }) => status === 'rejected');
    const failure = verified[failed];
    if (failed === 0 && failure?.status === 'rejected') throw failure.reason;
    const count = failed === -1 ? blocks.length : failed;
    const found = verified.slice(0, count).flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
    return {
      known: blocks.slice(0, count),
      transfers: found.flatMap(({ transfers }) => transfers),
      own: found.flatMap(({ own }) => own),
    };
  }

  /**
   * Coin that the account for fees of a key sends to an address of the same key: the merchant's own, whoever has the payment
   * (docs/decisions/0900-sign-away-from-the-gateway.md). Where two nodes have to agree and do not, it is none.
   */
  private async findOwn(
    chain: Chain,
    ours: Ours,
    transfers: readonly ObservedTransfer[],
  ): Promise<Map<ObservedTransfer, Omit<OwnFunds, 'block'>>> {
    const own = new Map<ObservedTransfer, Omit<OwnFunds, 'block'>>();
    for (const transfer of transfers) {
      const { key, sender, asset, txHash, ordinal, amount, awaitsAgreement } = transfer;
      const address = ours.find(key);
      const coin = chain.assets.find((known) => known.asset === asset);
      if (!sender || !address || !coin || awaitsAgreement) continue;
      const account = await this.feeAccounts.find(address.walletId);
      if (!account?.equals(sender)) continue;
      const { id: depositAddressId, paymentId, userId } = address;
      const { currencyCode, decimals } = coin;
      const place = { userId, paymentId, depositAddressId, txHash, ordinal };
      own.set(transfer, { ...place, sender, currencyCode, decimals, amount });
    }
    return own;
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
