import { ValidateBy, ValidateIf } from 'class-validator';
import { JsonFloat } from '../http/exact-json.pure.js';
import { uuidMessage } from '../http/id-forms.pure.js';
import { UUID } from '../runtime/ids.pure.js';
import { selectionMessage } from './selection-message.pure.js';
import { isCleanText, isHttpUrl, parseInstant } from './text-forms.js';

/*
 * DTO fields carry one rule each, e.g.
 *
 *   class CreateThing {
 *     @IsText(3, 255) name: string;                                             required
 *     @IsOptionalField() @IsTrueBoolean() enabled?: boolean;                    absent: undefined
 *     @IsOptionalField() @IsNullableField() @IsHttpUrl() url?: string | null;   null: cleared
 *   }
 *
 * Fields without a rule never reach the instance. Messages are Laravel's (specification/errors.md#body).
 */

/** A field that was read, or why not; `at` is the index of the wrong item of an array, or its name in an object. */
export type Reading = { value: unknown } | { problems: Problem[] };
export interface Problem {
  /** Names the field it is about. */
  message: (field: string) => string;
  at?: number | string;
}
export type Rule = (value: unknown) => Reading;

const REQUIRED: Problem = { message: (field) => `The ${field} field is required.` };

/** Refuses with a sentence that begins "The … field must". */
export function must(rest: string): Reading {
  return { problems: [{ message: (field) => `The ${field} field must ${rest}.` }] };
}

export const isMissing = (value: unknown) => value === undefined || value === null;

/** Rules by prototype and field, so that what was checked can also be converted. */
const RULES = new WeakMap<object, Map<string, Rule>>();

export function rulesOf(prototype: object): Map<string, Rule> {
  const parent = Object.getPrototypeOf(prototype) as object | null;
  const inherited = parent && parent !== Object.prototype ? rulesOf(parent) : [];
  return new Map([...inherited, ...(RULES.get(prototype) ?? [])]);
}

/**
 * Makes a decorator of a rule; rooms build rules of their own with it. A missing value never reaches `rule`.
 * Of several rules on one field all must pass, and the topmost says what the value becomes.
 */
export function FieldRule(name: string, rule: Rule): PropertyDecorator {
  const read: Rule = (value) => (isMissing(value) ? { problems: [REQUIRED] } : rule(value));
  return (prototype, property) => {
    const rules = RULES.get(prototype) ?? new Map<string, Rule>();
    RULES.set(prototype, rules.set(String(property), read));
    // class-validator drops the context of an empty message; what is said comes from `read`.
    const validator = { validate: (value: unknown) => 'value' in read(value), defaultMessage: () => name };
    ValidateBy({ name, validator }, { context: { read } })(prototype, property);
  };
}

/** The field may be absent: it then stays undefined (or keeps its initial value) and no other rule looks at it. */
export function IsOptionalField(): PropertyDecorator {
  return ValidateIf((_dto, value) => value !== undefined);
}

/** The field may be an explicit null, which mostly means "clear it". */
export function IsNullableField(): PropertyDecorator {
  return ValidateIf((_dto, value) => value !== null);
}

function readText(value: unknown, min: number, max: number): Reading {
  if (typeof value !== 'string') return must('be a string');
  if (value === '' && min > 0) return { problems: [REQUIRED] };
  if (!isCleanText(value)) return must('not contain invalid characters');
  // Code points: an emoji is one character to people, and two to `length`.
  const { length } = Array.from(value);
  if (length >= min && length <= max) return { value };
  return must(min > 1 ? `be between ${min} and ${max} characters` : `not be greater than ${max} characters`);
}

/** A string of `min` to `max` code points. */
export function IsText(min: number, max: number): PropertyDecorator {
  return FieldRule('isText', (value) => readText(value, min, max));
}

/** Text is stored as written, never trimmed; but nothing except white space names and keeps nothing. */
export function IsNotBlank(): PropertyDecorator {
  return FieldRule('isNotBlank', (value) =>
    typeof value === 'string' && /^\s+$/.test(value) ? must('not be blank') : { value },
  );
}

/** A UUID in any case; arrives in lower case. */
export function IsUuidField(): PropertyDecorator {
  return FieldRule('isUuidField', (value) => {
    const text = typeof value === 'string' ? value.toLowerCase() : '';
    return UUID.test(text) ? { value: text } : refuse((field) => uuidMessage(field, value));
  });
}

/** {@link isHttpUrl} as a field; kept exactly as written. */
export function IsHttpUrl(options: { maxLength?: number; httpsOnly?: boolean } = {}): PropertyDecorator {
  const { maxLength = 2_048, httpsOnly = false } = options;
  return FieldRule('isHttpUrl', (value) => {
    const text = readText(value, 0, maxLength);
    if ('problems' in text) return text;
    return isHttpUrl(String(value), httpsOnly)
      ? text
      : must(
          `be a valid ${httpsOnly ? 'https URL' : 'URL'} with a scheme and a host and without user name, password and spaces, e.g. https://shop.example/orders`,
        );
  });
}

/** What a time must look like. In a query "+" means a space, so that 12:00:00+02:00 arrives without its sign. */
function instantForm(value: unknown): string {
  const form = 'be a valid ISO 8601 date with a time zone, e.g. 2027-01-31T12:00:00Z';
  const lostSign = typeof value === 'string' && /T[\d:.]+ \d\d:\d\d$/.test(value);
  return lostSign ? `${form}; in a query the + of a time zone is written as %2B` : form;
}

/** ISO 8601 with a zone; arrives as a Date. */
export function IsIsoInstant(): PropertyDecorator {
  return FieldRule('isIsoInstant', (value) => {
    const instant = typeof value === 'string' ? parseInstant(value) : null;
    return instant ? { value: instant } : must(instantForm(value));
  });
}

