/** A JSON Schema (draft 2020-12) as far as the document uses it. */
export interface Schema {
  $ref?: string;
  type?: SchemaType | readonly SchemaType[];
  title?: string;
  description?: string;
  const?: string | number | boolean;
  enum?: readonly (string | null)[];
  format?: string;
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  default?: unknown;
  items?: Schema;
  minItems?: number;
  maxItems?: number;
  uniqueItems?: boolean;
  properties?: Record<string, Schema>;
  required?: readonly string[];
  propertyNames?: Schema;
  additionalProperties?: boolean | Schema;
  minProperties?: number;
  maxProperties?: number;
  anyOf?: readonly Schema[];
  examples?: readonly unknown[];
  deprecated?: boolean;
  writeOnly?: boolean;
}

type SchemaType = 'string' | 'integer' | 'number' | 'boolean' | 'array' | 'object' | 'null';

/** Schemas by the name that they have under `components.schemas`. */
export type Schemas = Record<string, Schema>;

/** A schema of `components.schemas`. */
export function ref(name: string): Schema {
  return { $ref: `#/components/schemas/${name}` };
}

/**
 * An object whose properties are all present, but for those named in `optional`. Nothing is said of additional
 * ones: clients ignore them (specification/conventions.md#versioning), while our own tests refuse them.
 */
export function object(
  title: string,
  description: string,
  properties: Record<string, Schema>,
  optional: readonly string[] = [],
): Schema {
  const required = Object.keys(properties).filter((name) => !optional.includes(name));
  return { type: 'object', title, description, properties, ...(required.length > 0 && { required }) };
}

/** The same, or null. */
export function nullable(schema: Schema, description?: string): Schema {
  if (typeof schema.type === 'string' && !schema.enum) {
    return { ...schema, type: [schema.type, 'null'], ...(description !== undefined && { description }) };
  }
  return { anyOf: [schema, { type: 'null' }], ...(description !== undefined && { description }) };
}

export function text(description: string, more: Schema = {}): Schema {
  return { type: 'string', description, ...more };
}

export function choice(description: string, values: readonly string[], more: Schema = {}): Schema {
  return { type: 'string', description, enum: values, ...more };
}

export function flag(description: string, more: Schema = {}): Schema {
  return { type: 'boolean', description, ...more };
}

/** A whole number that a double holds exactly; amounts are something else ({@link ref} Amount). */
export function count(description: string, more: Schema = {}): Schema {
  return { type: 'integer', description, minimum: 0, ...more };
}

/** Lower-case UUID. */
export function uuid(description: string): Schema {
  return { type: 'string', format: 'uuid', description };
}

/** What answers carry: UTC to the second, e.g. 2026-01-15T10:00:00Z. */
export function instant(description: string): Schema {
  return {
    type: 'string',
    format: 'date-time',
    pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}Z$',
    description,
  };
}

/** What requests carry: ISO 8601 with any zone. */
export function sentInstant(description: string): Schema {
  return { type: 'string', format: 'date-time', description };
}

/**
 * An absolute http(s) address as browsers take it, kept as it was written. Not `format: uri`: RFC 3986 forbids
 * characters that people paste and every browser accepts.
 */
export function httpUrl(description: string): Schema {
  return { type: 'string', maxLength: 2_048, pattern: '^[Hh][Tt][Tt][Pp][Ss]?://', description };
}

export function list(description: string, items: Schema, more: Schema = {}): Schema {
  return { type: 'array', description, items, ...more };
}
