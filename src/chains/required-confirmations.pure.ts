import { parseDecimal } from '../money/money.js';
import type { Chain, ChainAsset, ConfirmationTier, ConfirmationTiers } from './chain.pure.js';

// How many confirmations a transfer needs on a chain, given the amount at risk (payments/confirmation-policy.pure.ts
// says which that is) and what the operator and the application configured: specification/chains.md#required-confirmations.

/** The settings of a chain that decide. */
type ConfirmationSettings = Pick<
  Chain,
  | 'confirmationsRequired'
  | 'confirmationTiers'
  | 'confirmationsMin'
  | 'confirmationsMax'
  | 'finality'
  | 'reorgWindow'
>;

/**
 * What an application may configure instead of the chain's number; null where it may not, because the chain's consensus
 * decides. Unless the operator says otherwise it can only be raised, up to the blocks whose history is kept.
 */
export function confirmationBounds(chain: ConfirmationSettings): { min: number; max: number } | null {
  if (chain.finality === 'finalized') return null;
  const { confirmationsRequired: own, reorgWindow } = chain;
  return { min: chain.confirmationsMin ?? own, max: chain.confirmationsMax ?? Math.max(own, reorgWindow) };
}

/**
 * Blocks, counting its own, until a transfer counts. The application's number replaces that of ordinary amounts; it
 * never lowers a tier, which is the operator's rule for large ones. With finality the result is the usual wait only:
 * the transfer counts when its block is final.
 * @param asset 'native' or the contract in lower case
 * @param amount at risk, in the asset's smallest unit
 * @param override the application's number; outside of the bounds it counts as the nearest bound
 */
export function requiredConfirmations(
  chain: ConfirmationSettings,
  asset: string,
  amount: bigint,
  override: number | null,
): number {
  const bounds = confirmationBounds(chain);
  if (!bounds) return chain.confirmationsRequired;
  const { min, max } = bounds;
  const ordinary = override === null ? chain.confirmationsRequired : Math.min(Math.max(override, min), max);
  const tier = chain.confirmationTiers?.get(asset)?.findLast(({ from }) => amount >= from);
  return Math.max(ordinary, tier?.confirmations ?? 0);
}

/** A tier as the operator writes it; `amount` is a plain decimal, in whole coins. */
export interface TierEntry {
  code: string;
  amount: string;
  confirmations: number;
}

type TieredAsset = Pick<ChainAsset, 'asset' | 'currencyCode' | 'decimals'>;

/**
 * Default tiers for large amounts; specification/chains.md#required-confirmations has the numbers for ordinary ones.
 *
 * Proof of work: reverting n blocks costs about what mining n blocks earns, which is little more than the subsidy
 * (3.125 BTC since 2024, 6.25 LTC since 2023), so a payment should be worth less than the blocks on top of it. Six
 * blocks follow from section 11 of Nakamoto's paper: less than 0.1 % for an attacker with a tenth of the hash power.
 *
 * Ethereum: an epoch has 32 slots and is final two epochs later while two thirds of the stake vote. Every validator has
 * voted on a block 32 blocks deep; a block 64 blocks deep is practically final.
 *
 * No other chain has tiers: Polygon, BNB Smart Chain and Avalanche are final before their usual depth is reached, and on
 * Arbitrum, Base and Optimism no depth within the kept history adds to the sequencer's promise. For large amounts there,
 * operators set CHAIN_<SLUG>_FINALITY=finalized.
 */
const LARGE_AMOUNTS: ReadonlyMap<string, readonly TierEntry[]> = new Map([
  [
    'bitcoin',
    [
      { code: 'BTC', amount: '1', confirmations: 3 },
      { code: 'BTC', amount: '10', confirmations: 6 },
    ],
  ],
  [
    'litecoin',
    [
      { code: 'LTC', amount: '40', confirmations: 12 },
      { code: 'LTC', amount: '400', confirmations: 24 },
    ],
  ],
  [
    'ethereum',
    [
      { code: 'ETH', amount: '10', confirmations: 32 },
      { code: 'ETH', amount: '100', confirmations: 64 },
      { code: 'USDT', amount: '25000', confirmations: 32 },
      { code: 'USDT', amount: '250000', confirmations: 64 },
      { code: 'USDC', amount: '25000', confirmations: 32 },
      { code: 'USDC', amount: '250000', confirmations: 64 },
    ],
  ],
]);

/** The tiers of a chain's main network for its assets; undefined where there are none. */
export function defaultTiers(slug: string, assets: readonly TieredAsset[]): ConfirmationTiers | undefined {
  const known = (LARGE_AMOUNTS.get(slug) ?? []).filter(({ code }) =>
    assets.some(({ currencyCode }) => currencyCode === code),
  );
  return readTiers(known, assets, 0).tiers;
}

/**
 * Converts tiers to each asset's smallest unit.
 * @param base confirmations of ordinary amounts; a tier must require more
 */
export function readTiers(
  entries: readonly TierEntry[],
  assets: readonly TieredAsset[],
  base: number,
): { tiers: ConfirmationTiers | undefined; problems: string[] } {
  const tiers = new Map<string, ConfirmationTier[]>();
  const problems: string[] = [];
  for (const { code, amount, confirmations } of entries) {
    const asset = assets.find(({ currencyCode }) => currencyCode === code);
    const places = amount.split('.')[1]?.length ?? 0;
    if (!asset) problems.push(`the chain has no ${code}`);
    else if (places > asset.decimals) problems.push(`${code} has ${asset.decimals} decimals here`);
    else {
      const tier = { from: parseDecimal(amount, asset.decimals), confirmations };
      tiers.set(asset.asset, [...(tiers.get(asset.asset) ?? []), tier]);
    }
  }
  for (const [asset, unsorted] of tiers) {
    const code = assets.find((each) => each.asset === asset)?.currencyCode ?? asset;
    const sorted = unsorted.toSorted((a, b) => (a.from < b.from ? -1 : 1));
    tiers.set(asset, sorted);
    if (sorted.some(({ from }, i) => from === (sorted[i - 1]?.from ?? 0n)))
      problems.push(`${code} needs amounts that are above 0 and differ`);
    if (sorted.some(({ confirmations }, i) => confirmations <= (sorted[i - 1]?.confirmations ?? base)))
      problems.push(`a larger amount of ${code} must need more confirmations than a smaller one`);
  }
  return { tiers: tiers.size > 0 ? tiers : undefined, problems };
}