/** JSON true or false; neither "true" nor 1. */
export function IsTrueBoolean(): PropertyDecorator {
  return FieldRule('isTrueBoolean', (value) =>
    typeof value === 'boolean' ? { value } : must('be true or false, without quotes'),
  );
}

/** `true` or `false` as a query writes it; arrives as a boolean. */
export function IsQueryBoolean(): PropertyDecorator {
  return FieldRule('isQueryBoolean', (value) =>
    value === 'true' || value === 'false' ? { value: value === 'true' } : must('be true or false'),
  );
}

/** What uint256 holds, and numeric(78,0) with it. */
const MAX_ATOMIC = 2n ** 256n - 1n;

/**
 * An amount in smallest units: a JSON integer token (specification/money.md#exact-integers), which arrives as bigint.
 * "12", 10.0 and 1e3 are refused: the parser hands over the latter two as JsonFloat (exact-json.ts).
 */
export function IsAtomicAmount(options: { min?: bigint; max?: bigint } = {}): PropertyDecorator {
  const { min = 1n, max = MAX_ATOMIC } = options;
  return FieldRule('isAtomicAmount', (value) => {
    const isInteger = typeof value === 'bigint' || (typeof value === 'number' && Number.isSafeInteger(value));
    if (!isInteger)
      return must('be an integer in the smallest unit of the currency, digits only: 2500 for 25.00 USD');
    const amount = BigInt(value);
    if (amount < min) return must(`be at least ${min}`);
    return amount > max ? must(`not be greater than ${max}`) : { value: amount };
  });
}

/** The same as plain digits in a string: "1500000000000000001". Arrives as bigint. */
export function IsAtomicText(options: { min?: bigint; max?: bigint } = {}): PropertyDecorator {
  const { min = 1n, max = MAX_ATOMIC } = options;
  return FieldRule('isAtomicText', (value) => {
    if (typeof value !== 'string' || !/^(0|[1-9]\d{0,77})$/.test(value))
      return must('be a string of digits without leading zeros, e.g. "2500"');
    const amount = BigInt(value);
    if (amount < min) return must(`be at least ${min}`);
    return amount > max ? must(`not be greater than ${max}`) : { value: amount };
  });
}

/** Refuses with a whole sentence that names the field. */
export function refuse(message: (field: string) => string): Reading {
  return { problems: [{ message }] };
}

/** What is said of a value that is none of the choices; rooms that know more of them say more. */
export type ChoiceMessage = (field: string, sent: unknown) => string;

/** One of a closed list of strings. */
export function IsOneOf(choices: readonly string[], explain?: ChoiceMessage): PropertyDecorator {
  const message = explain ?? ((field, sent) => selectionMessage(field, sent, { allowed: choices }));
  return FieldRule('isOneOf', (value) =>
    typeof value === 'string' && choices.includes(value)
      ? { value }
      : refuse((field) => message(field, value)),
  );
}

export interface TextArrayOptions {
  min?: number;
  /** Items. */
  max: number;
  /** Code points of one item; default 255. */
  maxLength?: number;
  unique?: boolean;
  /** A closed list of allowed items. */
  oneOf?: readonly string[];
  /** What is said of an item that is none of them. */
  explain?: ChoiceMessage;
}

function itemProblem(item: unknown, at: number, items: unknown[], options: TextArrayOptions): Problem[] {
  const text = readText(item ?? '', 1, options.maxLength ?? 255);
  if ('problems' in text) return text.problems.map((problem) => ({ ...problem, at }));
  const { oneOf, explain } = options;
  if (oneOf && !oneOf.includes(String(item)))
    return [
      { at, message: (field) => explain?.(field, item) ?? selectionMessage(field, item, { allowed: oneOf }) },
    ];
  if (options.unique && items.indexOf(item) !== at)
    return [{ at, message: (field) => `The ${field} field has a duplicate value.` }];
  return [];
}

/** An array of strings; a wrong item is named by its index, e.g. `currencyWhitelist.0`. */
export function IsTextArray(options: TextArrayOptions): PropertyDecorator {
  return FieldRule('isTextArray', (value) => {
    if (!Array.isArray(value)) return must('be an array of strings, e.g. ["first", "second"]');
    const { min = 0, max } = options;
    if (value.length > max) return must(`not have more than ${max} items`);
    if (value.length < min) return must(`have at least ${min} item${min > 1 ? 's' : ''}`);
    const problems = value.flatMap((item: unknown, at) => itemProblem(item, at, value, options));
    return problems.length > 0 ? { problems } : { value };
  });
}

/** A name that may stand in a message. A secret may have come as a name by mistake, and is not repeated. */
const PLAIN_NAME = /^[a-zA-Z][a-zA-Z0-9-]{0,23}$/;

/** Whole numbers by name; a wrong one is named by it, e.g. `confirmations.bitcoin`. @param count how many at most */
export function IsIntegerMap(count: number, min: number, max: number): PropertyDecorator {
  return FieldRule('isIntegerMap', (value) => {
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
  });
}

export interface TextMapOptions {
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
export function IsTextMap(options: TextMapOptions): PropertyDecorator {
  const { count, maxKeyLength, maxLength, maxBytes } = options;
  return FieldRule('isTextMap', (value) => {
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
  });
}

/** A whole number in a query string, as plain digits; arrives as number. */
export function IsQueryInteger(min: number, max: number): PropertyDecorator {
  return FieldRule('isQueryInteger', (value) => {
    if (typeof value !== 'string' || !/^-?\d+$/.test(value)) return must('be an integer');
    const number = Number(value);
    return number >= min && number <= max ? { value: number } : must(`be between ${min} and ${max}`);
  });
}
