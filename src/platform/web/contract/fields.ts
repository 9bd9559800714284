import type { Type } from '@nestjs/common';
import { exampleOf, titleOf } from './contract.js';
import {
  defineField,
  type Enumeration,
  type Field,
  type FieldOptions,
  must,
  refuse,
  type Rule,
} from './field.js';
import * as json from './json-schema.js';
import {
  type ChoiceMessage,
  notBlank,
  readAtomicAmount,
  readAtomicText,
  readBoolean,
  readChoice,
  readHttpUrl,
  readInstant,
  readIntegerMap,
  readQueryBoolean,
  readQueryInteger,
  readText,
  MAX_ITEM_LENGTH,
  readTextArray,
  readTextMap,
  readUuid,
  type TextArrayRules,
  type TextMapRules,
} from './rules.js';

/*
 * One decorator for each field of a contract class: its rule, conversion, JSON schema and description, e.g.
 *
 *   @Text({ min: 1, max: 255, about: 'Your reference, e.g. the number of the order.' }) reference: string;
 *   @Instant({ about: 'When it was created.' }) createdAt: string;
 *   @HttpUrl({ optional: true, nullable: true, about: 'Null clears it.' }) url?: string | null;
 *
 * A property without one is refused when the document is read.
 */

interface FieldParts {
  schema: Field['schema'];
  read?: Rule;
  refersTo?: Field['refersTo'];
  exampleOf?: Field['exampleOf'];
}

/** A field that none of the other decorators fits. */
export function FieldOf({ schema, read, ...parts }: FieldParts, options: FieldOptions): PropertyDecorator {
  return defineField({
    ...options,
    ...parts,
    schema,
    rules: [...(options.also ?? []), ...(read ? [read] : [])],
  });
}

interface TextOptions extends FieldOptions, Pick<json.Schema, 'pattern' | 'format'> {
  min?: number;
  max?: number;
  /** The message for a text without the form of `pattern`. */
  wrongForm?: string;
  /** False: not only white space. */
  blank?: false;
}

/** A string of `min` to `max` code points. */
export function Text(options: TextOptions = {}): PropertyDecorator {
  const { min = 0, max = Infinity, blank, format, wrongForm } = options;
  const pattern = options.pattern ?? (blank === false ? '\\S' : undefined);
  const also = blank === false ? [...(options.also ?? []), notBlank] : options.also;
  const schema: json.Schema = {
    type: 'string',
    ...(min > 0 && { minLength: min }),
    ...(max < Infinity && { maxLength: max }),
    ...(pattern !== undefined && { pattern }),
    ...(format !== undefined && { format }),
  };
  const has = options.pattern === undefined ? undefined : new RegExp(options.pattern, 'u');
  const read: Rule = (value) => {
    const text = readText(value, min, max);
    if ('problems' in text || has === undefined || has.test(String(value))) return text;
    return wrongForm === undefined ? must(`have the form ${options.pattern}`) : refuse(() => wrongForm);
  };
  return FieldOf({ schema: () => schema, read }, { ...options, ...(also && { also }) });
}

/** A UUID in any case; converted to lower case. */
export function Uuid(options: FieldOptions = {}): PropertyDecorator {
  return FieldOf({ schema: () => ({ type: 'string', format: 'uuid' }), read: readUuid }, options);
}

/** An absolute http(s) address as browsers accept it, stored as it was sent. */
export function HttpUrl(
  options: FieldOptions & { maxLength?: number; httpsOnly?: boolean } = {},
): PropertyDecorator {
  const { maxLength = 2_048, httpsOnly = false } = options;
  const schema = httpsOnly ? json.HTTPS_URL : json.HTTP_URL;
  return FieldOf(
    {
      schema: () => ({ ...schema, maxLength }),
      read: (value) => readHttpUrl(value, maxLength, httpsOnly),
    },
    options,
  );
}

/** Requests: ISO 8601 with any zone, converted to a Date. Responses: UTC to the second, 2026-01-15T10:00:00Z. */
export function Instant(options: FieldOptions = {}): PropertyDecorator {
  return FieldOf(
    {
      schema: (direction) => (direction === 'response' ? json.INSTANT : json.ANY_INSTANT),
      read: readInstant,
      exampleOf: () => '2026-01-15T10:00:00Z',
    },
    options,
  );
}

/** JSON true or false. */
export function Flag(options: FieldOptions = {}): PropertyDecorator {
  return FieldOf({ schema: () => ({ type: 'boolean' }), read: readBoolean, exampleOf: () => false }, options);
}

/** "true" or "false" in a query; converted to a boolean. */
export function QueryFlag(options: FieldOptions = {}): PropertyDecorator {
  return FieldOf({ schema: () => ({ type: 'boolean' }), read: readQueryBoolean }, options);
}

/** A whole number in a query; converted to a number. */
export function QueryInteger(options: FieldOptions & { min: number; max: number }): PropertyDecorator {
  const { min, max } = options;
  return FieldOf(
    {
      schema: () => json.wholeNumber(min, max),
      read: (value) => readQueryInteger(value, min, max),
    },
    options,
  );
}

/** Responses: a whole number that a double holds exactly. Amounts are something else. */
export function Count(options: FieldOptions & { min?: number; max?: number } = {}): PropertyDecorator {
  const { min = 0, max } = options;
  return FieldOf({ schema: () => json.wholeNumber(min, max) }, options);
}

/** Responses: a number that may have a fraction; never an amount to calculate with. */
export function Decimal(options: FieldOptions & { min?: number } = {}): PropertyDecorator {
  const { min = 0 } = options;
  return FieldOf({ schema: () => ({ type: 'number', minimum: min }) }, options);
}

