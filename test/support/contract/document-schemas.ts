import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { VERSION } from '../../../src/platform/kernel/version.js';
import { JsonFloat } from '../../../src/platform/kernel/exact-json.pure.js';
import { FEATURE_MODULES } from '../../../src/app.module.js';
import { controllersOf } from '../../../src/openapi/controllers-of.js';
import { createDocument } from '../../../src/openapi/document.js';
import type { OpenApiDocument } from '../../../src/platform/web/contract/openapi-types.js';

/** The controllers of the program. */
export const CONTROLLERS = controllersOf(FEATURE_MODULES);

/** The document as the gateway serves it. */
export const DOCUMENT = JSON.parse(JSON.stringify(createDocument(CONTROLLERS, VERSION))) as OpenApiDocument;

type Json = Record<string, unknown>;

/**
 * The document with every object closed that says nothing of additional properties. Clients must ignore what
 * they do not know; here, whatever is not documented is a mistake.
 */
export function closed<T>(node: T): T {
  if (Array.isArray(node)) return node.map(closed) as T;
  if (typeof node !== 'object' || node === null) return node;
  const copy: Json = Object.fromEntries(Object.entries(node).map(([key, value]) => [key, closed(value)]));
  const { type } = copy;
  const isObject = type === 'object' || (Array.isArray(type) && type.includes('object'));
  if (isObject && copy['additionalProperties'] === undefined) copy['additionalProperties'] = false;
  return copy as T;
}

/** What is wrong with a value; empty: nothing. */
export type Check = (value: unknown) => string[];

/** Compiles schemas of the document by their place in it. */
export class DocumentSchemas {
  private readonly ajv = new Ajv2020({ strict: false, allErrors: true, verbose: true });
  private readonly compiled = new Map<string, ValidateFunction>();

  /** @param document closed or not */
  constructor(document: OpenApiDocument) {
    addFormats.default(this.ajv);
    this.ajv.addFormat('password', true);
    this.ajv.addSchema(document, 'document');
  }

  /** @param place names from the root of the document, e.g. `components`, `schemas`, `Payment` */
  at(...place: string[]): Check {
    const pointer = place.map(
      (name) => `/${encodeURIComponent(name.replace(/~/g, '~0').replace(/\//g, '~1'))}`,
    );
    const ref = `document#${pointer.join('')}`;
    const validate = this.compiled.get(ref) ?? this.ajv.compile({ $ref: ref });
    this.compiled.set(ref, validate);
    return (value) =>
      validate(toNumbers(value)) ? [] : (validate.errors ?? []).filter(isCause).map(describe);
  }
}

/** Says only that one of several did not fit; the ones inside say why. */
function isCause({ keyword }: ErrorObject): boolean {
  return keyword !== 'anyOf';
}

function describe({ instancePath, message = '', params, keyword, data }: ErrorObject): string {
  const detail = keyword === 'additionalProperties' ? ` (${String(params['additionalProperty'])})` : '';
  const found = ['string', 'number', 'boolean'].includes(typeof data)
    ? `, found ${JSON.stringify(data)}`
    : '';
  return `$${instancePath.replaceAll('/', '.')} ${message}${detail}${found}`;
}

/** Exactly read numbers (exact-json.ts) as what a schema validator knows; their digits are checked elsewhere. */
function toNumbers(value: unknown): unknown {
  if (typeof value === 'bigint') return Number(value);
  if (value instanceof JsonFloat) return Number(value.text);
  if (Array.isArray(value)) return value.map(toNumbers);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, toNumbers(item)]));
}
