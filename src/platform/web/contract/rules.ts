import { JsonFloat } from '../../kernel/exact-json.pure.js';
import { uuidMessage } from '../../kernel/id-forms.pure.js';
import { UUID } from '../../kernel/ids.pure.js';
import { must, type Problem, type Reading, refuse, REQUIRED_READING, type Rule } from './field.js';
import { selectionMessage } from './selection-message.pure.js';
import { isCleanText, isHttpUrl, parseInstant } from './text-forms.pure.js';

/* The rules of request fields. Messages are those of Laravel (specification/errors.md#body). */

/** The maximum of uint256, which fits into numeric(78,0). */
const MAX_ATOMIC = 2n ** 256n - 1n;

/** The error message for a value that is none of the choices, for modules that can explain more. */
export type ChoiceMessage = (field: string, sent: unknown) => string;

/** A string of `min` to `max` code points. */
export function readText(value: unknown, min: number, max: number): Reading {
  if (typeof value !== 'string') return must('be a string');
  if (value === '' && min > 0) return REQUIRED_READING;
  if (!isCleanText(value)) return must('not contain invalid characters');
  // Code points: an emoji is one character to people, and two in `length`.
  const { length } = Array.from(value);
  if (length >= min && length <= max) return { value };
  return must(min > 1 ? `be between ${min} and ${max} characters` : `not be greater than ${max} characters`);
}

/** For `also`: not only white space. Text is stored as it was sent, never trimmed. */
export const notBlank: Rule = (value) =>
  typeof value === 'string' && /^\s+$/.test(value) ? must('not be blank') : { value };

/** A UUID in any case; converted to lower case. */
export const readUuid: Rule = (value) => {
  const text = typeof value === 'string' ? value.toLowerCase() : '';
  return UUID.test(text) ? { value: text } : refuse((field) => uuidMessage(field, value));
};

/** UUIDs of a query, separated by commas, each once; converted to lower case. @param max how many */
export function readUuidList(value: unknown, max: number): Reading {
  const sent = typeof value === 'string' ? value.split(',') : [];
  const ids = [...new Set(sent.map((id) => id.toLowerCase()))];
  const wrong = ids.find((id) => !UUID.test(id));
  if (ids.length === 0 || wrong !== undefined)
    return refuse(
      (field) => `${uuidMessage(field, wrong ?? value)} Several are separated by commas, without spaces.`,
    );
  return ids.length > max ? must(`not have more than ${max} items`) : { value: ids };
}

/** {@link isHttpUrl}; kept exactly as it was sent. */
export function readHttpUrl(value: unknown, maxLength: number, httpsOnly: boolean): Reading {
  const text = readText(value, 0, maxLength);
  if ('problems' in text) return text;
  return isHttpUrl(String(value), httpsOnly)
    ? text
    : must(
        `be a valid ${httpsOnly ? 'https URL' : 'URL'} with a scheme and a host and without user name, password and spaces, e.g. https://shop.example/orders`,
      );
}

/** The message for an invalid time. In a query "+" means a space, so that 12:00:00+02:00 loses its sign. */
function instantForm(value: unknown): string {
  const form = 'be a valid ISO 8601 date with a time zone, e.g. 2027-01-31T12:00:00Z';
  const lostSign = typeof value === 'string' && /T[\d:.]+ \d\d:\d\d$/.test(value);
  return lostSign ? `${form}; in a query the + of a time zone is written as %2B` : form;
}

/** ISO 8601 with a zone; converted to a Date. */
export const readInstant: Rule = (value) => {
  const instant = typeof value === 'string' ? parseInstant(value) : null;
  return instant ? { value: instant } : must(instantForm(value));
};

/** JSON true or false; neither "true" nor 1. */
export const readBoolean: Rule = (value) =>
  typeof value === 'boolean' ? { value } : must('be true or false, without quotes');

/** "true" or "false" of a query. */
export const readQueryBoolean: Rule = (value) =>
  value === 'true' || value === 'false' ? { value: value === 'true' } : must('be true or false');

/** A whole number in a query string, as plain digits. */
export function readQueryInteger(value: unknown, min: number, max: number): Reading {
  if (typeof value !== 'string' || !/^-?\d+$/.test(value)) return must('be an integer');
  const number = Number(value);
  return number >= min && number <= max ? { value: number } : must(`be between ${min} and ${max}`);
}

function withinAtomic(amount: bigint, min: bigint, max: bigint): Reading {
  if (amount < min) return must(`be at least ${min}`);
  return amount > max ? must(`not be greater than ${max}`) : { value: amount };
}

/**
 * An amount in smallest units: a JSON integer token (specification/money.md#exact-integers), converted to a bigint.
 * "12", 10.0 and 1e3 are refused: the parser returns the latter two as JsonFloat (exact-json.ts).
 */
export function readAtomicAmount(value: unknown, min = 1n, max = MAX_ATOMIC): Reading {
  const isInteger = typeof value === 'bigint' || (typeof value === 'number' && Number.isSafeInteger(value));
  return isInteger
    ? withinAtomic(BigInt(value), min, max)
    : must('be an integer in the smallest unit of the currency, digits only: 2500 for 25.00 USD');
}

