import type { Type } from '@nestjs/common';
import {
  IsBoolean,
  IsDate,
  IsIn,
  IsNotEmpty,
  IsNumber,
  IsString,
  IsUUID,
  Matches,
  Max,
  Min,
} from 'class-validator';
import { uuidMessage } from '../../kernel/id-forms.pure.js';
import { exampleOf, titleOf } from './contract.js';
import { fromText, parseBoolean, parseDigits, parseInteger, parseUuid, toBigInt } from './conversions.js';
import { defineField, type Enumeration, type Field, type FieldOptions } from './field.js';
import * as json from './json-schema.js';
import { instantMessage, must, mustMessage, REQUIRED, says } from './messages.js';
import {
  atomic,
  type ChoiceMessage,
  integerMap,
  MAX_ITEM_LENGTH,
  NOT_BLANK,
  rule,
  textArray,
  type TextArrayRules,
  textMap,
  type TextMapRules,
  textProblem,
  urlProblem,
} from './rules.js';
import { selectionMessage } from './selection-message.pure.js';
import { parseInstant } from '../../kernel/instant.pure.js';

/*
 * One decorator for each field of a contract class: the conversion that class-transformer makes, the rules that
 * class-validator checks, JSON schema and description, e.g.
 *
 *   @Text({ min: 1, max: 255, about: 'Your reference, e.g. the number of the order.' }) reference: string;
 *   @Instant({ about: 'When it was created.' }) createdAt: string;
 *   @HttpUrl({ optional: true, nullable: true, about: 'Null clears it.' }) url?: string | null;
 *
 * A property without one is refused when the document is read.
 */

/** A field that none of the other decorators fits. */
export function FieldOf(parts: Omit<Field, keyof FieldOptions>, options: FieldOptions): PropertyDecorator {
  return defineField({ ...options, ...parts });
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
  const also = [...(options.also ?? []), ...(blank === false ? [NOT_BLANK] : [])];
  const schema: json.Schema = {
    type: 'string',
    ...(min > 0 && { minLength: min }),
    ...(max < Infinity && { maxLength: max }),
    ...(pattern !== undefined && { pattern }),
    ...(format !== undefined && { format }),
  };
  const wrong = says(wrongForm === undefined ? mustMessage(`have the form ${pattern}`) : () => wrongForm);
  const rules = [
    IsString(must('be a string')),
    ...(min > 0 ? [IsNotEmpty(REQUIRED)] : []),
    rule<string>('text', (text) => textProblem(text, min, max)),
    ...(options.pattern === undefined ? [] : [Matches(new RegExp(options.pattern, 'u'), wrong)]),
  ];
  return FieldOf({ schema: () => schema, rules }, { ...options, ...(also.length > 0 && { also }) });
}

/** A UUID in any case; converted to lower case. */
export function Uuid(options: FieldOptions = {}): PropertyDecorator {
  return FieldOf(
    {
      schema: () => ({ type: 'string', format: 'uuid' }),
      convert: fromText(parseUuid),
      rules: [IsUUID('loose', says(uuidMessage))],
    },
    options,
  );
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
      rules: [
        IsString(must('be a string')),
        rule<string>('url', (text) => urlProblem(text, maxLength, httpsOnly)),
      ],
    },
    options,
  );
}

/** Requests: ISO 8601 with any zone, converted to a Date. Responses: UTC to the second, 2026-01-15T10:00:00Z. */
export function Instant(options: FieldOptions = {}): PropertyDecorator {
  return FieldOf(
    {
      schema: (direction) => (direction === 'response' ? json.INSTANT : json.ANY_INSTANT),
      convert: fromText(parseInstant),
      rules: [IsDate(says(instantMessage))],
      exampleOf: () => '2026-01-15T10:00:00Z',
    },
    options,
  );
}

/** JSON true or false. */
export function Flag(options: FieldOptions = {}): PropertyDecorator {
  return FieldOf(
    {
      schema: () => ({ type: 'boolean' }),
      rules: [IsBoolean(must('be true or false, without quotes'))],
      exampleOf: () => false,
    },
    options,
  );
}

/** "true" or "false" in a query; converted to a boolean. */
export function QueryFlag(options: FieldOptions = {}): PropertyDecorator {
  return FieldOf(
    {
      schema: () => ({ type: 'boolean' }),
      convert: fromText(parseBoolean),
      rules: [IsBoolean(must('be true or false'))],
    },
    options,
  );
}

/** A whole number in a query; converted to a number. */
export function QueryInteger(options: FieldOptions & { min: number; max: number }): PropertyDecorator {
  const { min, max } = options;
  const bounds = must(`be between ${min} and ${max}`);
  return FieldOf(
    {
      schema: () => json.wholeNumber(min, max),
      convert: fromText(parseInteger),
      rules: [IsNumber({ allowInfinity: true }, must('be an integer')), Min(min, bounds), Max(max, bounds)],
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
      convert: toBigInt,
      rules: [
        atomic(
          'be an integer in the smallest unit of the currency, digits only: 2500 for 25.00 USD',
          min,
          max,
        ),
      ],
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
      convert: fromText(parseDigits),
      rules: [atomic('be a string of digits without leading zeros, e.g. "2500"', min, max)],
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
  const explain = options.explain ?? ((field, sent) => selectionMessage(field, sent, { allowed: values }));
  return FieldOf(
    {
      schema: (direction) =>
        named && direction !== 'query' ? json.ref(named.title) : { type: 'string', enum: values },
      rules: [IsIn(values, says(explain))],
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

/** Of each item in a request: see textArray. */
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
      ...textArray({ min, max, unique, maxLength, oneOf, explain }),
      refersTo: () => (named ? [named] : []),
      exampleOf: () => [],
    },
    options,
  );
}

/** Strings by name, nothing nested. @param options.maxBytes as JSON, in UTF-8; not in the schema */
export function TextMap(options: FieldOptions & Partial<TextMapRules>): PropertyDecorator {
  const { count = Infinity, maxKeyLength = Infinity, maxLength = Infinity, maxBytes = Infinity } = options;
  return FieldOf(
    {
      schema: () => ({
        type: 'object',
        ...(count < Infinity && { maxProperties: count }),
        ...(maxKeyLength < Infinity && { propertyNames: { minLength: 1, maxLength: maxKeyLength } }),
        additionalProperties: { type: 'string', ...(maxLength < Infinity && { maxLength }) },
      }),
      ...textMap({ count, maxKeyLength, maxLength, maxBytes }),
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
      ...integerMap(count, min, max),
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
