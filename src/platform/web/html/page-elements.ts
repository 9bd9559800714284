import type { ExactAmount, Texts } from '../../kernel/i18n/texts.js';
import { Html, markup } from '../../kernel/markup.pure.js';
import { HYPHENATED, numberSize } from './number-size.pure.js';

/** Plain has no icon. */
export type Tone = 'plain' | 'calm' | 'good' | 'warn' | 'bad';

const ICONS: Record<Exclude<Tone, 'plain'>, string> = {
  calm: '<circle cx="12" cy="12" r="9"/><path d="M12 7v5l3.5 2"/>',
  good: '<circle cx="12" cy="12" r="9"/><path d="m7.5 12.5 3 3 6-7"/>',
  warn: '<path d="M12 3 2.5 20h19z"/><path d="M12 9.5v5m0 2.4v.1"/>',
  bad: '<circle cx="12" cy="12" r="9"/><path d="m8.5 8.5 7 7m0-7-7 7"/>',
};

/** The screen's heading; the icon expresses by shape what the color does. */
export function heading(tone: Tone, text: Html | string): Html {
  const icon =
    tone === 'plain' ? null : new Html(`<svg viewBox="0 0 24 24" aria-hidden="true">${ICONS[tone]}</svg>`);
  return markup`<h1 class="${tone}" tabindex="-1">${icon}<span>${typeof text === 'string' ? unbrokenNames(text) : text}</span></h1>`;
}

/** A text in which no line breaks a name at its hyphen. */
export function unbrokenNames(text: string): Html {
  const pieces = text.split(HYPHENATED);
  return markup`${pieces.map((piece, at) => (at % 2 === 0 ? markup`${piece}` : markup`<span class="whole">${piece}</span>`))}`;
}

/** A name, inside a text that may be written from right to left. */
export function named(text: string): Html {
  return markup`<bdi>${unbrokenNames(text)}</bdi>`;
}

/** A boxed remark. */
export function notice(tone: Tone, content: Html): Html {
  return markup`<div class="note ${tone}">${content}</div>`;
}

/** One line of a `<dl>`. */
export function row(term: string, value: Html | string): Html {
  return markup`<div><dt>${term}</dt><dd>${value}</dd></div>`;
}

/** An address as people compare it: what it always begins with, its ends, and what is between, in groups of four. */
export interface AddressParts {
  prefix: string;
  first: string;
  middle: string[];
  last: string;
}

/** The beginning that all addresses of a kind have: EVM, segwit (BIP 173), cash addresses, or the version in base58. */
const PREFIX = /^(0x|[a-z]{2,4}1[qp]|[a-z]+:[a-z]?|.)/;
const GROUP = 4;

/**
 * Its ends are the first and the last four characters that another address would not have as well: a swindler's address
 * with the same "0x" and two more is made within a second.
 */
export function addressParts(address: string): AddressParts {
  const [prefix = ''] = PREFIX.exec(address) ?? [];
  const rest = address.slice(prefix.length);
  const end = Math.max(GROUP, rest.length - GROUP);
  const middle = rest.slice(GROUP, end).match(/.{1,4}/gu) ?? [];
  return { prefix, first: rest.slice(0, GROUP), middle, last: rest.slice(end) };
}

/** An address in groups of four, copied in one piece; its ends are emphasized, because people compare those. */
export function addressInFours(address: string): Html {
  const { prefix, first, middle, last } = addressParts(address);
  const fours = middle.map((four) => markup`<span>${four}</span><wbr>`);
  return markup`<code class="value address" id="address" dir="ltr"><span>${prefix}<strong>${first}</strong></span><wbr>${fours}<span><strong>${last}</strong></span></code>`;
}

/** A number with its unit, which no line breaks, inside a text that may be written from right to left. */
function unbroken(words: string): Html {
  const size = numberSize(words);
  return markup`<bdi class="number${size === null ? '' : ` n${size}`}" dir="ltr">${words}</bdi>`;
}

export function money(texts: Texts, amount: ExactAmount): Html {
  return unbroken(texts.money(amount));
}

/** "1 ETH = 2,000.10 USD". @param value what one unit of the base costs */
export function price(texts: Texts, { base, quote }: { base: string; quote: string }, value: string): Html {
  const cost = unbroken(`${texts.number(value)}\u{a0}${quote}`);
  return markup`<bdi dir="ltr">${unbroken(`1\u{a0}${base}`)} = ${cost}</bdi>`;
}

/** A point in time, which programs can read too. @param iso RFC 3339 */
export function instant(texts: Texts, iso: string): Html {
  return markup`<time datetime="${iso}">${texts.dateTime(iso)}</time>`;
}

/** The same to the second; of a day that is today in UTC the time alone. @param now RFC 3339 */
export function shortInstant(texts: Texts, iso: string, now: string): Html {
  const isToday = iso.slice(0, 'yyyy-mm-dd'.length) === now.slice(0, 'yyyy-mm-dd'.length);
  return markup`<time datetime="${iso}" data-seconds>${isToday ? texts.clockTime(iso) : texts.dateTime(iso)}</time>`;
}

/** The hash of a transaction, linked to a block explorer if there is one. */
export function transactionHash(texts: Texts, hash: string, explorerUrl: string | null): Html {
  const code = markup`<code class="small" dir="ltr">${hash}</code>`;
  if (explorerUrl === null) return code;
  return markup`<a href="${explorerUrl}" target="_blank" rel="noopener noreferrer">${code}<span class="unseen"> ${texts.text('page.opens-explorer')}</span></a>`;
}