/** The same as plain digits in a string: "1500000000000000001". */
export function readAtomicText(value: unknown, min = 1n, max = MAX_ATOMIC): Reading {
  if (typeof value !== 'string' || !/^(0|[1-9]\d{0,77})$/.test(value))
    return must('be a string of digits without leading zeros, e.g. "2500"');
  return withinAtomic(BigInt(value), min, max);
}

/** One of a closed list of strings. */
export function readChoice(value: unknown, choices: readonly string[], explain?: ChoiceMessage): Reading {
  if (typeof value === 'string' && choices.includes(value)) return { value };
  return refuse((field) => explain?.(field, value) ?? selectionMessage(field, value, { allowed: choices }));
}

/** Code points of an item, unless set. */
export const MAX_ITEM_LENGTH = 255;

export interface TextArrayRules {
  min?: number;
  /** Items. */
  max: number;
  /** Code points of one item; default {@link MAX_ITEM_LENGTH}. */
  maxLength?: number;
  unique?: boolean;
  /** A closed list of allowed items. */
  oneOf?: readonly string[];
  /** The error message for any other item. */
  explain?: ChoiceMessage;
}

function itemProblem(item: unknown, at: number, items: unknown[], rules: TextArrayRules): Problem[] {
  const text = readText(item ?? '', 1, rules.maxLength ?? MAX_ITEM_LENGTH);
  if ('problems' in text) return text.problems.map((problem) => ({ ...problem, at }));
  const { oneOf, explain } = rules;
  if (oneOf && !oneOf.includes(String(item)))
    return [
      { at, message: (field) => explain?.(field, item) ?? selectionMessage(field, item, { allowed: oneOf }) },
    ];
  if (rules.unique && items.indexOf(item) !== at)
    return [{ at, message: (field) => `The ${field} field has a duplicate value.` }];
  return [];
}

/** An array of strings; a wrong item is named by its index, e.g. `currencyWhitelist.0`. */
export function readTextArray(value: unknown, rules: TextArrayRules): Reading {
  if (!Array.isArray(value)) return must('be an array of strings, e.g. ["first", "second"]');
  const { min = 0, max } = rules;
  if (value.length > max) return must(`not have more than ${max} items`);
  if (value.length < min) return must(`have at least ${min} item${min > 1 ? 's' : ''}`);
  const problems = value.flatMap((item: unknown, at) => itemProblem(item, at, value, rules));
  return problems.length > 0 ? { problems } : { value };
}

/** A name that a message may repeat. A secret may have been sent as a name by mistake. */
const PLAIN_NAME = /^[a-zA-Z][a-zA-Z0-9-]{0,23}$/;

/** Whole numbers by name; a wrong one is named by it, e.g. `confirmations.bitcoin`. @param count how many at most */
export function readIntegerMap(value: unknown, count: number, min: number, max: number): Reading {
  if (typeof value !== 'object' || Array.isArray(value) || value instanceof JsonFloat)
    return must('be an object of numbers by name, e.g. {"bitcoin": 3}');
  const entries = Object.entries(value ?? {});
  if (entries.length > count) return must(`not have more than ${count} items`);
  const problems = entries.flatMap(([name, item]: [string, unknown]): Problem[] => {
    const at = PLAIN_NAME.test(name) ? name : undefined;
    if (typeof item !== 'number' && typeof item !== 'bigint')
      return [
        { at, message: (field) => `The ${field} field must be an integer${at ? '' : ' for each name'}.` },
      ];
    const isWithin = item >= min && item <= max;
    return isWithin
      ? []
      : [{ at, message: (field) => `The ${field} field must be between ${min} and ${max}.` }];
  });
  return problems.length > 0 ? { problems } : { value };
}

export interface TextMapRules {
  /** Entries. */
  count: number;
  /** Code points of a name; at least one. */
  maxKeyLength: number;
  /** Code points of a value. */
  maxLength: number;
  /** UTF-8 bytes of the whole as JSON without white space. */
  maxBytes: number;
}

/** Strings by name, nothing nested; a wrong value is named by it, e.g. `metadata.orderId`. */
export function readTextMap(value: unknown, rules: TextMapRules): Reading {
  const { count, maxKeyLength, maxLength, maxBytes } = rules;
  if (typeof value !== 'object' || Array.isArray(value) || value instanceof JsonFloat)
    return must('be an object of strings by name, e.g. {"cart": "17"}');
  const entries = Object.entries(value ?? {});
  if (entries.length > count) return must(`not have more than ${count} items`);
  // A wrong name is not repeated: it may be of any length.
  if (entries.some(([key]) => 'problems' in readText(key, 1, maxKeyLength)))
    return must(`have keys of 1 to ${maxKeyLength} characters`);
  const problems = entries.flatMap(([at, item]: [string, unknown]): Problem[] => {
    const text = readText(item, 0, maxLength);
    return 'problems' in text ? text.problems.map((problem) => ({ ...problem, at })) : [];
  });
  if (problems.length > 0) return { problems };
  const bytes = Buffer.byteLength(JSON.stringify(value));
  return bytes > maxBytes ? must(`not be greater than ${maxBytes} bytes as JSON`) : { value };
}
