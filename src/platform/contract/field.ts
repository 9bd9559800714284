import type { Type } from '@nestjs/common';
import { Expose, Transform } from 'class-transformer';
import { ValidateBy } from 'class-validator';
import type { Schema } from './json-schema.js';

/** A value that was read, or why not; `at` is the index of the wrong item of an array, or its name in an object. */
export type Reading = { value: unknown } | { problems: Problem[] };
export interface Problem {
  /** Names the field it is about. */
  message: (field: string) => string;
  at?: number | string;
}
/** Reads the value of a field as it came. A missing value never reaches a rule. */
export type Rule = (value: unknown) => Reading;

const REQUIRED: Problem = { message: (field) => `The ${field} field is required.` };
export const REQUIRED_READING: Reading = { problems: [REQUIRED] };

/** Refuses with a sentence that begins "The … field must". */
export function must(rest: string): Reading {
  return refuse((field) => `The ${field} field must ${rest}.`);
}

/** Refuses with a whole sentence that names the field. */
export function refuse(message: (field: string) => string): Reading {
  return { problems: [{ message }] };
}

const isMissing = (value: unknown) => value === undefined || value === null;

/** Some fields have another schema in a request than in a response, e.g. instants. */
export type Direction = 'body' | 'query' | 'response';

/** What a schema may refer to by name: a contract class, or an enumeration with a title. */
export type NamedSchema = Type<object> | Enumeration;

/** A closed list of strings that has a name of its own in the document. */
export interface Enumeration {
  readonly title: string;
  readonly about: string;
  readonly values: readonly string[];
}

/** Options of every field decorator. */
export interface FieldOptions {
  /** The sentence of the document. */
  about?: string;
  /** May be absent: it then stays undefined, or keeps its initial value. */
  optional?: boolean;
  /** May be an explicit null, which in requests mostly means "clear it". */
  nullable?: boolean;
  /** As the field stands in the examples of the document. */
  example?: unknown;
  /** Named in the document; the initial value of the property is what holds. */
  default?: unknown;
  deprecated?: boolean;
  /** Never part of a response. */
  writeOnly?: boolean;
  /** The name under `components.parameters` of a query parameter that several operations have. */
  component?: string;
  /** Further rules, each given the value as it came; what they report stands before the problems of the field's own. */
  also?: readonly Rule[];
}

/** One field of a contract class: rule, schema and sentence. */
export interface Field extends FieldOptions {
  /** All must pass; the last one says what the value becomes. None: the field is only shown. */
  rules: readonly Rule[];
  /** Without null and without the sentence. */
  schema: (direction: Direction) => Schema;
  /** The named schemas that `schema` refers to. */
  refersTo?: () => readonly NamedSchema[];
  /** What stands in examples where the field has no `example`; undefined: it needs one. */
  exampleOf?: (direction: Direction) => unknown;
}

/** Stands on the instance in place of a value that a rule refused, until the problems have been collected. */
class InvalidValue {
  constructor(readonly problems: readonly Problem[]) {}
}

const FIELDS = new WeakMap<object, Map<string, Field>>();

function fieldsOfPrototype(prototype: object): Map<string, Field> {
  const own = FIELDS.get(prototype) ?? new Map<string, Field>();
  const parent = Object.getPrototypeOf(prototype) as object | null;
  if (!parent || parent === Object.prototype) return own;
  const inherited = [...fieldsOfPrototype(parent)].filter(([name]) => !own.has(name));
  return new Map([...own, ...inherited]);
}

/** The declared fields of a contract class by name, its own before those that it inherits. */
export function fieldsOf(contract: Type<object>): ReadonlyMap<string, Field> {
  return fieldsOfPrototype(contract.prototype as object);
}

/**
 * Makes a decorator of a field. class-transformer reads it through a function (see read-dto.ts), and class-validator
 * refuses the instance where a marker stands, or where a value is missing.
 */
export function defineField(field: Field): PropertyDecorator {
  return (prototype, property) => amendField(prototype, String(property), () => field);
}

/** @param change of what earlier decorators of the same property declared */
export function amendField(prototype: object, name: string, change: (field: Field) => Field): void {
  const fields = FIELDS.get(prototype) ?? new Map<string, Field>();
  const known = fields.get(name);
  FIELDS.set(prototype, fields.set(name, change(known ?? { rules: [], schema: () => ({}) })));
  if (known) return;
  Expose()(prototype, name);
  Transform(({ value }) => (value as () => unknown)(), { toClassOnly: true })(prototype, name);
  ValidateBy({
    name: 'contract',
    validator: {
      validate: (value) =>
        !(value instanceof InvalidValue) && (value !== undefined || fields.get(name)?.optional === true),
      defaultMessage: () => 'is invalid',
    },
  })(prototype, name);
}

/** What becomes of a value that was sent: the converted one, or a marker. */
export function readField(field: Field, sent: unknown): unknown {
  if (sent === null && field.nullable) return null;
  if (isMissing(sent)) return new InvalidValue([REQUIRED]);
  const readings = field.rules.map((rule) => rule(sent));
  const problems = readings.flatMap((reading) => ('problems' in reading ? reading.problems : []));
  if (problems.length > 0) return new InvalidValue(problems);
  const last = readings.at(-1);
  return last && 'value' in last ? last.value : sent;
}

/** The problems of a property that class-validator refused. */
export function problemsOf(value: unknown): readonly Problem[] {
  return value instanceof InvalidValue ? value.problems : [REQUIRED];
}
