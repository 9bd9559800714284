import type { Texts } from '../platform/kernel/i18n/texts.js';

/** Networks that wallets and exchanges list by the standard of their tokens; elsewhere ERC-20 would mean Ethereum. */
const KNOWN_BY_STANDARD: readonly string[] = ['ethereum', 'bsc', 'tron'];
/** Names that changed and that people still look for. */
const FORMER_NAMES: Readonly<Record<string, string>> = { optimism: 'Optimism' };

/** A network as the sender's wallet or exchange sees it. */
export interface NamedNetwork {
  /** The chain's slug. */
  slug: string;
  name: string;
  /** E.g. "ERC-20"; null for the native coin. */
  tokenStandard: string | null;
}

/** The standard of a token where it also names the network; null where it would lead to another one. */
export function namingStandard({
  slug,
  tokenStandard,
}: Pick<NamedNetwork, 'slug' | 'tokenStandard'>): string | null {
  return KNOWN_BY_STANDARD.includes(slug) ? tokenStandard : null;
}

/** The name that people look for in a wallet or at an exchange: "Tron (TRC-20)", "OP Mainnet (Optimism)", "Base". */
export function familiarName(network: NamedNetwork): string {
  const addition = namingStandard(network) ?? FORMER_NAMES[network.slug];
  return addition === undefined ? network.name : `${network.name} (${addition})`;
}

/** The one name on all pages of customers: "Tron (TRC-20)", "Ethereum (ERC-20) test network". */
export function networkOf(
  texts: Texts,
  asset: {
    blockchain: { slug: string; name: string; testnet: boolean };
    token: { standard: string } | null;
  },
): string {
  const { blockchain, token } = asset;
  const network = familiarName({ ...blockchain, tokenStandard: token?.standard ?? null });
  return blockchain.testnet ? texts.text('network.test', { network }) : network;
}
