import type { ErrorBody } from './api-types.js';

/** Codes that this package gives where the gateway gave none. */
export type ClientErrorCode =
  /** No answer: the connection failed, also after all retries. */
  | 'network_error'
  /** No answer within `timeoutMs`, also after all retries. */
  | 'timeout'
  /** `waitFor` gave up. */
  | 'wait_timeout'
  /** An answer that no gateway gives: a redirect, a page of some proxy. */
  | 'invalid_answer';

/** The gateway may learn new ones: treat an unknown code like its status. */
export type ErrorCode = ErrorBody['code'] | ClientErrorCode | (string & Record<never, never>);

/** What a {@link GatewayError} is made of. */
export interface GatewayErrorDetails {
  status?: number;
  errors?: Record<string, string[]>;
  hint?: string | null;
  requestId?: string | null;
  retryAfter?: number | null;
  cause?: unknown;
}

/** Why a call failed. Decide by `code`; `message` is for people. */
export class GatewayError extends Error {
  override readonly name: string = 'GatewayError';
  /** HTTP status; 0 when there was no answer. */
  readonly status: number;
  /** Reasons by field of the request, where fields are to blame. */
  readonly errors: Record<string, string[]>;
  /** One sentence that says how to go on, where the gateway gave one. */
  readonly hint: string | null;
  /** Names the request in the gateway's logs. */
  readonly requestId: string | null;
  /** Seconds that the gateway asks to wait. */
  readonly retryAfter: number | null;

  constructor(
    /** One of the gateway's codes (docs/errors.md), or a {@link ClientErrorCode}. */
    readonly code: ErrorCode,
    message: string,
    {
      status = 0,
      errors = {},
      hint = null,
      requestId = null,
      retryAfter = null,
      cause,
    }: GatewayErrorDetails = {},
  ) {
    super(message, cause === undefined ? undefined : { cause });
    this.status = status;
    this.errors = errors;
    this.hint = hint;
    this.requestId = requestId;
    this.retryAfter = retryAfter;
  }
}

/** Why a webhook was refused. */
export type WebhookRefusal =
  | 'missing_header'
  | 'malformed_header'
  /** Not signed with any of the secrets, or changed on its way. */
  | 'bad_signature'
  /** Older than the tolerance: late, or sent again by somebody who recorded it. */
  | 'too_old'
  /** From the future: one of the clocks is wrong. */
  | 'too_new'
  /** Signed, yet no event: not JSON, a field is missing. */
  | 'malformed_body'
  /** A header says another event or id than the signed body. */
  | 'header_mismatch';

/** The request is no webhook of this gateway: answer 400 and do nothing. */
export class WebhookError extends Error {
  override readonly name: string = 'WebhookError';

  constructor(
    readonly reason: WebhookRefusal,
    message: string,
  ) {
    super(message);
  }
}
