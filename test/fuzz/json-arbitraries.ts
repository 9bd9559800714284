import fc, { type Arbitrary } from 'fast-check';
import type { OpenApiDocument } from '../../src/platform/web/contract/openapi-types.js';
import type { Schema } from '../../src/platform/web/contract/json-schema.js';
import { resolve } from '../support/contract/operations.js';
import { HOSTILE_BODIES, HOSTILE_TEXTS, HOSTILE_VALUES } from './payloads.js';
import { placeholder, poolOf } from './pools.js';

/** Instants around the fuzzed gateway's clock, and far from it. */
const INSTANTS = ['2026-01-16T00:00:00Z', '2026-12-31T23:59:59+14:00', '2027-01-01T00:00:00.123456Z'];

/** JSON texts: made from the document's schemas, and spoiled on purpose. */
export class JsonArbitraries {
  constructor(private readonly document: OpenApiDocument) {}

  /** A body for an operation; most are right, the others wrong in one place or altogether. */
  body(schema: Schema, example: unknown): Arbitrary<string> {
    const properties = this.properties(schema, example);
    return fc.oneof(
      { weight: 12, arbitrary: this.object(properties) },
      { weight: 8, arbitrary: this.spoiled(properties) },
      { weight: 2, arbitrary: this.object({ ...properties, ...extras() }) },
      { weight: 2, arbitrary: fc.constant(JSON.stringify(example)) },
      { weight: 2, arbitrary: fc.constantFrom(...HOSTILE_BODIES) },
      { weight: 1, arbitrary: fc.constantFrom(...HOSTILE_VALUES) },
      { weight: 1, arbitrary: fc.json({ maxDepth: 5 }) },
    );
  }

  /** What a schema allows, as JSON text. @param name of the property, which may stand for something that exists */
  value(given: Schema, name = ''): Arbitrary<string> {
    const schema = resolve(this.document, given as Schema & { $ref: string }) as Schema;
    const pool = poolOf(name);
    if (pool) return fc.nat(50).map((index) => JSON.stringify(placeholder(pool, index)));
    if (schema.enum) return fc.constantFrom(...schema.enum.map((item) => JSON.stringify(item)));
    if (schema.anyOf) return fc.oneof(...schema.anyOf.map((item) => this.value(item)));
    const types = [schema.type ?? 'string'].flat();
    const examples = (schema.examples ?? []).map((item) => JSON.stringify(item));
    const made = fc.oneof(...types.map((type) => this.ofType(type, schema)));
    return examples.length === 0 ? made : fc.oneof(fc.constantFrom(...examples), made);
  }

  private ofType(type: string, schema: Schema): Arbitrary<string> {
    switch (type) {
      case 'null':
        return fc.constant('null');
      case 'boolean':
        return fc.constantFrom('true', 'false');
      case 'number':
        return fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => JSON.stringify(value));
      case 'integer':
        return integer(schema);
      case 'array':
        return this.array(schema);
      case 'object':
        return this.object(this.properties(schema));
      default:
        return text(schema).map((value) => JSON.stringify(value));
    }
  }

  private array({ items = {}, minItems = 0, maxItems = 5, uniqueItems = false }: Schema): Arbitrary<string> {
    const length = { minLength: minItems, maxLength: Math.min(maxItems, 5) };
    const item = this.value(items);
    const values = uniqueItems ? fc.uniqueArray(item, length) : fc.array(item, length);
    return values.map((texts) => `[${texts.join(',')}]`);
  }

  /**
   * Property texts by name; required ones are always there, the others now and then. Most are those of the
   * example, since a body of nothing but random values is hardly ever taken.
   */
  private properties(given: Schema, example: unknown = {}): Record<string, Arbitrary<string | null>> {
    const { properties = {}, required = [] } = resolve(
      this.document,
      given as Schema & { $ref: string },
    ) as Schema;
    return Object.fromEntries(
      Object.entries(properties).map(([name, schema]) => {
        const shown = (example as Record<string, unknown>)[name];
        const value = likely(shown, this.value(schema, name), name);
        if (required.includes(name)) return [name, value];
        return [name, shown === undefined ? sometimes(value, 4) : fc.option(value)];
      }),
    );
  }

  private object(properties: Record<string, Arbitrary<string | null>>): Arbitrary<string> {
    return fc.record(properties).map(toObjectText);
  }

  /** One property is replaced by something else. */
  private spoiled(properties: Record<string, Arbitrary<string | null>>): Arbitrary<string> {
    const names = Object.keys(properties);
    if (names.length === 0) return this.object(extras());
    return fc
      .tuple(fc.record(properties), fc.constantFrom(...names), fc.option(hostileValue()))
      .map(([texts, name, value]) => toObjectText({ ...texts, [name]: value }));
  }
}

