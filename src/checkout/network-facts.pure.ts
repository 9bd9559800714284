/** What a transfer costs the sender, roughly (specification/checkout.md#fee-classes). */
export type FeeClass = 'low' | 'medium' | 'high';

export const FEE_CLASSES: readonly FeeClass[] = ['low', 'medium', 'high'];

/** A network as the customer's wallet or exchange sees it. */
export interface NetworkOfAsset {
  /** The chain's slug. */
  slug: string;
  name: string;
  /** E.g. "ERC-20"; null for the native coin. */
  tokenStandard: string | null;
}

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
export function feeClassOf({
  slug,
  tokenStandard,
}: Pick<NetworkOfAsset, 'slug' | 'tokenStandard'>): FeeClass {
  if (AUCTIONED.includes(slug)) return 'high';
  return tokenStandard !== null && TOKENS_AT_A_SET_PRICE.includes(slug) ? 'medium' : 'low';
}

/** Networks that wallets and exchanges list by the standard of their tokens; elsewhere ERC-20 would mean Ethereum. */
const KNOWN_BY_STANDARD: readonly string[] = ['ethereum', 'bsc', 'tron'];
/** Names that changed and that people still look for. */
const FORMER_NAMES: Readonly<Record<string, string>> = { optimism: 'Optimism' };

/** The name that people look for in a wallet or at an exchange: "Tron (TRC-20)", "OP Mainnet (Optimism)", "Base". */
export function familiarName({ slug, name, tokenStandard }: NetworkOfAsset): string {
  const addition =
    tokenStandard !== null && KNOWN_BY_STANDARD.includes(slug) ? tokenStandard : FORMER_NAMES[slug];
  return addition === undefined ? name : `${name} (${addition})`;
}
