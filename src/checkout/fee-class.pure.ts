import type { NamedNetwork } from '../chains/network-name.pure.js';

/** What a transfer costs the sender, roughly (specification/checkout.md#fee-classes). */
export type FeeClass = 'low' | 'medium' | 'high';

export const FEE_CLASSES: readonly FeeClass[] = ['low', 'medium', 'high'];

/**
 * Chains whose blocks are full at times, so that senders outbid each other: Bitcoin's fee market, and Ethereum's base fee,
 * which grows by an eighth with each full block (EIP-1559). Some dollars are usual then, and tens have been seen.
 */
const AUCTIONED: readonly string[] = ['bitcoin', 'ethereum'];

/**
 * Tokens whose transfer has a price that a vote sets, and that is far above a cent: on Tron a transfer of USDT burns some
 * TRX for its energy, unless the sender has staked for it (developers.tron.network, resource model).
 */
const TOKENS_AT_A_SET_PRICE: readonly string[] = ['tron'];

/** Everywhere else blocks have room, and a transfer costs cents or less. */
export function feeClassOf({ slug, tokenStandard }: Pick<NamedNetwork, 'slug' | 'tokenStandard'>): FeeClass {
  if (AUCTIONED.includes(slug)) return 'high';
  return tokenStandard !== null && TOKENS_AT_A_SET_PRICE.includes(slug) ? 'medium' : 'low';
}
