import type { Type } from '@nestjs/common';
import { type Direction, type Enumeration, type Field, fieldsOf, type NamedSchema } from './field.js';
import { nullable, ref, type Schema } from './json-schema.js';

interface Heading {
  title: string;
  about: string;
  additionalProperties?: true | Schema;
  /** Of a request body. */
  mayBeAbsent?: boolean;
  /** Of {@link OneOf}. */
  alternatives?: () => readonly Type<object>[];
}

const HEADINGS = new WeakMap<object, Heading>();

/**
 * Names a class of bodies or responses: `title` is its name under `components.schemas` of the document.
 * @param options.additionalProperties fields beyond those of the class, e.g. because a standard defines many optional ones
 * @param options.mayBeAbsent requests may have no body at all, which reads like `{}`
 */
export function Contract(
  title: string,
  about: string,
  options: Pick<Heading, 'additionalProperties' | 'mayBeAbsent'> = {},
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

function headingOf(contract: NamedSchema | undefined): Heading {
  if (contract === undefined) throw new Error('the contract is undefined; is there an import cycle?');
  if (typeof contract !== 'function') return contract;
  const heading = HEADINGS.get(contract);
  if (!heading) throw new Error(`${contract.name} has no @Contract`);
  return heading;
}

export function titleOf(contract: NamedSchema): string {
  return headingOf(contract).title;
}

/** Whether a request may have no body. */
export function mayBeAbsent(contract: Type<object>): boolean {
  return HEADINGS.get(contract)?.mayBeAbsent ?? false;
}

/** Names class and field in an error. */
function ofField<T>(contract: Type<object>, name: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`${contract.name}.${name}: ${reason}`, { cause: error });
  }
}

/** @throws Error for a property without a decorator, which would neither be read from requests nor documented */
function declaredFields(contract: Type<object>): [string, Field][] {
  const fields = fieldsOf(contract);
  const forgotten = Object.keys(new contract()).find((name) => !fields.has(name));
  if (forgotten !== undefined) throw new Error(`${contract.name}.${forgotten} has no field decorator`);
  return [...fields];
}

/** The schema of one field, with its description. */
export function fieldSchema(field: Field, direction: Direction): Schema {
  const { about, bounds, default: initial, deprecated, writeOnly } = field;
  const plain: Schema = {
    ...field.schema(direction),
    ...bounds,
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
 * The schema of an object, whose fields are required unless they are optional. It does not close the object: clients
 * ignore unknown fields (specification/conventions.md#versioning), and only the tests refuse them.
 */
export function schemaOf(named: NamedSchema, direction: Direction): Schema {
  const { title, about, additionalProperties, alternatives } = headingOf(named);
  if (typeof named !== 'function') return { type: 'string', description: about, enum: named.values, title };
  if (alternatives)
    return { title, description: about, anyOf: alternatives().map((each) => ref(titleOf(each))) };
  const fields = declaredFields(named);
  const required = fields.filter(([, field]) => !field.optional).map(([name]) => name);
  return {
    type: 'object',
    title,
    description: about,
    properties: Object.fromEntries(
      fields.map(([name, field]) => [name, ofField(named, name, () => fieldSchema(field, direction))]),
    ),
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
  for (const [name, field] of fieldsOf(named))
    for (const other of field.refersTo?.() ?? []) {
      ofField(named, name, () => headingOf(other));
      reachableFrom(other, found);
    }
  return found;
}

/**
 * An example of the whole object, made of the examples of its fields. Nullable fields without one are null, optional
 * ones are left out. Of a choice of several contracts it is the example of the first.
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
