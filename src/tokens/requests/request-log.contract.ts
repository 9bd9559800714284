import { EXAMPLE_APPLICATION_ID } from '../../applications/applications.contract.js';
import { Contract } from '../../platform/web/contract/contract.js';
import { Choice, Count, Instant, Text, Uuid } from '../../platform/web/contract/fields.js';
import { CursorQuery } from '../../platform/web/http/cursor-query.js';
import { EXAMPLE_TOKEN_ID } from '../client-tokens.contract.js';

const STATUS_CLASSES = ['2xx', '3xx', '4xx', '5xx'] as const;
/** Those that the API has. */
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
const EXAMPLE_REQUEST_ID = '4f0c2f4e-6b7a-4c1d-9e2f-3a4b5c6d7e8f';

/** Query of GET /api/request-log (specification/authentication.md#request-log). */
export class ListRequestLogQuery extends CursorQuery {
  @Choice(STATUS_CLASSES, { optional: true, about: 'Only requests that were answered with such a status.' })
  status?: (typeof STATUS_CLASSES)[number];

  @Choice(METHODS, { optional: true, about: 'Only requests with this HTTP method.' })
  method?: (typeof METHODS)[number];

  @Uuid({
    optional: true,
    about: 'Only requests with client tokens of this application.',
    example: EXAMPLE_APPLICATION_ID,
  })
  paymentApplicationId?: string;

  @Uuid({ optional: true, about: 'Only requests with this client token.', example: EXAMPLE_TOKEN_ID })
  tokenId?: string;

  @Text({ min: 1, max: 255, optional: true, about: 'Only requests whose path with its query contains this.' })
  path?: string;

  @Uuid({ optional: true, about: 'Only the request with this `X-Request-Id`.', example: EXAMPLE_REQUEST_ID })
  requestId?: string;

  @Instant({ optional: true, about: 'Only requests of this time or later; with a time zone.' })
  since?: Date;
}

@Contract('LoggedRequest', 'A request that one of your servers has made. Its body is not kept.')
export class LoggedRequestContract {
  @Uuid({ about: '`X-Request-Id` of the response.', example: EXAMPLE_REQUEST_ID })
  requestId: string;

  @Instant({ about: 'When it arrived.' })
  at: string;

  @Text({ about: 'The HTTP method.', example: 'POST' })
  method: string;

  @Text({ about: 'The route, or `(no route)`.', example: '/api/payment/checkout' })
  route: string;

  @Text({
    about: 'The path with its query, to 512 characters; secrets in it are `[redacted]`.',
    example: '/api/payment/checkout',
  })
  path: string;

  @Count({ about: 'The status of the response.', example: 422 })
  status: number;

  @Count({ about: 'From its arrival to the end of the response, in milliseconds.', example: 12 })
  durationMs: number;

  @Uuid({
    nullable: true,
    about: 'The application of the client token; null: it was made with OAuth2.',
    example: EXAMPLE_APPLICATION_ID,
  })
  paymentApplicationId: string | null;

  @Uuid({
    nullable: true,
    about: 'The client token; null: it was made with OAuth2.',
    example: EXAMPLE_TOKEN_ID,
  })
  tokenId: string | null;

  @Text({ nullable: true, about: 'What you called the client token.', example: 'Shop server' })
  tokenLabel: string | null;

  @Text({
    nullable: true,
    about: 'The OAuth2 client whose token it was; null: a client token, or one of another identity provider.',
    example: null,
  })
  oauthClientId: string | null;

  @Text({ nullable: true, about: 'The `Idempotency-Key` that was sent.', example: 'order-4711' })
  idempotencyKey: string | null;

  @Text({
    about: 'The network that it came from: 24 bits of an IPv4 address, 48 of an IPv6 one.',
    example: '203.0.113.0/24',
  })
  address: string;

  @Text({
    nullable: true,
    about: 'The code of the error; null: there was none.',
    example: 'validation_failed',
  })
  errorCode: string | null;

  @Text({
    nullable: true,
    about: 'The body of the error as it was answered, to 2,048 characters; null: there was none.',
    example: '{"message":"The given data was invalid.","code":"validation_failed"}',
  })
  errorBody: string | null;
}
