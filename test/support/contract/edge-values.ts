import type { ValidateFunction } from 'ajv/dist/2020.js';
import { sample, stringMatching } from 'fast-check';
import type { Schema } from '../../../src/platform/web/contract/json-schema.js';

/** Values at the edges of a schema, and ones that break one of its bounds. */
export interface Edges {
  inside: unknown[];
  outside: unknown[];
}

/** What a reference points to, or the schema itself. */
type Resolve = (schema: Schema) => Schema;

/** Of each pattern, always the same. */
const SAMPLES = { numRuns: 8, seed: 38 };
/** Code points that a text without a bound may have. */
const LONG = 5_000;
/** What people and programs put where something else belongs. */
const ODD = ['', ' ', '   ', '-', 'x', '0', 'ä', 'a b', '\t', 'undefined', '😀', 'https://'];
const INSTANTS = [
  '2027-01-31T12:00:00Z',
  '2027-01-31T12:00:00+02:00',
  '1000-01-01T00:00:00.123456789-23:59',
  '2027-06-31T12:00:00Z',
  '2016-12-31T23:59:60Z',
  '2027-01-31t12:00:00z',
];
const UUIDS = ['0190a000-0000-7000-8000-000000000000', '0190A000-0000-7000-8000-00000000ABCD'];

function textsOf(schema: Schema): string[] {
  const { pattern, format, minLength = 0, maxLength, enum: choices = [], writeOnly } = schema;
  const lengths = [
    minLength - 1,
    minLength,
    ...(maxLength === undefined ? [LONG] : [maxLength, maxLength + 1]),
  ];
  // A secret is no text that stands elsewhere.
  const signs = writeOnly ? ['z', '🔒', ' '] : ['a', '😀', ' '];
  const filled = lengths
    .filter((length) => length > 0)
    .flatMap((length) => signs.map((sign) => sign.repeat(length)));
  const matching =
    pattern === undefined
      ? []
      : sample(stringMatching(new RegExp(pattern, 'u')), { ...SAMPLES, ...(writeOnly && { seed: 39 }) });
  // Of the right form, and as long as allowed, or longer.
  const stretched = matching
    .slice(0, 3)
    .flatMap((text) => lengths.map((length) => text.padEnd(length, signs[0])));
  const bent = matching
    .slice(0, 3)
    .flatMap((text) => [` ${text}`, `${text} `, `${text}\n`, `é${text}`, text.slice(0, -1), text.slice(1)]);
  const formed = format === 'uuid' ? UUIDS : format === 'date-time' ? INSTANTS : [];
  return [...choices.map(String), ...matching, ...formed, ...filled, ...stretched, ...bent, ...ODD];
}

function numbersOf({ minimum = 0, maximum = 2 ** 31 }: Schema): number[] {
  return [minimum, minimum - 1, maximum, maximum + 1, minimum + 0.5];
}

function listsOf(
  { items = {}, minItems = 0, maxItems = 100, uniqueItems }: Schema,
  resolve: Resolve,
): unknown[] {
  const texts = textsOf(resolve(items)).filter((text) => !text.includes(','));
  const many = (count: number) =>
    Array.from({ length: count }, (_, at) => (uniqueItems ? `ITEM${at}` : texts[0]));
  return [
    ...texts.map((text) => [text]),
    ...[0, 2, minItems, minItems - 1].map((count) => texts.slice(0, Math.max(0, count))),
    resolve(items).enum,
    [texts[0], texts[0]],
    ['A', ''],
    many(maxItems),
    many(maxItems + 1),
  ].filter((list) => list !== undefined);
}

function mapsOf(schema: Schema, resolve: Resolve): unknown[] {
  const { maxProperties = 100, propertyNames = {}, additionalProperties } = schema;
  const value = typeof additionalProperties === 'object' ? resolve(additionalProperties) : {};
  const values = value.type === 'integer' ? numbersOf(value) : textsOf(value);
  // Short ones: the whole has a bound in bytes, which no schema can state.
  const many = (count: number) =>
    Object.fromEntries(
      Array.from({ length: count }, (_, at) => [`k${at}`, value.type === 'integer' ? 1 : 'v']),
    );
  return [
    ...[0, maxProperties, maxProperties + 1].map(many),
    ...values.map((each) => ({ key: each })),
    ...textsOf(propertyNames).map((name) => ({ [name]: values[0] })),
  ];
}

function candidatesOf(schema: Schema, resolve: Resolve): unknown[] {
  if (schema.anyOf) return schema.anyOf.flatMap((each) => candidatesOf(resolve(each), resolve));
  return [schema.type].flat().flatMap((kind): unknown[] => {
    if (kind === 'string') return textsOf(schema);
    if (kind === 'integer' || kind === 'number') return numbersOf(schema);
    if (kind === 'boolean') return [true, false];
    if (kind === 'array') return listsOf(schema, resolve);
    return kind === 'object' ? mapsOf(schema, resolve) : [null];
  });
}

/**
 * @param validate of the schema
 * @param isSendable whether a value can stand where the schema is used
 */
export function edgesOf(
  schema: Schema,
  validate: ValidateFunction,
  resolve: Resolve,
  isSendable: (value: unknown) => boolean,
): Edges {
  const others = ['maybe', 7.5, null, {}, ['a', ['b']]];
  const candidates = [...candidatesOf(resolve(schema), resolve), ...others].filter(isSendable);
  const distinct = [...new Map(candidates.map((value) => [JSON.stringify(value), value])).values()];
  return {
    inside: distinct.filter((value) => validate(value)),
    outside: distinct.filter((value) => !validate(value)),
  };
}
