import { type ErrorCode, ERRORS } from '../platform/kernel/errors/error-catalog.pure.js';
import { ErrorContract } from '../platform/web/errors/error.contract.js';
import { titleOf } from '../platform/web/contract/contract.js';
import { header, LIMITED } from '../platform/web/contract/headers.js';
import { ref } from '../platform/web/contract/json-schema.js';
import type { Example, Ref, Response } from '../platform/web/contract/openapi-types.js';

const EXAMPLE_REQUEST_ID = '6f6b1c7e-3d0a-4f3c-9a55-0d7d6f1b2c3e';
/** Messages that are fixed, or more realistic than the meaning in the catalog. */
const MESSAGES: Partial<Record<ErrorCode, string>> = {
  unauthenticated: 'Unauthenticated',
  oauth_token_required: 'Unauthenticated',
  recent_sign_in_required: 'Recent sign-in required',
  operator_required: 'Operator rights required',
  role_insufficient: 'Your role in this account is viewer',
  insufficient_permissions: 'Insufficient permissions',
  invalid_signature: 'Invalid signature',
  link_expired: 'Checkout link has expired',
  validation_failed: 'The name field must be between 3 and 255 characters.',
  server_error: 'Server Error',
};

/**
 * Errors of any request, before it reaches its handler. Those alone under their status are one response for all
 * operations, the `default`: a generated client is then a third as long (decision 0838).
 */
export const ANY_OPERATION: readonly ErrorCode[] = [
  'bad_request',
  'malformed_json',
  'not_acceptable',
  'request_timeout',
  'payload_too_large',
  'uri_too_long',
  'unsupported_media_type',
  'too_many_requests',
  'request_header_too_large',
  'server_error',
  'service_unavailable',
];

/** Whether these codes say nothing about an operation. */
export function isOfAnyOperation(codes: readonly ErrorCode[]): boolean {
  return codes.every((code) => ANY_OPERATION.includes(code));
}

/** A response of `components.responses`. */
export function errorResponseRef(name: string): Ref {
  return { $ref: `#/components/responses/${name}` };
}

/** The `default` responses: of operations, and of pages, which are HTML unless the client takes only JSON. */
export function defaultResponses(): Record<string, Response> {
  const headers = { ...LIMITED, 'Retry-After': header('RetryAfterSometimes') };
  const json = (codes: readonly ErrorCode[]) => ({
    'application/json': { schema: ref(titleOf(ErrorContract)), examples: errorExampleRefs(codes) },
  });
  return {
    OtherError: {
      description: `Any other error, which says nothing about the operation:\n\n${explain(ANY_OPERATION)}`,
      headers,
      content: json(ANY_OPERATION),
    },
    PageError: {
      description: 'Any other error: a page, or for what no browser sends also JSON.',
      headers,
      content: {
        'text/html': { schema: { type: 'string' } },
        ...json([...ANY_OPERATION, 'not_found', 'validation_failed']),
      },
    },
  };
}

function explain(codes: readonly ErrorCode[]): string {
  return codes.map((code) => `\`${code}\`: ${ERRORS[code].meaning}`).join('\n\n');
}

/** One example for each code that is used, under its name. */
export function errorExamples(isUsed: (code: ErrorCode) => boolean): Record<string, Example> {
  return Object.fromEntries(
    (Object.keys(ERRORS) as ErrorCode[])
      .filter(isUsed)
      .map((code) => [code, { summary: ERRORS[code].meaning, value: body(code) }]),
  );
}

/** The examples of these codes, by reference. */
export function errorExampleRefs(codes: readonly ErrorCode[]): Record<string, Ref> {
  return Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }]));
}

function body(code: ErrorCode) {
  const message = MESSAGES[code] ?? ERRORS[code].meaning;
  const errors = code === 'validation_failed' && { errors: { name: [message] } };
  return { message, code, ...errors, requestId: EXAMPLE_REQUEST_ID };
}

/** The name under `components.responses` of a response with one of these codes, e.g. `PaymentNotFound_NotFound`. */
export function errorResponseName(codes: readonly ErrorCode[]): string {
  return codes
    .map((code) => code.replace(/(^|_)(\w)/g, (_all, _gap, letter: string) => letter.toUpperCase()))
    .join('_');
}

/** A response with one of these codes, which all have the same status. */
export function errorResponse(codes: readonly ErrorCode[]): Response {
  const statuses = new Set(codes.map((code) => ERRORS[code].status));
  const [status] = statuses;
  if (statuses.size !== 1 || status === undefined)
    throw new Error(`codes of one status: ${codes.join(', ')}`);
  return {
    description: explain(codes),
    headers: {
      ...LIMITED,
      ...([401, 403].includes(status) && challenge(codes)),
      ...(MAY_BE_STORED.includes(status) && { 'Idempotency-Replayed': header('IdempotencyReplayed') }),
      ...retryAfter(codes),
    },
    content: {
      'application/json': {
        schema: ref(titleOf(ErrorContract)),
        examples: errorExampleRefs(codes),
      },
    },
  };
}

/** Codes of 403 that are not about a token's scopes. */
const NO_CHALLENGE: readonly ErrorCode[] = [
  'invalid_signature',
  'link_expired',
  'operator_required',
  'role_insufficient',
];

/** Where only some codes of a response have the header, it is optional. */
function challenge(codes: readonly ErrorCode[]): Response['headers'] {
  const without = codes.filter((code) => NO_CHALLENGE.includes(code));
  if (without.length === codes.length) return {};
  return {
    'WWW-Authenticate': header(without.length === 0 ? 'WWWAuthenticate' : 'WWWAuthenticateSometimes'),
  };
}

/** Statuses of errors that are stored for a repeated request (specification/idempotency.md#idempotency-key). */
const MAY_BE_STORED = [404, 409];
const WAIT: readonly ErrorCode[] = ['too_many_requests', 'service_unavailable', 'idempotency_in_progress'];

/** Where only some codes of a response have the header, it is optional. */
function retryAfter(codes: readonly ErrorCode[]): Response['headers'] {
  if (codes.every((code) => WAIT.includes(code))) return { 'Retry-After': header('RetryAfter') };
  if (codes.some((code) => WAIT.includes(code))) return { 'Retry-After': header('RetryAfterSometimes') };
  return {};
}
