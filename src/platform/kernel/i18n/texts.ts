import { readFileSync } from 'node:fs';
import { IntlMessageFormat } from 'intl-messageformat';
import { Html, markup } from '../markup.pure.js';
import { type Direction, directionOf, type PageLocale, PSEUDO_LOCALE } from './locale.pure.js';
import { pseudoMessage } from './pseudo-message.pure.js';

/** The messages of web/messages/en.json; the other languages have the same keys (scripts/check-messages.mjs). */
export type MessageKey = keyof typeof import('../../../../web/messages/en.json', { with: { type: 'json' } });
type Messages = Readonly<Record<MessageKey, string>>;

type ListType = 'conjunction' | 'disjunction';

export type TextValues = Readonly<Record<string, string | number>>;
export type HtmlValues = Readonly<Record<string, string | number | Html>>;

/** An amount in its smallest unit. */
export interface ExactAmount {
  /** Digits. */
  atomic: string;
  decimals: number;
  currency: { code: string };
}

/** Of this version of V8. */
const MAX_FRACTION_DIGITS = 20;
const MINUTE = 60;
const HOUR = 3_600;
const DAY = 86_400;
const SECONDS = { second: 1, minute: MINUTE, hour: HOUR, day: DAY } as const;

/** What customers read, in one language: messages (ICU MessageFormat), numbers and times. */
export class Texts {
  readonly direction: Direction;
  private readonly formats = new Map<MessageKey, IntlMessageFormat>();
  /** Digits are 0 to 9 in every language: customers compare and copy them into wallets, which know no others. */
  private readonly tag: string;
  private readonly dateTimes: Intl.DateTimeFormat;
  private readonly clockTimes: Intl.DateTimeFormat;
  /** By their options: one for each currency and unit. */
  private readonly numberFormats = new Map<string, Intl.NumberFormat>();

  constructor(
    readonly locale: PageLocale,
    private readonly messages: Messages,
  ) {
    this.direction = directionOf(locale);
    this.tag = `${locale === PSEUDO_LOCALE ? 'en' : locale}-u-nu-latn`;
    this.dateTimes = new Intl.DateTimeFormat(this.tag, {
      dateStyle: 'medium',
      timeStyle: 'long',
      timeZone: 'UTC',
    });
    this.clockTimes = new Intl.DateTimeFormat(this.tag, { timeStyle: 'long', timeZone: 'UTC' });
  }

  /** @throws Error if a placeholder of the message has no value */
  text(key: MessageKey, values: TextValues = {}): string {
    return String(this.formatOf(key).format(values));
  }

  /** The same as markup: strings are escaped, markup in the values stays. */
  html(key: MessageKey, values: HtmlValues = {}): Html {
    const formatted = this.formatOf(key).format<Html>(values);
    const parts = Array.isArray(formatted) ? formatted : [formatted];
    return markup`${parts.map((part) => (part instanceof Html ? part : markup`${part}`))}`;
  }

  /** @param decimal an exact number: "64321.12" */
  number(decimal: string): string {
    return this.decimals(decimal, { maximumFractionDigits: MAX_FRACTION_DIGITS });
  }

  /** "€25.50" and "25 USDC": all digits of a currency that people use, and no zeros at the end of a coin's. */
  money({ atomic, decimals, currency: { code } }: ExactAmount): string {
    const decimal = decimalOf(atomic, decimals);
    if (!FIAT.has(code)) return `${this.number(decimal)}\u{a0}${code}`;
    return this.decimals(decimal, {
      style: 'currency',
      currency: code,
      minimumFractionDigits: decimals,
      maximumFractionDigits: decimals,
    });
  }

  /** In UTC, with the zone; the page's script shows the customer's own zone instead. @param iso RFC 3339 */
  dateTime(iso: string): string {
    return unbrokenClock(this.dateTimes.formatToParts(new Date(iso)));
  }

  /** The time of the day alone, in the same form. @param iso RFC 3339 */
  clockTime(iso: string): string {
    return unbrokenClock(this.clockTimes.formatToParts(new Date(iso)));
  }

  /** "14 minutes ago". @param seconds at least 0 */
  ago(seconds: number): string {
    const [count, unit] = inLargestUnit(seconds);
    return new Intl.RelativeTimeFormat(this.tag, { numeric: 'always' }).format(-count, unit);
  }

