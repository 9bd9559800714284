/** An amount of the API in its smallest unit. */
export interface Money {
  /** Digits. */
  atomic: string;
  decimals: number;
  currency: { code: string };
}

/** Of V8: more would be an error. */
const MAX_FRACTION_DIGITS = 20;
const FIAT: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));

/** "25.50" of 2550 with two decimals; exact, whatever the length. */
export function decimalOf(atomic: string, decimals: number): string {
  const isNegative = atomic.startsWith('-');
  const digits = (isNegative ? atomic.slice(1) : atomic).padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  const fraction = decimals === 0 ? '' : `.${digits.slice(-decimals)}`;
  return `${isNegative ? '-' : ''}${whole}${fraction}`;
}

/** "25.5" of 2550 with two decimals. */
export function shortestDecimal(atomic: string, decimals: number): string {
  const decimal = decimalOf(atomic, decimals);
  if (decimals === 0) return decimal;
  let end = decimal.length;
  while (decimal[end - 1] === '0') end -= 1;
  return decimal.slice(0, decimal[end - 1] === '.' ? end - 1 : end);
}

/** Digits are 0 to 9 in every language, so that they can be compared with those of a wallet. */
export function digitsTag(locale: string): string {
  return `${locale}-u-nu-latn`;
}

/** What {@link formatMoney} has isolated in a text. */
export const AMOUNTS = /\u{2066}([^\u{2066}-\u{2069}]*)\u{2069}/u;

/**
 * "€25.50" and "25 USDC": all digits of a currency that people use, no zeros at the end of a coin's. From left to right
 * in a sentence of any direction (UAX 9: left-to-right isolate), which also tells Figures what no line may break.
 */
export function formatMoney({ atomic, decimals, currency: { code } }: Money, locale: string): string {
  const decimal = decimalOf(atomic, decimals) as `${number}`;
  const tag = digitsTag(locale);
  if (!FIAT.has(code))
    return leftToRight(
      `${new Intl.NumberFormat(tag, { maximumFractionDigits: MAX_FRACTION_DIGITS }).format(decimal)}\u{a0}${code}`,
    );
  const digits = { minimumFractionDigits: decimals, maximumFractionDigits: decimals };
  return leftToRight(
    new Intl.NumberFormat(tag, { style: 'currency', currency: code, ...digits }).format(decimal),
  );
}

function leftToRight(text: string): string {
  return `\u{2066}${text}\u{2069}`;
}

/** In the reader's own zone, with seconds and zone; the clock is not broken over lines. @param iso RFC 3339 */
export function formatTime(iso: string, locale: string): string {
  const written = new Intl.DateTimeFormat(digitsTag(locale), { dateStyle: 'medium', timeStyle: 'long' });
  const parts = written.formatToParts(new Date(iso));
  const clock = parts.findIndex(({ type }) => type === 'hour' || type === 'dayPeriod');
  return parts.map(({ value }, at) => (at > clock ? value.replace(/\s/g, '\u00a0') : value)).join('');
}

/** Where the gateway stops counting what waits. */
const MOST_COUNTED = 1_000;

/** "12", and "1,000+" where the gateway has stopped counting. */
export function formatCount(count: number, locale: string): string {
  const shown = new Intl.NumberFormat(digitsTag(locale)).format(Math.min(count, MOST_COUNTED));
  return count < MOST_COUNTED ? shown : `${shown}+`;
}

/** "0x5a2b…90e4": the first and last four characters that vary; what all addresses share says nothing. */
export function shortened(hash: string): string {
  const [, prefix = '', rest = hash] = /^(0x)?(.*)$/s.exec(hash) ?? [];
  return rest.length <= 12 ? hash : `${prefix}${rest.slice(0, 4)}…${rest.slice(-4)}`;
}

/** Text of its own direction inside of a sentence (UAX 9: first strong isolate). */
export function isolated(text: string): string {
  return `\u{2068}${text}\u{2069}`;
}

/** "12.50" as a field shows it in the reader's language, without separators of thousands; empty stays empty. */
export function localDecimal(decimal: string, locale: string): string {
  if (decimal === '') return '';
  const digits = decimal.split('.')[1]?.length ?? 0;
  const format = { useGrouping: false, minimumFractionDigits: digits, maximumFractionDigits: digits };
  return new Intl.NumberFormat(digitsTag(locale), format).format(decimal as `${number}`);
}