interface AtomicOptions extends FieldOptions {
  min?: bigint;
  max?: bigint;
}

/** Requests: an amount in smallest units, a JSON integer of all digits; converted to bigint. */
export function AtomicAmount(options: AtomicOptions = {}): PropertyDecorator {
  const { min = 1n, max } = options;
  return FieldOf(
    {
      schema: () => json.anyWholeNumber(min),
      read: (value) => readAtomicAmount(value, min, max),
    },
    options,
  );
}

/** The same as digits in a string; converted to bigint. */
export function AtomicText(options: AtomicOptions = {}): PropertyDecorator {
  const { min = 1n, max } = options;
  return FieldOf(
    {
      schema: () => ({
        type: 'string',
        ...(min > 0n ? { pattern: '^[1-9][0-9]{0,77}$' } : { pattern: '^(0|[1-9]\\d*)$', maxLength: 78 }),
      }),
      read: (value) => readAtomicText(value, min, max),
    },
    options,
  );
}

type Choices = readonly string[] | Enumeration;

const isEnumeration = (choices: Choices): choices is Enumeration => !Array.isArray(choices);

/** One of a closed list of strings; an {@link Enumeration} has a name of its own in the document. */
export function Choice(
  choices: Choices,
  options: FieldOptions & { explain?: ChoiceMessage } = {},
): PropertyDecorator {
  const named = isEnumeration(choices) ? choices : null;
  const values = isEnumeration(choices) ? choices.values : choices;
  return FieldOf(
    {
      schema: (direction) =>
        named && direction !== 'query' ? json.ref(named.title) : { type: 'string', enum: values },
      read: (value) => readChoice(value, values, options.explain),
      refersTo: () => (named ? [named] : []),
      exampleOf: () => values[0],
    },
    options,
  );
}

/** Responses: always this value. */
export function Constant(value: string | true, options: FieldOptions = {}): PropertyDecorator {
  return FieldOf({ schema: () => json.only(value), exampleOf: () => value }, options);
}

/** Of each item in a request: see readTextArray. */
const ITEM_BOUNDS = { minLength: 1, maxLength: MAX_ITEM_LENGTH };

/** An array of strings, each one of `of` where that is given. */
export function TextList(
  options: FieldOptions & Partial<Omit<TextArrayRules, 'oneOf'>> & { of?: Choices; item?: json.Schema } = {},
): PropertyDecorator {
  const { of, min, max = Infinity, unique, maxLength, explain, item } = options;
  const named = of && isEnumeration(of) ? of : null;
  const oneOf = of && (isEnumeration(of) ? of.values : of);
  const items: json.Schema = named
    ? json.ref(named.title)
    : { type: 'string', ...(oneOf && { enum: oneOf }) };
  return FieldOf(
    {
      schema: (direction) => ({
        type: 'array',
        items: {
          ...items,
          ...(direction !== 'response' && !of && ITEM_BOUNDS),
          ...(maxLength !== undefined && { maxLength }),
          ...item,
        },
        ...(min !== undefined && { minItems: min }),
        ...(max < Infinity && { maxItems: max }),
        ...(unique && { uniqueItems: true }),
      }),
      read: (value) => readTextArray(value, { min, max, unique, maxLength, oneOf, explain }),
      refersTo: () => (named ? [named] : []),
      exampleOf: () => [],
    },
    options,
  );
}

/** Strings by name, nothing nested. @param options.maxBytes as JSON, in UTF-8; not in the schema */
export function TextMap(options: FieldOptions & Partial<TextMapRules>): PropertyDecorator {
  const { count = Infinity, maxKeyLength = Infinity, maxLength = Infinity, maxBytes = Infinity } = options;
  const rules = { count, maxKeyLength, maxLength, maxBytes };
  return FieldOf(
    {
      schema: () => ({
        type: 'object',
        ...(count < Infinity && { maxProperties: count }),
        ...(maxKeyLength < Infinity && { propertyNames: { minLength: 1, maxLength: maxKeyLength } }),
        additionalProperties: { type: 'string', ...(maxLength < Infinity && { maxLength }) },
      }),
      read: (value) => readTextMap(value, rules),
      exampleOf: () => ({}),
    },
    options,
  );
}

/** Whole numbers by name. @param options.count how many at most @param options.names for the document only */
export function IntegerMap(
  options: FieldOptions & { count?: number; names?: json.Schema; min: number; max: number },
): PropertyDecorator {
  const { count = Infinity, names, min, max } = options;
  return FieldOf(
    {
      schema: () => ({
        type: 'object',
        ...(count < Infinity && { maxProperties: count }),
        ...(names && { propertyNames: names }),
        additionalProperties: json.wholeNumber(min, max),
      }),
      read: (value) => readIntegerMap(value, count, min, max),
      exampleOf: () => ({}),
    },
    options,
  );
}

/** Responses: an object of another contract class. */
export function Nested(contract: () => Type<object>, options: FieldOptions = {}): PropertyDecorator {
  return FieldOf(
    {
      schema: () => json.ref(titleOf(contract())),
      refersTo: () => [contract()],
      exampleOf: (direction) => exampleOf(contract(), direction),
    },
    options,
  );
}

/** Responses: an array of them. */
export function NestedList(
  contract: () => Type<object>,
  options: FieldOptions & { min?: number; max?: number } = {},
): PropertyDecorator {
  const { min, max } = options;
  return FieldOf(
    {
      schema: () => ({
        type: 'array',
        items: json.ref(titleOf(contract())),
        ...(min !== undefined && { minItems: min }),
        ...(max !== undefined && { maxItems: max }),
      }),
      refersTo: () => [contract()],
      exampleOf: (direction) => [exampleOf(contract(), direction)],
    },
    options,
  );
}