  /** "3 minutes" or, in lists, "3 min", rounded to what a customer wants to know. @param seconds at least 0 */
  duration(seconds: number, unitDisplay: 'long' | 'short' = 'long'): string {
    const [count, unit] = inLargestUnit(seconds);
    return this.numberFormat({ style: 'unit', unit, unitDisplay }).format(count);
  }

  /** How long to wait before something works again: never less than it takes. @param seconds at least 0 */
  wait(seconds: number): string {
    const [, unit] = inLargestUnit(seconds);
    const count = Math.max(1, Math.ceil(seconds / SECONDS[unit]));
    return this.numberFormat({ style: 'unit', unit, unitDisplay: 'long' }).format(count);
  }

  /** "A, B and C", or "A, B or C". */
  list(items: readonly string[], type: ListType = 'conjunction'): string {
    return new Intl.ListFormat(this.tag, { type }).format(items);
  }

  /** The same of markup. */
  listHtml(items: readonly Html[], type: ListType = 'conjunction'): Html {
    const positions = items.map((_, index) => String(index));
    const parts = new Intl.ListFormat(this.tag, { type }).formatToParts(positions);
    return markup`${parts.map((part) => (part.type === 'element' && items[Number(part.value)]) || markup`${part.value}`)}`;
  }

  private decimals(decimal: string, options: Intl.NumberFormatOptions): string {
    // A string keeps all digits; the library's type asks for one that is known to be a number.
    return this.numberFormat(options).format(decimal as `${number}`);
  }

  /** Making one takes longer than all that a page does with it. */
  private numberFormat(options: Intl.NumberFormatOptions): Intl.NumberFormat {
    const key = JSON.stringify(options);
    const known = this.numberFormats.get(key);
    if (known) return known;
    const format = new Intl.NumberFormat(this.tag, options);
    this.numberFormats.set(key, format);
    return format;
  }

  private formatOf(key: MessageKey): IntlMessageFormat {
    const known = this.formats.get(key);
    if (known) return known;
    const text = this.messages[key];
    const format = new IntlMessageFormat(
      this.locale === PSEUDO_LOCALE ? pseudoMessage(text) : text,
      this.tag,
      undefined,
      // Messages hold no tags: markup comes from the code.
      { ignoreTag: true },
    );
    this.formats.set(key, format);
    return format;
  }
}

const CLOCK: readonly string[] = ['hour', 'minute', 'second', 'dayPeriod', 'timeZoneName'];

/** No line ends between "8:45:00" and "AM UTC". */
function unbrokenClock(parts: readonly Intl.DateTimeFormatPart[]): string {
  const isOfClock = (at: number) => CLOCK.includes(parts[at]?.type ?? '');
  return parts
    .map(({ value }, at) =>
      isOfClock(at - 1) && isOfClock(at + 1) ? value.replaceAll(' ', '\u{a0}') : value,
    )
    .join('');
}

const FIAT: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));

function decimalOf(atomic: string, decimals: number): string {
  if (decimals === 0) return atomic;
  const digits = atomic.padStart(decimals + 1, '0');
  return `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}

function inLargestUnit(seconds: number): [number, keyof typeof SECONDS] {
  if (seconds < MINUTE) return [Math.max(1, Math.round(seconds)), 'second'];
  if (seconds < 90 * MINUTE) return [Math.round(seconds / MINUTE), 'minute'];
  if (seconds < 2 * DAY) return [Math.round(seconds / HOUR), 'hour'];
  return [Math.round(seconds / DAY), 'day'];
}

const loaded = new Map<PageLocale, Texts>();

/** The texts of a language, read once. */
export function textsOf(locale: PageLocale): Texts {
  const known = loaded.get(locale);
  if (known) return known;
  const name = locale === PSEUDO_LOCALE ? 'en' : locale;
  // The same way from src/ and from dist/src/.
  const file = new URL(`../../../../web/messages/${name}.json`, import.meta.url);
  const texts = new Texts(locale, JSON.parse(readFileSync(file, 'utf8')) as Messages);
  loaded.set(locale, texts);
  return texts;
}
