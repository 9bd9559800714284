import { digitsTag } from '../i18n/format.pure.js';
import { exactAtomicOf } from './amount.pure.js';

/** What a person has written as an amount, in the smallest unit, in digits. */
export type ReadAmount =
  | { kind: 'amount'; atomic: string }
  /** It means one thing in one language and another in the next; both, in the smallest unit. */
  | { kind: 'ambiguous'; atomics: readonly [string, string] }
  /** It is no amount, or has more digits than the currency. */
  | { kind: 'wrong' };

interface Reader {
  /** Of the currency. */
  decimals: number;
  /** The language that the reader has chosen. */
  locale: string;
}

const WRONG: ReadAmount = { kind: 'wrong' };
/** The zeros of the decimal digits that people type: Arabic, Persian, Devanagari, full-width. */
const ZEROS = [0x660, 0x6f0, 0x966, 0xff10];
/** Marks of direction, which keyboards and copied text add. */
const DIRECTIONS = /[\u{200e}\u{200f}\u{61c}\u{202a}-\u{202e}\u{2066}-\u{2069}]/gu;
/** Separate groups and nothing else: spaces of every width, apostrophes, the Arabic mark of thousands. */
const GROUP = /[ \u{a0}\u{202f}\u{2009}'\u{2019}\u{66c}]/gu;
/** Groups of three; in India two, after the last three. */
const THREES = /^[1-9]\d{0,2}(?:_\d{3})+$/;
const INDIAN = /^[1-9]\d?(?:_\d{2})*_\d{3}$/;

/**
 * Reads an amount as the reader's language writes it: "1.250" is 1250 in German. A point or comma that this language
 * does not use so is taken for what its place makes of it where that leaves one meaning, and refused where two are left.
 */
export function readAmount(input: string, { decimals, locale }: Reader): ReadAmount {
  // What `plain` writes is nothing that people write.
  if (/[_D]/.test(input)) return WRONG;
  const text = plain(input);
  const [mark, ...more] = new Set(text.match(/[.,]/g));
  const last = text.match(/[.,](?=[^.,]*$)/)?.[0] ?? '';
  const count = text.split(last).length - 1;
  const wholeOf = (written: string, group: string) => ungrouped(written.replaceAll(group, '_'), locale);
  const asDecimal = (at = last) => {
    const [whole = '', fraction] = text.split(at);
    const digits = wholeOf(whole, at === '.' ? ',' : '.');
    if (digits === null || fraction === undefined) return null;
    return exactAtomicOf(`${digits}.${fraction}`, decimals);
  };
  const asWhole = () => {
    const digits = wholeOf(text, last === '' ? '_' : last);
    return digits === null ? null : exactAtomicOf(digits, decimals);
  };
  if (text.includes('D'))
    return mark === undefined && text.split('D').length === 2 ? one(asDecimal('D')) : WRONG;
  if (mark === undefined) return one(asWhole());
  // Of two marks the last is the decimal one.
  if (more.length > 0) return count === 1 ? one(asDecimal()) : WRONG;
  if (count > 1) return one(asWhole());
  return choose(asDecimal(), asWhole(), { mark, text, decimals, locale });
}

/** One mark that stands once: by the language, unless another language would read a common amount out of it. */
function choose(
  decimal: string | null,
  whole: string | null,
  { mark, text, decimals, locale }: Reader & { mark: string; text: string },
): ReadAmount {
  if (decimal === null || whole === null) {
    // "1.250" of a currency without decimals is 1250 only where the point separates groups.
    return one(decimal ?? (isMarkOf(locale, 'group', mark) ? whole : null));
  }
  const digitsAfter = text.length - 1 - text.indexOf(mark);
  const isCommonDecimal = digitsAfter <= decimals;
  if (isMarkOf(locale, 'group', mark) && !isCommonDecimal) return one(whole);
  if (isMarkOf(locale, 'decimal', mark) && isCommonDecimal) return one(decimal);
  return { kind: 'ambiguous', atomics: [decimal, whole] };
}

function one(atomic: string | null): ReadAmount {
  return atomic === null ? WRONG : { kind: 'amount', atomic };
}

/** Digits 0 to 9, points and commas; `_` separates groups for certain, and `D` decimals. */
function plain(input: string): string {
  return input
    .replace(DIRECTIONS, '')
    .trim()
    .replace(/\p{Nd}/gu, digitOf)
    .replaceAll('．', '.')
    .replaceAll('，', ',')
    .replaceAll('\u{66b}', 'D')
    .replace(GROUP, '_');
}

function digitOf(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const zero = ZEROS.find((start) => code >= start && code < start + 10);
  return zero === undefined ? character : String(code - zero);
}

/** Null: the groups are not those of a number. */
function ungrouped(written: string, locale: string): string | null {
  if (/^\d+$/.test(written)) return written;
  const isGrouped = THREES.test(written) || (isIndian(locale) && INDIAN.test(written));
  return isGrouped ? written.replaceAll('_', '') : null;
}

function isIndian(locale: string): boolean {
  return locale === 'hi';
}

function isMarkOf(locale: string, type: 'decimal' | 'group', mark: string): boolean {
  const parts = new Intl.NumberFormat(digitsTag(locale), { useGrouping: 'always' }).formatToParts(1234567.5);
  return parts.some((part) => part.type === type && part.value === mark);
}
