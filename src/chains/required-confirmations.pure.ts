import { parseDecimal } from '../money/money.js';
import type {
  Chain,
  ChainAsset,
  ConfirmationTier,
  ConfirmationTiers,
  FinalityTag,
  Requirement,
} from './chain.pure.js';

// What a transfer waits for on a chain, given the amount at risk (payments/confirmation-policy.pure.ts says which that
// is) and what the operator and the application configured: specification/chains.md#required-confirmations.

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
 * What a transfer waits for. The application's number replaces that of ordinary amounts; it never lowers a tier, which is
 * the operator's rule for large ones.
 * @param asset 'native' or the contract in lower case
 * @param amount at risk, in the asset's smallest unit
 * @param override the application's number; outside of the bounds it counts as the nearest bound
 */
export function requirementFor(
  chain: ConfirmationSettings,
  asset: string,
  amount: bigint,
  override: number | null,
): Requirement {
  const bounds = confirmationBounds(chain);
  if (!bounds) return { confirmations: 1, finality: 'finalized' };
  const { min, max } = bounds;
  const ordinary = override === null ? chain.confirmationsRequired : Math.min(Math.max(override, min), max);
  const tier = chain.confirmationTiers?.get(asset)?.findLast(({ from }) => amount >= from);
  const confirmations = Math.max(ordinary, tier?.confirmations ?? 0);
  return { confirmations, finality: tier?.finality ?? null };
}

/** The least that is at least each of these. */
export function strictest([first, ...others]: readonly [Requirement, ...Requirement[]]): Requirement {
  return others.reduce(
    (most, one) => ({
      confirmations: Math.max(most.confirmations, one.confirmations),
      finality: strength(one.finality) > strength(most.finality) ? one.finality : most.finality,
    }),
    first,
  );
}

export function isMet(required: Requirement, by: Requirement): boolean {
  return by.confirmations >= required.confirmations && strength(by.finality) >= strength(required.finality);
}

/** Blocks until a requirement is usually met, for people: when a block gets its tag is not known beforehand. */
export function usualWait(
  chain: Pick<Chain, 'confirmationsRequired' | 'finality' | 'blocksToFinality'>,
  { confirmations, finality }: Requirement,
): number {
  if (chain.finality === 'finalized') return Math.max(confirmations, chain.confirmationsRequired);
  return Math.max(confirmations, finality === null ? 0 : (chain.blocksToFinality?.[finality] ?? 0));
}

function strength(tag: FinalityTag | null): number {
  return tag === null ? 0 : tag === 'safe' ? 1 : 2;
}

/** A tier as the operator writes it; `amount` is a plain decimal, in whole coins; `required` blocks, or a tag. */
export interface TierEntry {
  code: string;
  amount: string;
  required: number | FinalityTag;
}

type TieredAsset = Pick<ChainAsset, 'asset' | 'currencyCode' | 'decimals'>;

/** The same tiers for the dollar tokens that a chain has. */
const DOLLARS = ['USDT', 'USDC'];

/**
 * Default tiers for large amounts; specification/chains.md#required-confirmations has the numbers for ordinary ones.
 *
 * Proof of work: reverting n blocks costs about what mining n blocks earns, which is little more than the subsidy
 * (3.125 BTC since 2024, 6.25 LTC since 2023), so a payment should be worth less than the blocks on top of it. Six
 * blocks follow from section 11 of Nakamoto's paper: less than 0.1 % for an attacker with a tenth of the hash power.
 *
 * Ethereum: an epoch has 32 slots, in which every validator votes once; a block is finalized two epochs later. Its tag
 * `safe` is not used: under the fast confirmation rule of the consensus specifications it is seconds old.
 *
 * Arbitrum, Base and Optimism: no number of blocks adds to the sequencer's promise. A `safe` block is in a batch on
 * Ethereum, a `finalized` one in a batch that Ethereum has finalized.
 *
 * Polygon (milestones), BNB Smart Chain (BEP-126) and Avalanche (Snowman) are usually final before their ordinary depth;
 * the tier waits when they are not.
 */
const LARGE_AMOUNTS: ReadonlyMap<string, readonly TierEntry[]> = new Map([
  ['bitcoin', tiers('BTC', ['1', 3], ['10', 6])],
  ['litecoin', tiers('LTC', ['40', 12], ['400', 24])],
  ['ethereum', [...tiers('ETH', ['10', 32], ['100', 'finalized']), ...dollarTiers(['25000', 32])]],
  ...['arbitrum', 'base', 'optimism'].map((slug): [string, TierEntry[]] => [
    slug,
    [...tiers('ETH', ['10', 'safe'], ['100', 'finalized']), ...dollarTiers(['25000', 'safe'])],
  ]),
  ['polygon', [...tiers('POL', ['100000', 'finalized']), ...dollarTiers()]],
  ['bsc', [...tiers('BNB', ['30', 'finalized']), ...dollarTiers()]],
  ['avalanche', [...tiers('AVAX', ['1000', 'finalized']), ...dollarTiers()]],
]);

function tiers(code: string, ...steps: readonly [string, TierEntry['required']][]): TierEntry[] {
  return steps.map(([amount, required]) => ({ code, amount, required }));
}

/** @param first the tier before the last one, which is `finalized`; without it that begins at 25,000 */
function dollarTiers(first?: [string, TierEntry['required']]): TierEntry[] {
  return DOLLARS.flatMap((code) =>
    first ? tiers(code, first, ['250000', 'finalized']) : tiers(code, ['25000', 'finalized']),
  );
}

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
  const read = new Map<string, ({ from: bigint } & Pick<TierEntry, 'required'>)[]>();
  const problems: string[] = [];
  for (const { code, amount, required } of entries) {
    const asset = assets.find(({ currencyCode }) => currencyCode === code);
    const places = amount.split('.')[1]?.length ?? 0;
    if (!asset) problems.push(`the chain has no ${code}`);
    else if (places > asset.decimals) problems.push(`${code} has ${asset.decimals} decimals here`);
    else {
      const tier = { from: parseDecimal(amount, asset.decimals), required };
      read.set(asset.asset, [...(read.get(asset.asset) ?? []), tier]);
    }
  }
  const all = new Map<string, ConfirmationTier[]>();
  for (const [asset, unsorted] of read) {
    const code = assets.find((each) => each.asset === asset)?.currencyCode ?? asset;
    const sorted = unsorted.toSorted((a, b) => (a.from < b.from ? -1 : 1));
    if (sorted.some(({ from }, i) => from === (sorted[i - 1]?.from ?? 0n)))
      problems.push(`${code} needs amounts that are above 0 and differ`);
    let before: Requirement = { confirmations: base, finality: null };
    const rising: ConfirmationTier[] = [];
    for (const { from, required } of sorted) {
      const own = toRequirement(before, required);
      const raised = strictest([before, own]);
      rising.push({ from, ...raised });
      if (isMet(own, before)) problems.push(`a larger amount of ${code} must need more than a smaller one`);
      before = raised;
    }
    all.set(asset, rising);
  }
  return { tiers: all.size > 0 ? all : undefined, problems: [...new Set(problems)] };
}

/** A tier in blocks keeps the tag of the one before, and the other way around. */
function toRequirement(
  { confirmations, finality }: Requirement,
  required: number | FinalityTag,
): Requirement {
  return typeof required === 'number'
    ? { confirmations: required, finality }
    : { confirmations, finality: required };
}
