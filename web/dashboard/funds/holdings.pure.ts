import type { Money } from '../i18n/format.pure.js';

/** What a holding says of its coin (listHoldings). */
interface Held {
  blockchain: string;
  currencyCode: string;
  receivedAmount: Money;
}

interface Network {
  slug: string;
  name: string;
  family: string;
  testnet: boolean;
  enabled: boolean;
}

/** How what lies on a network is brought together (src/chains/chain-family.pure.ts, `gatheringProblem`). */
export type CollectionKind = 'psbt' | 'treasury' | 'by-hand';

const KINDS: Readonly<Record<string, CollectionKind>> = {
  evm: 'treasury',
  bitcoin: 'psbt',
  litecoin: 'psbt',
  dogecoin: 'psbt',
};

export const kindOf = (family: string): CollectionKind => KINDS[family] ?? 'by-hand';

export interface CollectionChoice {
  slug: string;
  name: string;
  kind: CollectionKind;
  /** Codes of what has come in there. */
  coins: string[];
}

/** The networks on which something has come in, in the order of the list; not those that the gateway watches no more. */
export function choicesOf(holdings: readonly Held[], networks: readonly Network[]): CollectionChoice[] {
  const coins = new Map<string, Set<string>>();
  for (const { blockchain, currencyCode } of holdings)
    coins.set(blockchain, (coins.get(blockchain) ?? new Set()).add(currencyCode));
  return [...coins].flatMap(([slug, codes]) => {
    const network = networks.find((one) => one.slug === slug && one.enabled);
    if (!network) return [];
    return [{ slug, name: network.name, kind: kindOf(network.family), coins: [...codes].sort() }];
  });
}

/**
 * What came in of a coin on several networks, together. Coins are never added to other coins, nor those of test networks,
 * which are worth nothing, or of networks that nobody knows any more, to real ones.
 */
export function totalsOf(holdings: readonly Held[], networks: readonly Network[]): Money[] {
  const real = new Set(networks.filter(({ testnet }) => !testnet).map(({ slug }) => slug));
  const byCoin = new Map<string, Held[]>();
  for (const held of holdings)
    if (real.has(held.blockchain))
      byCoin.set(held.currencyCode, [...(byCoin.get(held.currencyCode) ?? []), held]);
  return [...byCoin.values()].flatMap((some) => {
    const sum = sumOf(some.map(({ receivedAmount }) => receivedAmount));
    return sum && new Set(some.map(({ blockchain }) => blockchain)).size > 1 ? [sum] : [];
  });
}

/** Of one currency, whose networks may count it in different units; null: of nothing. */
export function sumOf(amounts: readonly Money[]): Money | null {
  const [first] = amounts;
  if (!first) return null;
  const decimals = Math.max(...amounts.map((one) => one.decimals));
  const units = amounts.reduce(
    (sum, { atomic, decimals: own }) => sum + BigInt(atomic) * 10n ** BigInt(decimals - own),
    0n,
  );
  return { atomic: String(units), decimals, currency: { code: first.currency.code } };
}
