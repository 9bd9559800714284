import { HTTP_URL_FORM, HTTPS_URL_FORM, INSTANT_FORM } from './text-forms.pure.js';

/** The keywords of JSON Schema (draft 2020-12) that the document uses. */
export interface Schema {
  $ref?: string;
  type?: SchemaType | readonly SchemaType[];
  title?: string;
  description?: string;
  enum?: readonly (string | boolean | null)[];
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
  'x-go-type'?: string;
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

/** One value. Not `const`: generators of clients make code of it that does not parse (decision 0838). */
export function only(value: string | true): Schema {
  return { type: value === true ? 'boolean' : 'string', enum: [value] };
}

/** A whole number that a double holds exactly, with the format that tells typed languages what holds it. */
export function wholeNumber(minimum: number, maximum?: number): Schema {
  return {
    type: 'integer',
    format: maximum !== undefined && maximum <= 2 ** 31 - 1 ? 'int32' : 'int64',
    minimum,
    ...(maximum !== undefined && { maximum }),
  };
}

/** A whole number of any size. Without a format, and with what Go needs in order to hold it: its int has 64 bits. */
export function anyWholeNumber(minimum: bigint): Schema {
  return { type: 'integer', minimum: Number(minimum), 'x-go-type': 'json.Number' };
}

/** Opaque to clients: base64url, as an earlier response had it. */
export const CURSOR: Schema = { type: 'string', pattern: '^[A-Za-z0-9_-]+$', maxLength: 255 };

/** Bounds of a text that names a currency, or a blockchain. Which there are is no matter of form: they become more. */
export const CURRENCY_CODE = { pattern: '^[A-Z][A-Z0-9]+$', minLength: 2, maxLength: 32 };
export const BLOCKCHAIN_SLUG = { pattern: '^[a-z][a-z0-9-]*$', minLength: 1, maxLength: 64 };

export function text(description: string, more: Schema = {}): Schema {
  return { type: 'string', description, ...more };
}

/** In responses: UTC to the second, e.g. 2026-01-15T10:00:00Z. */
export const INSTANT: Schema = {
  type: 'string',
  format: 'date-time',
  pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}Z$',
};

/** In requests: ISO 8601 with any zone. The format makes clients send their type for it. */
export const ANY_INSTANT: Schema = { type: 'string', format: 'date-time', pattern: INSTANT_FORM.source };

/** Not `format: uri`: RFC 3986 forbids characters that people paste and every browser accepts. */
export const HTTP_URL: Schema = { type: 'string', pattern: HTTP_URL_FORM.source };
export const HTTPS_URL: Schema = { type: 'string', pattern: HTTPS_URL_FORM.source };

export function list(description: string, items: Schema): Schema {
  return { type: 'array', description, items };
}
