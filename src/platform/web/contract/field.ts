import type { Type } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { IsDefined, IsOptional, ValidateBy, ValidateIf } from 'class-validator';
import type { Schema } from './json-schema.js';
import { REQUIRED } from './messages.js';

/** Something that is wrong with a field. */
export interface Problem {
  /** The error message, with the name of the field. */
  message: (field: string) => string;
  /** The index of the wrong item of an array, or its name in an object. */
  at?: number | string | undefined;
}

/** A check of its own, whose problem is reported besides the one that the rules find. */
export interface Check extends Problem {
  /** Of any value, also of one that the rules refuse. */
  holds: (value: unknown) => boolean;
}

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
  /** Their problems are reported before that of the rules. */
  also?: readonly Check[];
}

/** One field of a contract class. */
export interface Field extends FieldOptions {
  /** class-transformer calls it, before the rules; what it cannot convert, it returns for them to refuse. */
  convert?: (sent: unknown) => unknown;
  /** Decorators of class-validator; the first that does not hold is reported. None: the field is only in responses. */
  rules?: readonly PropertyDecorator[];
  /** It is sent as the cursor that an answer had, and read as what that was made of. */
  isCursor?: true;
  /** The problems with the items of a list or map that its rules take. */
  items?: (value: never) => readonly Problem[];
  /** Without null and description. */
  schema: (direction: Direction) => Schema;
  /** The named schemas that `schema` refers to. */
  refersTo?: () => readonly NamedSchema[];
  /** The value for examples where the field has no `example`; undefined: it needs one. */
  exampleOf?: (direction: Direction) => unknown;
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

/** Makes the decorator of a field, for the document and for {@link applyRules}. */
export function defineField(field: Field): PropertyDecorator {
  return (prototype, property) => {
    const name = String(property);
    const fields = OWN_FIELDS.get(prototype) ?? new Map<string, Field>();
    if (fields.has(name)) throw new Error(`${prototype.constructor.name}.${name} has two field decorators`);
    OWN_FIELDS.set(prototype, fields.set(name, field));
  };
}

/** The rules of class-validator in whose place `items` and `also` tell what is wrong. */
const ITEMS = 'items';
const ALSO = 'also';

function presence({ optional, nullable }: Field): PropertyDecorator[] {
  if (optional && nullable) return [IsOptional()];
  const absent = optional ? undefined : null;
  return [...(optional || nullable ? [ValidateIf((_, value) => value !== absent)] : []), IsDefined(REQUIRED)];
}

function decoratorsOf(field: Field, rules: readonly PropertyDecorator[]): PropertyDecorator[] {
  const { convert, items, also } = field;
  const check = (name: string, validate: (value: never) => boolean) =>
    ValidateBy({ name, validator: { validate: (value) => validate(value as never) } }, { message: name });
  return [
    ...(convert ? [Transform(({ value }) => (value === null ? null : convert(value)))] : []),
    ...presence(field),
    ...rules,
    ...(items ? [check(ITEMS, (value) => items(value).length === 0)] : []),
    ...(also ? [check(ALSO, (value) => also.every(({ holds }) => holds(value)))] : []),
  ];
}

/** The classes whose fields the two libraries know. */
const APPLIED = new WeakSet<object>();

/**
 * Gives the fields of a class to class-transformer and class-validator, when it is first read: at each validation
 * class-validator looks through every class that has rules, and most contracts are only responses.
 */
export function applyRules(contract: Type<object>, prototype = contract.prototype as object | null): void {
  if (prototype === null || APPLIED.has(prototype)) return;
  const parent = Object.getPrototypeOf(prototype) as object | null;
  applyRules(contract, parent);
  const inherited = parent === null ? new Map<string, Field>() : collectFields(parent);
  for (const [name, field] of OWN_FIELDS.get(prototype) ?? []) {
    // Both libraries would apply the rules of both classes.
    if (inherited.has(name)) throw new Error(`${contract.name}.${name} is declared again`);
    if (!field.rules) throw new Error(`${contract.name}.${name} has no rules: only responses have it`);
    for (const decorate of decoratorsOf(field, field.rules)) decorate(prototype, name);
  }
  APPLIED.add(prototype);
}

/** What is wrong with a value that class-validator refused. @param constraints the rule that found it */
export function problemsOf(
  { items, also = [] }: Pick<Field, 'items' | 'also'> = {},
  value: unknown,
  constraints: Readonly<Record<string, string>>,
): readonly Problem[] {
  const found = Object.entries(constraints).flatMap(([rule, message]): readonly Problem[] => {
    if (rule === ITEMS && items) return items(value as never);
    return rule === ALSO ? [] : [{ message: () => message }];
  });
  return [...also.filter(({ holds }) => !holds(value)), ...found];
}
