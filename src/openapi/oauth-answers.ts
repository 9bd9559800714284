import { header, LIMITED } from './headers.js';
import type { Response } from './openapi-types.js';
import { ref, type Schema } from '../platform/contract/json-schema.js';

/** An answer of the OAuth endpoints: as the RFCs have it, not wrapped in `data`. */
export function json(
  description: string,
  schema: Schema,
  example: unknown,
  headers: Response['headers'] = {},
): Response {
  return {
    description,
    headers: { ...LIMITED, ...headers },
    content: { 'application/json': { schema, example } },
  };
}

/** RFC 6749, section 5.2. */
export function error(description: string, code: string): Response {
  return json(description, ref('OAuthError'), { error: code, error_description: description });
}

export const BAD_CLIENT: Response = {
  ...error('The client is unknown, or its secret is wrong.', 'invalid_client'),
  headers: {
    ...LIMITED,
    'WWW-Authenticate': {
      description: 'Present when the client tried HTTP basic authentication.',
      schema: { type: 'string' },
    },
  },
};

/** What passes by waiting. */
function wait(description: string): Response {
  const example = {
    error: 'temporarily_unavailable',
    error_description: 'too many requests: try again in 6 s',
    message: 'Too many requests',
    code: 'too_many_requests',
    requestId: '6f6b1c7e-3d0a-4f3c-9a55-0d7d6f1b2c3e',
  };
  return json(description, ref('OAuthUnavailable'), example, { 'Retry-After': header('RetryAfter') });
}

/** Before the authorization server sees a request, and when it fails. */
export const FAILED = {
  404: { $ref: '#/components/responses/NotFound' },
  414: { $ref: '#/components/responses/UriTooLong' },
  429: wait('Too many requests.'),
  500: error('A fault of the gateway.', 'server_error'),
  503: wait('Try again later.'),
};

/** The same for what people see in their browser: a page, where the client takes one. */
export const PAGE_FAILED = { ...FAILED, 429: withPage(FAILED[429]), 503: withPage(FAILED[503]) };

function withPage(answer: Response): Response {
  return { ...answer, content: { ...answer.content, 'text/html': { schema: { type: 'string' } } } };
}
