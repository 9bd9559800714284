import { type Html, markup } from '../../platform/kernel/markup.pure.js';
import type { MessageKey, Texts } from '../../platform/kernel/i18n/texts.js';
import type { ClockKind } from './screen.js';

/**
 * What the page's script shows and says (web/checkout/texts.ts), by the name that the script knows it by. The script has
 * no text of its own, so that it speaks the page's language.
 */
const KEYS = {
  copied: 'script.copied',
  'said-copied': 'script.text-copied',
  'said-copied-address': 'script.address-copied',
  'said-copied-amount': 'script.amount-copied',
  'said-not-copied': 'script.text-not-copied',
  'said-not-copied-address': 'script.address-not-copied',
  'said-not-copied-amount': 'script.amount-not-copied',
} as const satisfies Record<string, MessageKey>;

/** Of the countdown, by what ends. */
const CLOCKS = {
  price: {
    'time-left': 'script.time-left',
    'said-ended': 'script.price-ended',
    'said-one-minute': 'script.one-minute-left',
    'said-five-minutes': 'script.five-minutes-left',
  },
  link: {
    'time-left': 'script.link-time-left',
    // What the screen of the server announces, so that it is said once.
    'said-ended': 'expired.announcement',
    'said-one-minute': 'script.link-one-minute-left',
    'said-five-minutes': 'script.link-five-minutes-left',
  },
  rest: {
    'time-left': 'script.time-left',
    'said-ended': 'short.price-over',
    'said-one-minute': 'script.one-minute-left',
    'said-five-minutes': 'script.five-minutes-left',
  },
} as const satisfies Record<ClockKind, Record<string, MessageKey>>;

/** `data-text-…` attributes for the `<main>` of a payment's page. */
export function scriptTexts(texts: Texts, clock?: ClockKind): Html {
  const keys = { ...KEYS, ...(clock && CLOCKS[clock]) };
  const attributes = Object.entries(keys).map(([name, key]) => {
    // The script fills them in.
    const text = texts.text(key, { time: '{time}', end: '{end}', digits: '{digits}' });
    return markup` data-text-${name}="${text}"`;
  });
  return markup`${attributes}`;
}
