import { notEnabled } from '../platform/kernel/errors/not-enabled.pure.js';
import { selectionMessage } from '../platform/web/contract/selection-message.pure.js';
import { fold, similarNames } from '../platform/kernel/errors/similar-names.pure.js';
import type { Chain } from './chain.pure.js';
import { CHAIN_CATALOG } from './chain-catalog.pure.js';

/** Other names of networks besides slug and name; folded. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  erc20: 'ethereum',
  mainnet: 'ethereum',
  ether: 'ethereum',
  trc20: 'tron',
  bep20: 'bsc',
  bnb: 'bsc',
  binance: 'bsc',
  bnbchain: 'bsc',
  binancesmartchain: 'bsc',
  matic: 'polygon',
  op: 'optimism',
  arb: 'arbitrum',
  avax: 'avalanche',
  bch: 'bitcoincash',
};

/** The searchable part of a chain. */
type Known = Pick<Chain, 'slug' | 'name' | 'chainId' | 'assets'>;

/** Finds the chains that a text may mean: by letter case, name, chain id, coin, token standard or typing mistake. */
function meaningOf(text: string, chains: readonly Known[]): string[] {
  const folded = fold(text);
  const named = chains.filter(
    ({ slug, name, chainId }) =>
      fold(slug) === folded ||
      fold(name) === folded ||
      chainId?.toString() === folded ||
      OTHER_NAMES[folded] === slug,
  );
  const native = ({ assets }: Known) => assets.find(({ asset }) => asset === 'native')?.currencyCode;
  const byCoin = chains.filter((chain) => native(chain)?.toLowerCase() === folded);
  const byToken = chains.filter(({ assets }) =>
    assets.some(({ currencyCode }) => currencyCode.toLowerCase() === folded),
  );
  const found = [named, byCoin, byToken].find((list) => list.length > 0) ?? [];
  const slugs = found.map(({ slug }) => slug).slice(0, 3);
  return slugs.length > 0
    ? slugs
    : similarNames(
        text,
        chains.map(({ slug }) => slug),
      );
}

/**
 * Message for a chain that a field does not accept: suggests the chain that may be meant, or says that it is known but
 * not enabled here, and lists the enabled ones.
 * @param enabled the chains that this gateway watches
 * @param catalog every chain that a gateway could watch
 */
export function chainMessage(
  field: string,
  sent: unknown,
  enabled: readonly Known[],
  catalog: readonly Known[] = CHAIN_CATALOG,
): string {
  const slugs = enabled.map(({ slug }) => slug);
  if (typeof sent !== 'string') return selectionMessage(field, sent, { allowed: slugs });
  if (catalog.some(({ slug }) => slug === sent)) return notEnabled(field, slugs);
  const meant = meaningOf(sent, enabled);
  const [elsewhere] = meant.length > 0 ? [] : meaningOf(sent, catalog);
  const message = selectionMessage(field, sent, { allowed: slugs, meant });
  return elsewhere === undefined
    ? message
    : `${message} (${elsewhere} is known, but not enabled on this gateway.)`;
}