/** Mostly the example; names of things that exist have none. */
function likely(example: unknown, value: Arbitrary<string>, name: string): Arbitrary<string> {
  if (example === undefined || poolOf(name)) return value;
  return fc.oneof(
    { weight: 4, arbitrary: fc.constant(JSON.stringify(example)) },
    { weight: 1, arbitrary: value },
  );
}

/** Once in so many times, else null. */
export function sometimes<T>(arbitrary: Arbitrary<T>, times: number): Arbitrary<T | null> {
  return fc.oneof({ weight: times - 1, arbitrary: fc.constant(null) }, { weight: 1, arbitrary });
}

/** Anything at all, as JSON text. */
export function hostileValue(): Arbitrary<string> {
  return fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(...HOSTILE_VALUES) },
    { weight: 3, arbitrary: fc.constantFrom(...HOSTILE_TEXTS).map((value) => JSON.stringify(value)) },
    { weight: 1, arbitrary: fc.json({ maxDepth: 3 }) },
    { weight: 1, arbitrary: fc.string({ unit: 'binary' }).map((value) => JSON.stringify(value)) },
  );
}

/** A text that a schema allows. */
export function text({ format, pattern, minLength = 0, maxLength = 40 }: Schema): Arbitrary<string> {
  if (format === 'uuid') return fc.uuid();
  if (format === 'date-time') {
    const between = { min: new Date(0), max: new Date('2100-01-01T00:00:00Z'), noInvalidDate: true };
    return fc.oneof(
      fc.constantFrom(...INSTANTS),
      fc.date(between).map((date) => date.toISOString()),
    );
  }
  if (format === 'uri') return fc.webUrl();
  if (pattern !== undefined) return fc.stringMatching(new RegExp(pattern));
  return fc.string({ unit: 'grapheme', minLength, maxLength: Math.max(minLength, Math.min(maxLength, 40)) });
}

/** Amounts have 78 digits at most; the edges come up often. */
function integer({ minimum = -10, maximum }: Schema): Arbitrary<string> {
  const [min, max] = [BigInt(minimum), BigInt(maximum ?? 10n ** 30n)];
  return fc
    .oneof(fc.bigInt({ min, max }), fc.constantFrom(min, max), fc.bigInt({ min, max: min + 20_000n }))
    .map((value) => String(value));
}

/** Unknown fields: read-only ones of responses, and names with a meaning in JavaScript. */
function extras(): Record<string, Arbitrary<string | null>> {
  const names = [
    'id',
    'userId',
    'status',
    'deletedAt',
    'settledAmount',
    'constructor',
    'toString',
    'a.b',
    '',
  ];
  return Object.fromEntries(names.map((name) => [name, fc.option(hostileValue())]));
}

function toObjectText(texts: Record<string, string | null>): string {
  const members = Object.entries(texts).flatMap(([name, value]) =>
    value === null ? [] : [`${JSON.stringify(name)}:${value}`],
  );
  return `{${members.join(',')}}`;
}
