import type { Type } from '@nestjs/common';
import { exampleOf, titleOf } from '../../platform/web/contract/contract.js';
import { header, LIMITED } from '../../platform/web/contract/headers.js';
import { ref, type Schema } from '../../platform/web/contract/json-schema.js';
import type { Response } from '../../platform/web/contract/openapi-types.js';
import { OAuthErrorContract, OAuthUnavailableContract } from './oauth.contract.js';

export const OAUTH_TAG = 'OAuth2';

/** A response of the OAuth endpoints: as in the RFCs, not wrapped in `data`. */
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

/** The same of a contract class. */
export function jsonOf(contract: Type<object>, description: string): Response {
  return json(description, ref(titleOf(contract)), exampleOf(contract, 'response'));
}

/** RFC 6749, section 5.2. */
export function error(description: string, code: string): Response {
  const example = { error: code, error_description: description };
  return json(description, ref(titleOf(OAuthErrorContract)), example);
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

/** A temporary failure. */
function wait(description: string): Response {
  const response = jsonOf(OAuthUnavailableContract, description);
  return { ...response, headers: { ...response.headers, 'Retry-After': header('RetryAfter') } };
}

/** Errors before a request reaches the authorization server, and its failures. */
export const FAILED = {
  404: { $ref: '#/components/responses/NotFound' },
  414: { $ref: '#/components/responses/UriTooLong' },
  429: wait('Too many requests.'),
  431: { $ref: '#/components/responses/RequestHeaderTooLarge' },
  500: error('A fault of the gateway.', 'server_error'),
  503: wait('Try again later.'),
};

/** The same in a browser: an HTML page, where the client accepts one. */
export const PAGE_FAILED = { ...FAILED, 429: withPage(FAILED[429]), 503: withPage(FAILED[503]) };

function withPage(response: Response): Response {
  return { ...response, content: { ...response.content, 'text/html': { schema: { type: 'string' } } } };
}
