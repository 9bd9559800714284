import { JsonFloat } from '../../kernel/exact-json.pure.js';

/* What a body says, apart from how it was written (specification/idempotency.md#the-same-request). */

/** The parts of a draft that say what was read (contract/read-contract.ts). */
export interface ReadFields {
  given: object;
}

/**
 * One text for all bodies that say the same: fields as they were read, where the route could read them, otherwise as
 * they were sent; in one order, without those that are null. It is kept as a digest for a day, so it must not depend on
 * the version of Node, and may change between releases only with care.
 * @param body parsed, unchecked; undefined: none was sent, which says as little as `{}`
 * @param read null: the route knows no field
 */
export function meaningOf(body: unknown, read: ReadFields | null): string {
  if (body === undefined) return '{}';
  if (typeof body !== 'object' || body === null || Array.isArray(body) || body instanceof JsonFloat)
    return canonical(body);
  const given = read ? (read.given as Record<string, unknown>) : {};
  const fields = Object.entries(body).map(([name, sent]: [string, unknown]) => [
    name,
    Object.hasOwn(given, name) ? (given[name] ?? sent) : sent,
  ]);
  return canonical(Object.fromEntries(fields));
}

function canonical(value: unknown): string {
  if (typeof value === 'number' || typeof value === 'bigint') return canonicalNumber(String(value));
  if (value instanceof JsonFloat) return canonicalNumber(value.text);
  // Not in quotes, so that no text says the same.
  if (value instanceof Date) return `@${value.getTime()}`;
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value ?? null);
  const fields = Object.entries(value)
    .filter(([, item]) => item !== null && item !== undefined)
    // By UTF-16 units; no locale decides.
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, item]) => `${JSON.stringify(name)}:${canonical(item)}`);
  return `{${fields.join()}}`;
}

const NUMBER = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;

/** 2500, 2500.0 and 2.5e3 are one number: digits without zeros around them, and a power of ten. */
function canonicalNumber(text: string): string {
  const [, sign = '', whole = '', fraction = '', power = '0'] = NUMBER.exec(text) ?? [];
  const digits = `${whole}${fraction}`.replace(/^0+/, '');
  const significant = digits.replace(/0+$/, '');
  if (significant === '') return '0';
  const exponent = BigInt(power) - BigInt(fraction.length) + BigInt(digits.length - significant.length);
  return `${sign}${significant}e${exponent}`;
}
