import { ArrayMaxSize, ArrayMinSize, IsArray, ValidateBy } from 'class-validator';
import { JsonFloat } from '../../kernel/exact-json.pure.js';
import { fromText, isConverted, unwrapped } from './conversions.js';
import type { Field, Problem } from './field.js';
import { duplicateMessage, must, mustMessage, requiredMessage, says } from './messages.js';
import { selectionMessage } from './selection-message.pure.js';
import { isCleanText, isHttpUrl } from './text-forms.pure.js';

/*
 * The rules of request fields that class-validator does not have: its lengths leave out variation selectors, its bounds
 * are of doubles, it takes URLs that browsers repair, and names no item of a list.
 */

/** The part of a field that reads it. */
type Reader = Required<Pick<Field, 'convert' | 'rules'>>;

/** The error message for a value that is none of the choices, for modules that can explain more. */
export type ChoiceMessage = (field: string, sent: unknown) => string;

/**
 * A rule with the message "The … field must …".
 * @param problem what the value must, or null; it is a `Value` where the rules before it require one
 */
export function rule<Value = unknown>(
  name: string,
  problem: (value: Value) => string | null,
): PropertyDecorator {
  return ValidateBy(
    { name, validator: { validate: (value) => problem(value as Value) === null } },
    says((field, value) => mustMessage(problem(value as Value) ?? '')(field)),
  );
}

/** @returns what a text must, unless it has `min` to `max` code points */
export function textProblem(text: string, min: number, max: number): string | null {
  if (!isCleanText(text)) return 'not contain invalid characters';
  // Code points: an emoji is one character to people, and two in `length`.
  const { length } = Array.from(text);
  if (length >= min && length <= max) return null;
  return min > 1 ? `be between ${min} and ${max} characters` : `not be greater than ${max} characters`;
}

/** The same for {@link isHttpUrl}. */
export function urlProblem(text: string, maxLength: number, httpsOnly: boolean): string | null {
  const problem = textProblem(text, 0, maxLength);
  if (problem !== null || isHttpUrl(text, httpsOnly)) return problem;
  return `be a valid ${httpsOnly ? 'https URL' : 'URL'} with a scheme and a host and without user name, password and spaces, e.g. https://shop.example/orders`;
}

/** White space, and what shows as little: format characters, fillers of Hangul and Braille. */
const SHOWS_NOTHING = /^[\s\p{White_Space}\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}\u2800]+$/u;

/** For `also`: not only what cannot be seen. Text is stored as it was sent, never trimmed. */
export const NOT_BLANK = {
  holds: (value: unknown) => typeof value !== 'string' || !SHOWS_NOTHING.test(value),
  message: mustMessage('not be blank'),
};

/** The maximum of uint256, which fits into numeric(78,0). */
const MAX_ATOMIC = 2n ** 256n - 1n;

/** An amount in smallest units. @param form what anything but a bigint must be */
export const atomic = (form: string, min = 1n, max = MAX_ATOMIC) =>
  rule('atomic', (value) => {
    if (typeof value !== 'bigint') return form;
    if (value < min) return `be at least ${min}`;
    return value > max ? `not be greater than ${max}` : null;
  });

/** A text that only `parse` can read, such as a cursor. @param form what it must be where that returns null */
export const parsed = (parse: (text: string) => object | bigint | null, form: string): Reader => ({
  convert: fromText(parse),
  rules: [rule('parsed', (value) => (isConverted(value) ? null : form))],
});

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

type Item = readonly [item: unknown, at: number, items: readonly unknown[]];

function itemMessage([item, at, items]: Item, rules: Partial<TextArrayRules>): Problem['message'] | null {
  if (item === null || item === '') return requiredMessage;
  if (typeof item !== 'string') return mustMessage('be a string');
  const { maxLength = MAX_ITEM_LENGTH, oneOf, explain, unique } = rules;
  const problem = textProblem(item, 1, maxLength);
  if (problem !== null) return mustMessage(problem);
  if (oneOf && !oneOf.includes(item))
    return (field) => explain?.(field, item) ?? selectionMessage(field, item, { allowed: oneOf });
  return unique && items.indexOf(item) !== at ? duplicateMessage : null;
}

/** An array of strings; a wrong item is named by its index, e.g. `currencyWhitelist.0`. */
export function textArray({ min = 0, max = Infinity, ...rules }: Partial<TextArrayRules>) {
  return {
    convert: unwrapped,
    rules: [
      IsArray(must('be an array of strings, e.g. ["first", "second"]')),
      ArrayMaxSize(max, must(`not have more than ${max} items`)),
      ArrayMinSize(min, must(`have at least ${min} item${min > 1 ? 's' : ''}`)),
    ],
    items: (value: readonly unknown[]) =>
      value.flatMap((...item): Problem[] => {
        const message = itemMessage(item, rules);
        return message === null ? [] : [{ at: item[1], message }];
      }),
  };
}

/** An object with at most `count` entries. @param form what anything else must be */
function map(form: string, count: number): Reader {
  const isMap = (value: unknown) =>
    typeof value === 'object' && !Array.isArray(value) && !(value instanceof JsonFloat);
  return {
    convert: unwrapped,
    rules: [
      rule('map', (value) => (isMap(value) ? null : form)),
      rule<object>('count', (value) =>
        Object.keys(value).length > count ? `not have more than ${count} items` : null,
      ),
    ],
  };
}

/** A name that a message may repeat. A secret may have been sent as a name by mistake. */
const PLAIN_NAME = /^[a-zA-Z][a-zA-Z0-9-]{0,23}$/;

/** Whole numbers by name; a wrong one is named by it, e.g. `confirmations.bitcoin`. @param count how many at most */
export const integerMap = (count: number, min: number, max: number) => ({
  ...map('be an object of numbers by name, e.g. {"bitcoin": 3}', count),
  items: (value: object) =>
    Object.entries(value).flatMap(([name, item]: [string, unknown]): Problem[] => {
      const at = PLAIN_NAME.test(name) ? name : undefined;
      if (typeof item !== 'number' && typeof item !== 'bigint')
        return [{ at, message: mustMessage(`be an integer${at === undefined ? ' for each name' : ''}`) }];
      return item >= min && item <= max ? [] : [{ at, message: mustMessage(`be between ${min} and ${max}`) }];
    }),
});

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
export function textMap({ count, maxKeyLength, maxLength, maxBytes }: TextMapRules) {
  const { convert, rules } = map('be an object of strings by name, e.g. {"cart": "17"}', count);
  return {
    convert,
    rules: [
      ...rules,
      // A wrong name is not repeated: it may be of any length.
      rule<object>('keys', (value) =>
        Object.keys(value).some((key) => key === '' || textProblem(key, 1, maxKeyLength) !== null)
          ? `have keys of 1 to ${maxKeyLength} characters`
          : null,
      ),
    ],
    items: (value: object): Problem[] => {
      const problems = Object.entries(value).flatMap(([at, item]: [string, unknown]) => {
        const problem = typeof item === 'string' ? textProblem(item, 0, maxLength) : 'be a string';
        return problem === null ? [] : [{ at, message: mustMessage(problem) }];
      });
      if (problems.length > 0 || Buffer.byteLength(JSON.stringify(value)) <= maxBytes) return problems;
      return [{ message: mustMessage(`not be greater than ${maxBytes} bytes as JSON`) }];
    },
  };
}
