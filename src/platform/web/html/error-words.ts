import type { GatewayError } from '../../kernel/errors/errors.pure.js';
import type { MessageKey, Texts } from '../../kernel/i18n/texts.js';
import { type Html, markup } from '../../kernel/markup.pure.js';
import type { Tone } from './page-elements.js';

/** An error as shown to a customer, instead of JSON. */
export interface ErrorMessages {
  title: MessageKey;
  tone: Tone;
  text: MessageKey;
}

/** Texts of a page for its errors. */
export interface ErrorTexts {
  byCode: Readonly<Record<string, ErrorMessages>>;
  /** For failures of the gateway: whether the customer has lost anything. */
  broken: MessageKey;
  /** What to do at any other address. */
  refused: MessageKey;
}

const TOO_MANY: ErrorMessages = {
  title: 'error.too-many.title',
  tone: 'warn',
  text: 'error.too-many.text',
};

/** The same wait as in the header of the response. @param headers of the error */
export function waitWords(texts: Texts, headers: Readonly<Record<string, string>> = {}): string {
  return texts.wait(Number(headers['Retry-After'] ?? 60));
}

export function errorWords(
  texts: Texts,
  known: ErrorTexts,
  error: Pick<GatewayError, 'status' | 'code' | 'extra'>,
): { title: string; tone: Tone; text: string } {
  const { title, tone, text } = messagesOf(known, error);
  const duration = waitWords(texts, error.extra.headers);
  return { title: texts.text(title), tone, text: texts.text(text, { duration }) };
}

function messagesOf(
  { byCode, broken, refused }: ErrorTexts,
  { status, code }: Pick<GatewayError, 'status' | 'code'>,
): ErrorMessages {
  const known = code === 'too_many_requests' ? TOO_MANY : byCode[code];
  if (known) return known;
  return status >= 500
    ? { title: 'error.broken.title', tone: 'warn', text: broken }
    : { title: 'error.invalid.title', tone: 'bad', text: refused };
}

/** Describes a broken link, for the shop that built it and may see this page before its customers do. */
export function noteForShop(
  texts: Texts,
  { code, extra: { hint } }: Pick<GatewayError, 'code' | 'extra'>,
): Html | null {
  if (code !== 'invalid_signature' || !hint) return null;
  // Hints are for developers, and English as the API is.
  const english = markup`<bdi lang="en" dir="ltr">${hint}</bdi>`;
  return markup`<p class="soft">${texts.html('error.for-shop', { hint: english })}</p>`;
}
