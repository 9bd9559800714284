import type { Type } from '@nestjs/common';
import { Expose, Transform } from 'class-transformer';
import { ValidateBy } from 'class-validator';
import type { Schema } from './json-schema.js';

/** A value that was read, or the problems with it. */
export type Reading = { value: unknown } | { problems: Problem[] };
export interface Problem {
  /** The error message, with the name of the field. */
  message: (field: string) => string;
  /** The index of the wrong item of an array, or its name in an object. */
  at?: number | string;
}
/** Reads the value of a field as it was sent. Rules are not called for missing values. */
export type Rule = (value: unknown) => Reading;

const REQUIRED: Problem = { message: (field) => `The ${field} field is required.` };
export const REQUIRED_READING: Reading = { problems: [REQUIRED] };

/** Refuses with the message "The … field must …". */
export function must(rest: string): Reading {
  return refuse((field) => `The ${field} field must ${rest}.`);
}

/** Refuses with a message of its own. */
export function refuse(message: (field: string) => string): Reading {
  return { problems: [{ message }] };
}

const isMissing = (value: unknown) => value === undefined || value === null;

/** Where a contract is used: some fields have another schema in a request than in a response, e.g. instants. */
export type Direction = 'body' | 'query' | 'response';

/** A schema with a name: a contract class, or an enumeration. */
export type NamedSchema = Type<object> | Enumeration;

/** A closed list of strings with a name under `components.schemas`. */
export interface Enumeration {
  readonly title: string;
  readonly about: string;
  readonly values: readonly string[];
}

/** Options of every field decorator. */
export interface FieldOptions {
  /** The description in the document. */
  about?: string;
  /** May be absent: it is then undefined, or has its initial value. */
  optional?: boolean;
  /** May be null, which in most requests clears the field. */
  nullable?: boolean;
  /** Its value in the examples of the document. */
  example?: unknown;
  /** For the document only; the default that applies is the initial value of the property. */
  default?: unknown;
  deprecated?: boolean;
  /** Never part of a response. */
  writeOnly?: boolean;
  /** For the document only: narrower bounds, which another check enforces with a message of its own. */
  bounds?: Pick<Schema, 'minLength' | 'maxLength' | 'pattern'>;
  /** Another spelling that is read, but not documented: in some languages both would be one name (decision 0838). */
  isAlias?: boolean;
  /** The name under `components.parameters` of a query parameter that several operations have. */
  component?: string;
  /** Further rules, each called with the value as it was sent; their problems are reported first. */
  also?: readonly Rule[];
}

/** One field of a contract class. */
export interface Field extends FieldOptions {
  /** All must pass; the last one returns the converted value. None: the field is only in responses. */
  rules: readonly Rule[];
  /** Without null and description. */
  schema: (direction: Direction) => Schema;
  /** The named schemas that `schema` refers to. */
  refersTo?: () => readonly NamedSchema[];
  /** The value for examples where the field has no `example`; undefined: it needs one. */
  exampleOf?: (direction: Direction) => unknown;
}

/** Takes the place of a refused value on the instance, until the problems have been collected. */
class InvalidValue {
  constructor(readonly problems: readonly Problem[]) {}
}

/** By prototype, without inherited ones. */
const OWN_FIELDS = new WeakMap<object, Map<string, Field>>();
/** By prototype, of the classes that were asked for. */
const ALL_FIELDS = new WeakMap<object, ReadonlyMap<string, Field>>();

function collectFields(prototype: object): ReadonlyMap<string, Field> {
  const own = OWN_FIELDS.get(prototype) ?? new Map<string, Field>();
  const parent = Object.getPrototypeOf(prototype) as object | null;
  if (!parent || parent === Object.prototype) return own;
  const inherited = [...collectFields(parent)].filter(([name]) => !own.has(name));
  return new Map([...own, ...inherited]);
}

/** The declared fields of a contract class by name, its own before those that it inherits. */
export function fieldsOf(contract: Type<object>): ReadonlyMap<string, Field> {
  const prototype = contract.prototype as object;
  let fields = ALL_FIELDS.get(prototype);
  if (!fields) ALL_FIELDS.set(prototype, (fields = collectFields(prototype)));
  return fields;
}

/**
 * Makes the decorator of a field. class-transformer reads the value through a function (see read-contract.ts), and
 * class-validator refuses an {@link InvalidValue} and a missing value.
 */
export function defineField(field: Field): PropertyDecorator {
  return (prototype, property) => {
    const name = String(property);
    const fields = OWN_FIELDS.get(prototype) ?? new Map<string, Field>();
    if (fields.has(name)) throw new Error(`${prototype.constructor.name}.${name} has two field decorators`);
    OWN_FIELDS.set(prototype, fields.set(name, field));
    Expose()(prototype, property);
    Transform(({ value }) => (value as () => unknown)(), { toClassOnly: true })(prototype, property);
    ValidateBy({
      name: 'contract',
      validator: {
        validate: (value) =>
          !(value instanceof InvalidValue) && (value !== undefined || field.optional === true),
        defaultMessage: () => 'is invalid',
      },
    })(prototype, name);
  };
}

/** The converted value, or an {@link InvalidValue} with the problems. */
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
