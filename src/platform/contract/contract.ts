import type { Type } from '@nestjs/common';
import { type Direction, type Enumeration, type Field, fieldsOf, type NamedSchema } from './field.js';
import { nullable, ref, type Schema } from './json-schema.js';

interface Heading {
  title: string;
  about: string;
  additionalProperties?: true | Schema;
  /** Of {@link OneOf}. */
  alternatives?: () => readonly Type<object>[];
}

const HEADINGS = new WeakMap<object, Heading>();

/**
 * Names a class of bodies or responses: `title` is its name under `components.schemas` of the document.
 * @param options.additionalProperties fields beyond those of the class, e.g. because a standard defines many optional ones
 */
export function Contract(
  title: string,
  about: string,
  options: Pick<Heading, 'additionalProperties'> = {},
): ClassDecorator {
  return (contract) => {
    HEADINGS.set(contract, { title, about, ...options });
  };
}

/** Names a choice of several contracts, of which an object is one. It has no fields of its own. */
export function OneOf(
  title: string,
  about: string,
  alternatives: () => readonly Type<object>[],
): ClassDecorator {
  return (contract) => {
    HEADINGS.set(contract, { title, about, alternatives });
  };
}

/** A closed list of strings with a name under `components.schemas`. */
export function enumeration(title: string, about: string, values: readonly string[]): Enumeration {
  return { title, about, values };
}

function headingOf(contract: NamedSchema): Heading {
  if (typeof contract !== 'function') return contract;
  const heading = HEADINGS.get(contract);
  if (!heading) throw new Error(`${contract.name} has no @Contract`);
  return heading;
}

export function titleOf(contract: NamedSchema): string {
  return headingOf(contract).title;
}

/** The schema of one field, with its sentence. */
export function fieldSchema(field: Field, direction: Direction): Schema {
  const { about, default: initial, deprecated, writeOnly } = field;
  const plain: Schema = {
    ...field.schema(direction),
    ...(about !== undefined && { description: about }),
    ...(initial !== undefined && { default: initial }),
    ...(deprecated && { deprecated }),
    ...(writeOnly && { writeOnly }),
  };
  if (!field.nullable) return plain;
  if (plain.$ref === undefined) return nullable(plain);
  const { description, ...ref } = plain;
  return nullable(ref, description);
}

/**
 * An object whose properties are all present, but for optional ones. Nothing is said of additional ones: clients
 * ignore them (specification/conventions.md#versioning), while our own tests refuse them.
 */
export function schemaOf(named: NamedSchema, direction: Direction): Schema {
  const { title, about, additionalProperties, alternatives } = headingOf(named);
  if (typeof named !== 'function') return { type: 'string', description: about, enum: named.values, title };
  if (alternatives)
    return { title, description: about, anyOf: alternatives().map((each) => ref(titleOf(each))) };
  const fields = [...fieldsOf(named)];
  const required = fields.filter(([, field]) => !field.optional).map(([name]) => name);
  return {
    type: 'object',
    title,
    description: about,
    properties: Object.fromEntries(fields.map(([name, field]) => [name, fieldSchema(field, direction)])),
    ...(required.length > 0 && { required }),
    ...(additionalProperties && { additionalProperties }),
  };
}

/** Everything that a contract refers to by name, itself included. */
export function reachableFrom(named: NamedSchema, found = new Set<NamedSchema>()): Set<NamedSchema> {
  if (found.has(named)) return found;
  found.add(named);
  if (typeof named !== 'function') return found;
  for (const other of headingOf(named).alternatives?.() ?? []) reachableFrom(other, found);
  for (const field of fieldsOf(named).values())
    for (const other of field.refersTo?.() ?? []) reachableFrom(other, found);
  return found;
}

/**
 * An example of the whole: each field as its decorator says; optional ones only where they have an example. Of a choice
 * of several contracts, the first.
 */
export function exampleOf(contract: Type<object>, direction: Direction): Record<string, unknown> {
  const [first] = HEADINGS.get(contract)?.alternatives?.() ?? [];
  if (first) return exampleOf(first, direction);
  const entries = [...fieldsOf(contract)].map(([name, field]): [string, unknown] => {
    if (field.example !== undefined) return [name, field.example];
    if (field.optional) return [name, undefined];
    if (field.nullable) return [name, null];
    const example = field.exampleOf?.(direction);
    if (example === undefined) throw new Error(`${contract.name}.${name} needs an example`);
    return [name, example];
  });
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}
