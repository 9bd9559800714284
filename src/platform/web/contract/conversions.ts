import { UUID } from '../../kernel/ids.pure.js';

/* What class-transformer does with a value before the rules see it. What cannot be converted is left to them. */

/** In place of a value that is no text: else a number or boolean that was sent would pass for a converted one. */
const NOT_TEXT = Symbol('not text');

/** @param parse returns null for a text that it cannot convert */
export const fromText = (parse: (text: string) => unknown) => (sent: unknown) =>
  typeof sent === 'string' ? (parse(sent) ?? sent) : NOT_TEXT;

/** Whether {@link fromText} has made something else of a text. */
export const isConverted = (value: unknown) => typeof value !== 'string' && value !== NOT_TEXT;

/** A list or an object: it arrives as a function (see read-contract.ts). */
export const unwrapped = (sent: unknown): unknown =>
  typeof sent === 'function' ? (sent as () => unknown)() : sent;

/** A UUID in any case; in lower case. */
export function parseUuid(text: string): string | null {
  const id = text.toLowerCase();
  return UUID.test(id) ? id : null;
}

/** "true" or "false" of a query. */
export const parseBoolean = (text: string) => (text === 'true' ? true : text === 'false' ? false : null);

/** Plain digits of a query. */
export const parseInteger = (text: string) => (/^-?\d+$/.test(text) ? Number(text) : null);

/** Plain digits, as many as a uint256 has at most. */
export const parseDigits = (text: string) => (/^(0|[1-9]\d{0,77})$/.test(text) ? BigInt(text) : null);

/** A JSON integer. Large ones are bigints already; 10.0 and 1e3 are no numbers here (exact-json.pure.ts). */
export const toBigInt = (sent: unknown) =>
  typeof sent === 'number' && Number.isSafeInteger(sent) ? BigInt(sent) : sent;
