import { parseDecimal } from '../money/money.js';
import type { ConfirmationTier, ConfirmationTiers } from './chain.pure.js';

/** A tier as people write it; `amount` is a plain decimal, in whole coins. */
export interface TierEntry {
  code: string;
  amount: string;
  confirmations: number;
}

/** What of an asset a tier needs. */
interface TieredAsset {
  asset: string;
  currencyCode: string;
  decimals: number;
}

/**
 * Default tiers for large amounts; the numbers for ordinary ones are in specification/chains.md#confirmations.
 *
 * Chains of proof of work: taking back n blocks costs about what mining n blocks earns, which is the subsidy and
 * little else (3.125 BTC since 2024, 6.25 LTC since 2023), so a payment should be worth less than the blocks on top of
 * it. 6 blocks is what Nakamoto's paper (section 11) leads to: below 0.1 % for an attacker with a tenth of the work.
 *
 * Ethereum: an epoch has 32 slots and is final two epochs later as long as two thirds of the stake vote. 32 blocks
 * have been voted on by every validator, 64 are as good as final.
 *
 * None elsewhere: Polygon, BNB Smart Chain and Avalanche are final before their usual depth is reached, and on
 * Arbitrum, Base and Optimism no depth within the kept history says more than their sequencer's word; who takes large
 * amounts there wants CHAIN_<SLUG>_FINALITY=finalized.
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

/** The tiers of a chain's real network for the assets that it has; undefined where there are none. */
export function defaultTiers(slug: string, assets: readonly TieredAsset[]): ConfirmationTiers | undefined {
  const known = (LARGE_AMOUNTS.get(slug) ?? []).filter(({ code }) =>
    assets.some(({ currencyCode }) => currencyCode === code),
  );
  return readTiers(known, assets, 0).tiers;
}

/**
 * Entries in each asset's smallest unit.
 * @param base what every amount waits for; a tier that does not ask for more would only mislead
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
