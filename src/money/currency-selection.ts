import { notEnabled } from '../platform/kernel/errors/not-enabled.pure.js';
import { selectionMessage } from '../platform/web/contract/selection-message.pure.js';
import { fold, similarNames } from '../platform/kernel/errors/similar-names.pure.js';
import { CURRENCIES, type Currency, findCurrency } from './currencies.js';

/** Other common names of currencies; folded. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  xbt: 'BTC',
  ethereum: 'ETH',
  eth2: 'ETH',
  tether: 'USDT',
  usdcoin: 'USDC',
  polygon: 'POL',
  matic: 'POL',
  bsc: 'BNB',
  binancecoin: 'BNB',
  binancesmartchain: 'BNB',
  dollar: 'USD',
  usdollar: 'USD',
  euros: 'EUR',
  pound: 'GBP',
  bcc: 'BCH',
};

/** Token and network in one word, as exchanges write it: `USDT-TRC20`, `usdt_erc20`, `USDT (TRON)`. */
const WITH_NETWORK =
  /^([a-z]{3,5})(trc20|erc20|bep20|bep2|spl|tron|ethereum|polygon|bsc|arbitrum|base|solana)$/;

/** Preferred when several codes are equally similar. */
const COMMON_CODES = ['USD', 'EUR', 'GBP', 'CHF', 'JPY', 'CAD', 'AUD'];

interface Meaning {
  codes: string[];
  /** The text also names a network. */
  withNetwork: boolean;
}

/** Guesses the code that a text was meant to be. */
function meaningOf(text: string, codes: readonly string[]): Meaning {
  const exact = (code: string | undefined): string[] => (code && codes.includes(code) ? [code] : []);
  const folded = fold(text);
  const bySymbol = CURRENCIES.find(({ symbol }) => symbol === text.trim());
  const byName = CURRENCIES.find(({ code, name }) => fold(name) === folded || fold(code) === folded);
  const found = exact(
    byName?.code ?? (Object.hasOwn(OTHER_NAMES, folded) ? OTHER_NAMES[folded] : undefined) ?? bySymbol?.code,
  );
  if (found.length > 0) return { codes: found, withNetwork: false };
  const token = exact(WITH_NETWORK.exec(folded)?.[1]?.toUpperCase());
  if (token.length > 0) return { codes: token, withNetwork: true };
  const common = COMMON_CODES.filter((code) => codes.includes(code));
  return { codes: similarNames(text, [...new Set([...common, ...codes])]), withNetwork: false };
}

/**
 * The error of a field with an unaccepted currency code: suggests the code that was probably meant, by case, name,
 * symbol, network or spelling mistake, and names the source of valid codes.
 * @param accepted the currencies that the field accepts
 * @param enabled the codes of these that are enabled on this gateway; absent: all
 */
export function currencyMessage(
  field: string,
  sent: unknown,
  accepted: readonly Currency[] = CURRENCIES,
  enabled?: readonly string[],
): string {
  const usable = accepted.filter(({ code }) => enabled?.includes(code) ?? true);
  const codes = usable.map(({ code }) => code);
  const isCryptoOnly = accepted.every(({ type }) => type === 'crypto');
  const list = isCryptoOnly
    ? `It must be the code of a cryptocurrency: ${codes.join(', ')}.`
    : 'It must be an upper-case currency code, as GET /api/currencies lists them.';
  const known = typeof sent === 'string' ? findCurrency(sent) : null;
  if (known && accepted.includes(known))
    return notEnabled(
      field,
      usable.filter(({ type }) => type === known.type).map(({ code }) => code),
    );
  if (known) return `The selected ${field} is invalid. ${known.code} is a ${known.type} currency. ${list}`;
  const { codes: meant, withNetwork } =
    typeof sent === 'string' ? meaningOf(sent, codes) : { codes: [], withNetwork: false };
  const rule = withNetwork ? `The network is no part of the code: blockchainSlug chooses it. ${list}` : list;
  return selectionMessage(field, sent, { allowed: codes, meant, rule });
}
