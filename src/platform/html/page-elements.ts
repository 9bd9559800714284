import type { ExactAmount, Texts } from '../i18n/texts.js';
import { Html, markup } from './markup.pure.js';

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
  return markup`<h1 class="${tone}" tabindex="-1">${icon}<span>${text}</span></h1>`;
}

/** A boxed remark. */
export function notice(tone: Tone, content: Html): Html {
  return markup`<div class="note ${tone}">${content}</div>`;
}

/** One line of a `<dl>`. */
export function row(term: string, value: Html | string): Html {
  return markup`<div><dt>${term}</dt><dd>${value}</dd></div>`;
}

/** Groups of four characters, which people can compare; together they are the text. */
export function inFours(text: string): string[] {
  return text.match(/.{1,4}/gu) ?? [];
}

/** An address in groups of four, copied in one piece; its ends are emphasized, because people compare those. */
export function addressInFours(address: string): Html {
  const fours = inFours(address).map((four) => markup`<span>${four}</span><wbr>`);
  return markup`<code class="value address" id="address" dir="ltr">${fours}</code>`;
}

/** An amount inside a text that may be written from right to left. */
export function money(texts: Texts, amount: ExactAmount): Html {
  return markup`<bdi dir="ltr">${texts.money(amount)}</bdi>`;
}

/** A point in time, which programs can read too. @param iso RFC 3339 */
export function instant(texts: Texts, iso: string): Html {
  return markup`<time datetime="${iso}">${texts.dateTime(iso)}</time>`;
}

/** The hash of a transaction, linked to a block explorer if there is one. */
export function transactionHash(texts: Texts, hash: string, explorerUrl: string | null): Html {
  const code = markup`<code class="small" dir="ltr">${hash}</code>`;
  if (explorerUrl === null) return code;
  return markup`<a href="${explorerUrl}" target="_blank" rel="noopener noreferrer">${code}<span class="unseen"> ${texts.text('page.opens-explorer')}</span></a>`;
}
