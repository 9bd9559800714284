import type { Chain } from './chain.pure.js';

/** What of a chain decides how long a transfer waits. */
type Demands = Pick<
  Chain,
  | 'confirmationsRequired'
  | 'confirmationTiers'
  | 'confirmationsMin'
  | 'confirmationsMax'
  | 'finality'
  | 'reorgWindow'
>;

/**
 * What an application may ask for in place of the chain's own number; null where nothing may be asked for: what is
 * final, the chain's consensus decides. Without the operator's word an application may only ask for more, and for no
 * more than the blocks whose history is kept.
 */
export function confirmationBounds(chain: Demands): { min: number; max: number } | null {
  if (chain.finality === 'finalized') return null;
  const { confirmationsRequired: own, reorgWindow } = chain;
  return { min: chain.confirmationsMin ?? own, max: chain.confirmationsMax ?? Math.max(own, reorgWindow) };
}

/**
 * Blocks, counting its own, until a transfer counts. Tiers stand above what an application asks for: it moves the
 * number of ordinary amounts, and never weakens what the operator demands for large ones. On a chain that is settled
 * by finality the number is the usual wait, whatever was asked for: the block counts when it is final.
 * @param asset 'native' or the contract in lower case
 * @param amount what is at stake, in the asset's smallest unit: see payments/confirmation-policy.pure.ts
 * @param wanted the application's own number; one that the operator no longer allows counts as the nearest allowed
 */
export function requiredConfirmations(
  chain: Demands,
  asset: string,
  amount: bigint,
  wanted: number | null,
): number {
  const bounds = confirmationBounds(chain);
  if (!bounds) return chain.confirmationsRequired;
  const { min, max } = bounds;
  const ordinary = wanted === null ? chain.confirmationsRequired : Math.min(Math.max(wanted, min), max);
  const tier = chain.confirmationTiers?.get(asset)?.findLast(({ from }) => amount >= from);
  return Math.max(ordinary, tier?.confirmations ?? 0);
}
