import type { Scope } from '../platform/security/auth.js';
import { type ErrorCode, ERRORS } from '../platform/errors/error-catalog.pure.js';
import { errorExampleRefs, errorResponseName } from './errors.js';
import { header, LIMITED } from './headers.js';
import type { Header, Operation, Parameter, Ref, Response } from './openapi-types.js';
import { list, object, ref, type Schema } from '../platform/contract/json-schema.js';

/**
 * Who may call: everyone (`public`), the holder of a signed link of a payment or a refund, an OAuth2 token of a user
 * (`oauth`) or of an operator, or also client tokens: all of them (`any-token`), or those with a scope.
 */
export type Access = 'public' | LinkAccess | 'oauth' | 'operator' | 'any-token' | Scope;
type LinkAccess = keyof typeof LINKS;

/** The signed links, and what is not found at the end of one. */
const LINKS = {
  'signed-link': 'payment_not_found',
  'claim-link': 'refund_not_found',
} as const satisfies Record<string, ErrorCode>;

/** A good answer. */
export interface Answer {
  description: string;
  schema?: Schema;
  example?: unknown;
  /** Where it is not JSON: schemas by content type. */
  contents?: Record<string, Schema>;
  headers?: Record<string, Header | Ref>;
}

export interface OperationSpec {
  id: string;
  tag: string;
  summary: string;
  description?: string;
  access: Access;
  parameters?: readonly (Parameter | Ref)[];
  body?: { schema: Schema; example: unknown; description?: string; required?: boolean };
  /** Takes `Idempotency-Key` (specification/idempotency.md#idempotency-key). */
  isIdempotent?: boolean;
  answers: Record<number, Answer>;
  /** Besides those that every operation can answer. */
  errors?: readonly ErrorCode[];
  alsoServedAt?: readonly string[];
  /** For browsers only. */
  isInternal?: boolean;
  /** Errors are HTML pages. */
  hasErrorPages?: boolean;
  /** The fields of an HTML form, instead of a JSON body. */
  form?: { schema: Schema; example: unknown };
}

/** What any request can be refused with, before its operation is looked at. */
const ALWAYS_POSSIBLE: readonly ErrorCode[] = [
  'bad_request',
  'malformed_json',
  'not_acceptable',
  'request_timeout',
  'payload_too_large',
  'uri_too_long',
  'unsupported_media_type',
  'validation_failed',
  'too_many_requests',
  'request_header_too_large',
  'server_error',
  'service_unavailable',
];

/** An operation of ours, with the errors, headers and security that follow from what it is. */
export function operation(spec: OperationSpec): Operation {
  const { id, tag, summary, description, access, parameters = [], body, isIdempotent = false } = spec;
  const responses: Record<string, Response | Ref> = {};
  for (const [status, answer] of Object.entries(spec.answers))
    responses[status] = response(answer, isIdempotent, body !== undefined);
  for (const [status, response] of Object.entries(errorsOf(spec))) responses[status] ??= response;
  const all = [
    ...parameters,
    ...(isLink(access) ? [parameter('Expires'), parameter('Signature')] : []),
    ...(isIdempotent ? [parameter('IdempotencyKey')] : []),
  ];
  return {
    operationId: id,
    tags: [tag],
    summary,
    ...(description !== undefined && { description }),
    security: securityOf(access),
    ...(all.length > 0 && { parameters: all }),
    ...(body && {
      requestBody: {
        ...(body.description !== undefined && { description: body.description }),
        required: body.required ?? true,
        content: { 'application/json': { schema: body.schema, example: body.example } },
      },
    }),
    ...(spec.form && {
      requestBody: { required: true, content: { 'application/x-www-form-urlencoded': spec.form } },
    }),
    responses,
    ...(spec.alsoServedAt && { 'x-also-served-at': spec.alsoServedAt }),
    ...(spec.isInternal && { 'x-internal': true as const }),
  };
}

function errorsOf(spec: OperationSpec): Record<string, Response | Ref> {
  if (spec.hasErrorPages) return pageErrors();
  return Object.fromEntries(
    [...byStatus(codesOf(spec))].map(([status, codes]) => [
      status,
      { $ref: `#/components/responses/${errorResponseName(codes)}` },
    ]),
  );
}

/** A parameter of `components.parameters`. */
export function parameter(name: string): Ref {
  return { $ref: `#/components/parameters/${name}` };
}

/** `{"data": …}`, which every good answer of ours is wrapped in. */
export function data(description: string, schema: Schema, example: unknown): Answer {
  return { description, schema: wrapped({ data: schema }), example: { data: example } };
}

/** One page of a list. */
export function page(description: string, item: string, example: unknown): Answer {
  const meta = object('', 'About the list.', { pagination: ref('Pagination') });
  return {
    description,
    schema: wrapped({ data: list('The items of this page.', ref(item)), meta: untitled(meta) }),
    example: {
      data: [example],
      meta: { pagination: { total: 1, count: 1, per_page: 20, current_page: 1, total_pages: 1 } },
    },
  };
}

