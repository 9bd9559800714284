import type { ErrorBody } from './api-types.js';

/** Codes of this package, for failures without a code of the gateway. */
export type ClientErrorCode =
  /** No response: the connection failed, also after all retries. */
  | 'network_error'
  /** No response within `timeoutMs`, also after all retries. */
  | 'timeout'
  /** `waitFor` timed out. */
  | 'wait_timeout'
  /** A response that is not the gateway's: a redirect, or a page of a proxy. */
  | 'invalid_response';

/** Codes may be added: treat an unknown code like its status. */
export type ErrorCode = ErrorBody['code'] | ClientErrorCode | (string & Record<never, never>);

/** The content of a {@link GatewayError}. */
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
  /** HTTP status; 0 if there was no response. */
  readonly status: number;
  /** Reasons by field of the request, if fields are wrong. */
  readonly errors: Record<string, string[]>;
  /** One sentence that says what to do, if the gateway sent one. */
  readonly hint: string | null;
  /** Identifies the request in the gateway's logs. */
  readonly requestId: string | null;
  /** Seconds to wait, of the header Retry-After. */
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
  /** Older than the tolerance: late, or a recorded request that was replayed. */
  | 'too_old'
  /** In the future: one of the clocks is wrong. */
  | 'too_new'
  /** Signed, but not an event: not JSON, or a field is missing. */
  | 'malformed_body'
  /** A header has another event or id than the signed body. */
  | 'header_mismatch';

/** The request is not a webhook of this gateway: respond with 400 and do nothing. */
export class WebhookError extends Error {
  override readonly name: string = 'WebhookError';

  constructor(
    readonly reason: WebhookRefusal,
    message: string,
  ) {
    super(message);
  }
}

/** Why instructions were refused. */
export type InstructionsRefusal =
  /** There is no signature, or not one of a known form and version. */
  | 'malformed'
  /** Signed, but with none of the pinned keys. */
  | 'unknown_key'
  /** Changed after they were signed. */
  | 'bad_signature'
  /** Signed for another payment. */
  | 'other_payment'
  /** A shown field differs from the signed one; the message names it. */
  | 'altered'
  /** The rate lock has ended. */
  | 'expired'
  /** This JavaScript engine has no Ed25519: verify on a server. */
  | 'unsupported';

/** The instructions are not what the gateway has signed: show them to no customer. */
export class InstructionsError extends Error {
  override readonly name: string = 'InstructionsError';

  constructor(
    readonly reason: InstructionsRefusal,
    message: string,
    options?: { cause: unknown },
  ) {
    super(message, options);
  }
}
