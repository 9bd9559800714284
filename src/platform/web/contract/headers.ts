import { only } from './json-schema.js';
import type { Header, Response } from './openapi-types.js';

/** `components.headers`. */
export const HEADERS = {
  RequestId: {
    description: 'Names the request: in error bodies, in the log, to support.',
    required: true,
    schema: { type: 'string', format: 'uuid' },
    example: '0b0e1f6c-5a3d-4a53-9d5c-0c8b1f0a7e11',
  },
  IdempotencyReplayed: {
    description: 'Present on a stored response: a request with this `Idempotency-Key` was processed before.',
    schema: only('true'),
    example: 'true',
  },
  IgnoredFields: {
    description:
      'The fields of the body that were ignored because this operation has none of that name; absent when there are none. At most 20 names, and only those that a header can carry.',
    schema: { type: 'string' },
    example: 'callback_url, amountt',
  },
  RateLimitPolicy: {
    description:
      'The limit as a structured field: `q` requests in `w` seconds (IETF draft-ietf-httpapi-ratelimit-headers).',
    schema: { type: 'string' },
    example: '"default";q=600;w=60',
  },
  RateLimit: {
    description: 'What remains of it: `r` requests, for `t` more seconds.',
    schema: { type: 'string' },
    example: '"default";r=598;t=42',
  },
  XRateLimitLimit: {
    description: 'The same limit, for older clients.',
    schema: { type: 'string', pattern: '^\\d+$' },
    example: '600',
  },
  XRateLimitRemaining: {
    description: 'What remains of it, for older clients.',
    schema: { type: 'string', pattern: '^\\d+$' },
    example: '598',
  },
  RetryAfter: {
    description: 'Seconds to wait before the next attempt.',
    required: true,
    schema: { type: 'string', pattern: '^[1-9]\\d*$' },
    example: '5',
  },
  RetryAfterSometimes: {
    description: 'Where waiting helps, as with `idempotency_in_progress`: seconds before the next attempt.',
    schema: { type: 'string', pattern: '^[1-9]\\d*$' },
    example: '1',
  },
  WWWAuthenticateSometimes: {
    description: 'What is wrong with the token or how it was sent (RFC 6750). Only if that is the reason.',
    schema: { type: 'string' },
    example: 'Bearer error="invalid_request", error_description="no access token provided"',
  },
  WWWAuthenticate: {
    description:
      'What is wrong with the token (RFC 6750): `error`, the `scope` that it lacks, and in `error_description` the same sentence as `hint`. Bare where no token was sent.',
    required: true,
    schema: { type: 'string' },
    example:
      'Bearer error="invalid_token", error_description="This client token expired at 2026-01-15T10:00:00Z; create another one for the payment application."',
  },
  ETag: {
    description:
      'Changes with the response. Send it back as `If-None-Match` to get a 304 for an unchanged response.',
    required: true,
    schema: { type: 'string' },
    example: '"pZGm1Av0IEBKARczz7exkN"',
  },
} as const satisfies Record<string, Header>;

/** A header's reference. */
export function header(name: keyof typeof HEADERS): { $ref: string } {
  return { $ref: `#/components/headers/${name}` };
}

/** On every response; those of the limits where there is one (specification/rate-limits.md#headers). */
export const LIMITED = {
  'X-Request-Id': header('RequestId'),
  'RateLimit-Policy': header('RateLimitPolicy'),
  RateLimit: header('RateLimit'),
  'X-RateLimit-Limit': header('XRateLimitLimit'),
  'X-RateLimit-Remaining': header('XRateLimitRemaining'),
};

/** A response for browsers. */
export function htmlResponse(description: string): Response {
  return { description, headers: LIMITED, content: { 'text/html': { schema: { type: 'string' } } } };
}