/** A piece of a list that only grows at its end. */
export function cursorPage(description: string, item: string, example: unknown): Answer {
  const meta = object('', 'About the list.', { cursor: ref('Cursor') });
  return {
    description,
    schema: wrapped({ data: list('The items, oldest first.', ref(item)), meta: untitled(meta) }),
    example: { data: [example], meta: { cursor: { next: 'ZTQy', hasMore: false } } },
  };
}

/** A list that comes whole, unless a page is asked for (specification/conventions.md#pagination). */
export function listOrPage(description: string, item: string, example: unknown): Answer {
  const meta = untitled(object('', 'Present when a page was asked for.', { pagination: ref('Pagination') }));
  const schema = wrapped({ data: list('The items.', ref(item)), meta }, ['meta']);
  return { description, schema, example: { data: [example] } };
}

function wrapped(properties: Record<string, Schema>, optional: readonly string[] = []): Schema {
  const required = Object.keys(properties).filter((name) => !optional.includes(name));
  return { type: 'object', properties, required };
}

function untitled({ title: _title, ...schema }: Schema): Schema {
  return schema;
}

function response(
  { description, schema, example, contents, headers }: Answer,
  isIdempotent: boolean,
  hasBody: boolean,
): Response {
  const content = contents
    ? Object.fromEntries(Object.entries(contents).map(([type, other]) => [type, { schema: other }]))
    : schema && { 'application/json': { schema, ...(example !== undefined && { example }) } };
  return {
    description,
    headers: {
      ...LIMITED,
      ...(isIdempotent && { 'Idempotency-Replayed': header('IdempotencyReplayed') }),
      ...(hasBody && { 'X-Ignored-Fields': header('IgnoredFields') }),
      ...headers,
    },
    ...(content && { content }),
  };
}

function securityOf(access: Access): Operation['security'] {
  if (access === 'public' || isLink(access)) return [];
  const oauth = { oauth2: ['*'] };
  if (access === 'oauth' || access === 'operator') return [oauth];
  return [oauth, { clientToken: access === 'any-token' ? [] : [access] }];
}

function isLink(access: Access): access is LinkAccess {
  return Object.hasOwn(LINKS, access);
}

/** Every code of the operation, in the order of the catalog. */
function codesOf({ access, isIdempotent = false, parameters = [], errors = [] }: OperationSpec): ErrorCode[] {
  const codes = new Set<ErrorCode>([...ALWAYS_POSSIBLE, ...errors]);
  // A path that is not text is not found.
  if (parameters.length > 0 || isLink(access)) codes.add('not_found');
  if (isLink(access)) codes.add('invalid_signature').add('link_expired').add(LINKS[access]);
  else if (access !== 'public') codes.add('unauthenticated');
  if (access === 'oauth') codes.add('oauth_token_required');
  else if (access === 'operator') codes.add('oauth_token_required').add('operator_required');
  else if (access !== 'public' && !isLink(access) && access !== 'any-token')
    codes.add('insufficient_permissions');
  if (isIdempotent) codes.add('idempotency_in_progress').add('idempotency_key_reused');
  return (Object.keys(ERRORS) as ErrorCode[]).filter((code) => codes.has(code));
}

/** Codes by the status that they come with. */
function byStatus(codes: readonly ErrorCode[]): Map<string, ErrorCode[]> {
  const groups = new Map<string, ErrorCode[]>();
  for (const code of codes) {
    const status = String(ERRORS[code].status);
    groups.set(status, [...(groups.get(status) ?? []), code]);
  }
  return groups;
}

/** The parameters of every paged list. */
export const PAGE: readonly Ref[] = ['Page', 'PerPage', 'PerPageAlias'].map(parameter);

/** The errors of a page at a signed link: HTML, and for what no browser sends also JSON. */
export function pageErrors(): Record<string, Response> {
  const error = (description: string, ...codes: ErrorCode[]): Response => ({
    description,
    headers: LIMITED,
    content: {
      'text/html': { schema: { type: 'string' } },
      'application/json': { schema: ref('Error'), examples: errorExampleRefs(codes) },
    },
  });
  const wait = (description: string, retryAfter: Ref): Response => ({
    ...htmlPage(description),
    headers: { ...LIMITED, 'Retry-After': retryAfter },
  });
  return {
    400: error('The request is malformed.', 'bad_request', 'malformed_json'),
    403: htmlPage('The link has expired, or its signature is wrong.'),
    404: error('There is no such page.', 'not_found'),
    413: error('The request body is too large.', 'payload_too_large'),
    414: error('The address is too long.', 'uri_too_long'),
    415: error('The request body has another media type.', 'unsupported_media_type'),
    422: error('The address or the form is malformed.', 'validation_failed'),
    429: wait('Too many requests.', header('RetryAfter')),
    431: error('The request header is too large.', 'request_header_too_large'),
    500: error('A fault of the gateway.', 'server_error'),
    503: wait('Try again later.', header('RetryAfterSometimes')),
  };
}

/** An answer for browsers. */
export function htmlPage(description: string): Response {
  return { description, headers: LIMITED, content: { 'text/html': { schema: { type: 'string' } } } };
}
