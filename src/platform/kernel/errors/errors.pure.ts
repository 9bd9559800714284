import { type CodeOf, type ErrorCode, ERRORS } from './error-catalog.pure.js';

/** Messages by field path, e.g. `{"currencyWhitelist.0": ["…"]}` (specification/errors.md#body). */
export type FieldErrors = Record<string, string[]>;

export interface ErrorExtra {
  errors?: FieldErrors;
  /** One sentence that says what to do, where `message` is fixed or says only what is wrong. */
  hint?: string;
  headers?: Record<string, string>;
}

/**
 * What domain code throws; one filter maps it to HTTP (specification/errors.md#in-the-code). `code` is stable, for
 * programs, and determines the status; `message` is for people and safe to show.
 */
export class GatewayError extends Error {
  readonly status: number;

  constructor(
    readonly code: ErrorCode,
    message: string,
    readonly extra: ErrorExtra = {},
  ) {
    super(message);
    this.name = new.target.name;
    this.status = ERRORS[code].status;
  }
}

/** A `Bearer` challenge with the given attributes (RFC 6750, section 3). */
function bearerChallenge(attributes: Record<string, string | null | undefined>): Record<string, string> {
  const given = Object.entries(attributes).flatMap(([name, value]) =>
    value ? [`${name}="${value.replaceAll(/[^\x20\x21\x23-\x5b\x5d-\x7e]/g, '')}"`] : [],
  );
  return { 'WWW-Authenticate': given.length > 0 ? `Bearer ${given.join(', ')}` : 'Bearer' };
}

/**
 * 401: token missing, incorrect or expired. The message is a fixed text (specification/authentication.md#401-and-403),
 * so `description` explains the cause, in the challenge and in `hint`. Without an `error` the challenge is bare, as for
 * a request without credentials (RFC 6750, section 3.1).
 */
export class UnauthenticatedError extends GatewayError {
  constructor(
    code: CodeOf<401> = 'unauthenticated',
    { error = null, description }: { error?: string | null; description?: string } = {},
  ) {
    const headers = bearerChallenge(error === null ? {} : { error, error_description: description });
    super(code, 'Unauthenticated', { headers, hint: description });
  }
}

/**
 * 401: the user of the token has to sign in again (RFC 9470, specification/authentication.md#recent-sign-in).
 * @param acr how, as the authorization endpoint takes it in `acr_values`
 */
export class RecentSignInError extends GatewayError {
  constructor(acr: string, maxAgeSeconds: number) {
    const maxAge = String(maxAgeSeconds);
    const hint = `This request needs a sign-in of the last ${maxAgeSeconds / 60} minutes, by the level ${acr}: send the user to /api/oauth/authorize with scope=openid and the others, max_age=${maxAge} and acr_values=${acr}, and use the new token.`;
    super('recent_sign_in_required', 'Recent sign-in required', {
      headers: bearerChallenge({
        error: 'insufficient_user_authentication',
        acr_values: acr,
        max_age: maxAge,
        error_description: hint,
      }),
      hint,
    });
  }
}

/**
 * 403: a valid token without the needed scope (specification/authentication.md#401-and-403).
 * @param held the scopes that it has
 * @param remedy how to get a token with the scope
 */
export class InsufficientPermissionsError extends GatewayError {
  constructor(
    scope: string,
    held: readonly string[],
    remedy = 'The scopes of a token cannot be changed: create another token.',
  ) {
    const needed = scope === '*' ? '* (all scopes)' : scope;
    const hint = `This request needs a token with the scope ${needed}; this one has ${held.join(', ') || 'none'}. ${remedy}`;
    super('insufficient_permissions', 'Insufficient permissions', {
      headers: bearerChallenge({ error: 'insufficient_scope', scope, error_description: hint }),
      hint,
    });
  }
}

/** 403: a valid token of a user without operator rights. */
export class OperatorRequiredError extends GatewayError {
  constructor() {
    super('operator_required', 'Operator rights required', {
      hint: 'The user of this token is no operator of the gateway; whoever runs it grants the right with the command set-operator --email <address>.',
    });
  }
}

/** 403: a member of an account whose role does not suffice (specification/authentication.md#members). */
export class RoleInsufficientError extends GatewayError {
  /** @param needed who may do it, e.g. `the owner` */
  constructor(role: string, needed: string) {
    super('role_insufficient', `Your role in this account is ${role}`, {
      hint: `Your role in this account is ${role}; this request takes ${needed}.`,
    });
  }
}

/** 403 of signed links (specification/checkout.md#signed-links). */
export class CheckoutLinkError extends GatewayError {
  constructor(
    code: 'invalid_signature' | 'link_expired',
    kind: 'Checkout' | 'Refund' | 'Receipt' = 'Checkout',
    hint?: string,
  ) {
    super(code, code === 'link_expired' ? `${kind} link has expired` : 'Invalid signature', { hint });
  }
}

/** 404: unknown, foreign or malformed id; the response is the same for all three. */
export class NotFoundError extends GatewayError {
  constructor(
    override readonly code: CodeOf<404> = 'not_found',
    message = 'Not found',
    hint?: string,
    errors?: FieldErrors,
  ) {
    super(code, message, { hint, errors });
  }

  /** The same with a hint. */
  withHint(hint: string): NotFoundError {
    return new NotFoundError(this.code, this.message, hint, this.extra.errors);
  }
}

/** 409: the object's state does not allow it. */
export class ConflictError extends GatewayError {
  constructor(code: CodeOf<409>, message: string, extra: Pick<ErrorExtra, 'headers' | 'hint'> = {}) {
    super(code, message, extra);
  }
}

/** 400: the request cannot be read. */
export class BadRequestError extends GatewayError {
  constructor(code: CodeOf<400>, message: string, hint?: string) {
    super(code, message, { hint });
  }
}

/** 422: well-formed but wrong, with the reasons by field. */
export class ValidationError extends GatewayError {
  constructor(errors: FieldErrors, code: CodeOf<422> = 'validation_failed', hint?: string) {
    const messages = Object.values(errors).flat();
    const more = messages.length - 1;
    const suffix = more > 0 ? ` (and ${more} more error${more > 1 ? 's' : ''})` : '';
    super(code, `${messages[0] ?? 'The given data was invalid.'}${suffix}`, { errors, hint });
  }

  /** One message on one field. */
  static of(field: string, message: string, hint?: string): ValidationError {
    return new ValidationError({ [field]: [message] }, 'validation_failed', hint);
  }
}

/** 429: nothing was done; `retryAfterSeconds` is at least 1 (specification/rate-limits.md#what-is-counted). */
export class TooManyRequestsError extends GatewayError {
  /** @param limits the headers that describe the limit (rate-limit.pure.ts) */
  constructor(retryAfterSeconds: number, limits: Record<string, string>) {
    super('too_many_requests', 'Too many requests', {
      headers: { ...limits, 'Retry-After': String(retryAfterSeconds) },
    });
  }
}

/** 503: try again later; nothing was lost. */
export class ServiceUnavailableError extends GatewayError {
  constructor(message = 'Service unavailable', retryAfterSeconds = 5) {
    super('service_unavailable', message, { headers: { 'Retry-After': String(retryAfterSeconds) } });
  }
}
