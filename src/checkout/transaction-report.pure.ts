import type { Chain } from '../chains/chain.pure.js';
import { familyOf } from '../chains/chain-families.pure.js';

/** A network on which the payment can have been paid. */
export type ReportNetwork = Pick<Chain, 'slug' | 'name' | 'family'>;

/** What a customer reports: a transaction's id or the link to it, and perhaps the network. */
export interface WantedReport {
  txHash: string;
  /** The slug of the network in any case; null: not said. */
  provider: string | null;
}

/** Why nothing can be looked for. */
export type ReportProblem = 'malformed' | 'unknown_network' | 'no_address' | 'too_many';

/** The id of a transaction in all families; some write `0x` before it. */
const ID = /(?<![0-9a-z])(?:0x)?[0-9a-f]{64}(?![0-9a-z])/gi;

/**
 * The networks on which a payment can have been paid: those of the families in which it has an address, since a customer
 * may have sent to that address on another network than asked for. The selected one is first, then those asked for last.
 */
export function networksOf<Network extends ReportNetwork>(
  chains: readonly Network[],
  quotes: readonly { chain: string }[],
  selected: string | null,
): Network[] {
  const asked = [...new Set(quotes.map(({ chain }) => chain).toReversed())];
  const families = new Set(chains.filter(({ slug }) => asked.includes(slug)).map(({ family }) => family));
  const rank = ({ slug }: Network) => {
    const place = asked.indexOf(slug);
    if (place === -1) return asked.length;
    return slug === selected ? -1 : place;
  };
  return chains.filter(({ family }) => families.has(family)).toSorted((a, b) => rank(a) - rank(b));
}

/**
 * Reads what a customer reports. Where no network is named, it is the first that writes ids in the way of this one, or else
 * the first. A transaction that is recorded already is of the network where it is, whichever was named: people name the
 * one that they were asked to pay on.
 * @param networks of the payment, the likeliest first
 * @param recorded transactions of the payment
 */
export function readReport<Network extends ReportNetwork>(
  { txHash: text, provider }: WantedReport,
  networks: readonly Network[],
  recorded: readonly { chain: string; txHash: string }[] = [],
): { network: Network; txHash: string } | ReportProblem {
  const [first] = networks;
  if (!first) return 'no_address';
  const id = findId(text);
  if (id === null) return 'malformed';
  const network =
    provider === null
      ? (networks.find(({ family }) => familyOf(family).parseTransactionHash(id) !== null) ?? first)
      : networks.find(({ slug }) => slug === provider.toLowerCase());
  if (!network) return 'unknown_network';
  const digits = id.slice(-64);
  const known = recorded.find((one) => one.txHash.slice(-64) === digits.toLowerCase());
  const found = networks.find(({ slug }) => slug === known?.chain) ?? network;
  const { parseTransactionHash } = familyOf(found.family);
  const txHash = parseTransactionHash(`0x${digits}`) ?? parseTransactionHash(digits);
  return txHash === null ? 'malformed' : { network: found, txHash };
}

/** An id alone, or in a link to a block explorer. Never taken out of other text, which may be a secret. */
function findId(text: string): string | null {
  const trimmed = text.trim();
  const [id, ...others] = trimmed.match(ID) ?? [];
  if (id === undefined || others.length > 0) return null;
  return id === trimmed || /^https?:\/\/\S+$/i.test(trimmed) ? id : null;
}
