/** The keywords of JSON Schema (draft 2020-12) that the document uses. */
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

/** In responses: UTC to the second, e.g. 2026-01-15T10:00:00Z. */
export const INSTANT: Schema = {
  type: 'string',
  format: 'date-time',
  pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}Z$',
};

/** Not `format: uri`: RFC 3986 forbids characters that people paste and every browser accepts. */
export const HTTP_URL: Schema = { type: 'string', pattern: '^[Hh][Tt][Tt][Pp][Ss]?://' };

export function list(description: string, items: Schema): Schema {
  return { type: 'array', description, items };
}
