import type { GatewayError } from '../errors/errors.pure.js';
import { type Html, markup } from './markup.pure.js';
import type { Tone } from './page-elements.js';

/** An error as shown to a customer, instead of JSON. */
export interface ErrorWords {
  title: string;
  tone: Tone;
  text: string;
}

/** Texts of a page for its errors. */
export interface ErrorTexts {
  byCode: Readonly<Record<string, ErrorWords>>;
  /** For failures of the gateway: whether the customer has lost anything. */
  broken: string;
  /** What to do at any other address. */
  refused: string;
}

const TOO_MANY: ErrorWords = {
  title: 'Too many requests',
  tone: 'warn',
  text: 'Please wait a minute, then load this page again.',
};

export function errorWords(
  { byCode, broken, refused }: ErrorTexts,
  { status, code }: Pick<GatewayError, 'status' | 'code'>,
): ErrorWords {
  const known = code === 'too_many_requests' ? TOO_MANY : byCode[code];
  if (known) return known;
  return status >= 500
    ? { title: 'This page does not work at the moment', tone: 'warn', text: broken }
    : { title: 'This address is not valid', tone: 'bad', text: refused };
}

/** Describes a broken link, for the shop that built it and may see this page before its customers do. */
export function noteForShop({ code, extra: { hint } }: Pick<GatewayError, 'code' | 'extra'>): Html | null {
  return code === 'invalid_signature' && hint ? markup`<p class="soft">For the shop: ${hint}</p>` : null;
}
