/** Messages by field path, e.g. `{"currencyWhitelist.0": ["…"]}` (api.md E1). */
export type FieldErrors = Record<string, string[]>;

/**
 * What domain code throws; one filter maps it to HTTP (api.md E).
 * `code` is stable and for programs, `message` is for people and safe to show.
 */
export class GatewayError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly extra: { errors?: FieldErrors; headers?: Record<string, string> } = {},
  ) {
    super(message);
    this.name = new.target.name;
  }
}

/** 401: token missing, incorrect or expired. `challenge` completes WWW-Authenticate (RFC 6750). */
export class UnauthenticatedError extends GatewayError {
  constructor(code = 'unauthenticated', challenge = 'Bearer') {
    super(401, code, 'Unauthenticated', { headers: { 'WWW-Authenticate': challenge } });
  }
}

/** 403: a known client token without the needed scope (api.md A2). */
export class InsufficientPermissionsError extends GatewayError {
  constructor(scope: string) {
    super(403, 'insufficient_permissions', 'Insufficient permissions', {
      headers: { 'WWW-Authenticate': `Bearer error="insufficient_scope", scope="${scope}"` },
    });
  }
}

/** 403 of the public checkout (api.md D1). */
export class CheckoutLinkError extends GatewayError {
  constructor(code: 'invalid_signature' | 'link_expired') {
    super(403, code, code === 'link_expired' ? 'Checkout link has expired' : 'Invalid signature');
  }
}

/** 404: unknown, foreign or malformed id; the three cannot be told apart. */
export class NotFoundError extends GatewayError {
  constructor(code = 'not_found', message = 'Not found') {
    super(404, code, message);
  }
}

/** 409: the object's state does not allow it. */
export class ConflictError extends GatewayError {
  constructor(
    code:
      'invalid_state_transition' | 'payment_not_payable' | 'idempotency_in_progress' | 'application_deleted',
    message: string,
  ) {
    super(409, code, message);
  }
}

/** 400: the request cannot be read. */
export class BadRequestError extends GatewayError {
  constructor(code: 'malformed_json' | 'bad_request', message: string) {
    super(400, code, message);
  }
}

/** 422: well-formed but wrong, with the reasons by field. */
export class ValidationError extends GatewayError {
  constructor(errors: FieldErrors, code = 'validation_failed') {
    const messages = Object.values(errors).flat();
    const more = messages.length - 1;
    const suffix = more > 0 ? ` (and ${more} more error${more > 1 ? 's' : ''})` : '';
    super(422, code, `${messages[0] ?? 'The given data was invalid.'}${suffix}`, { errors });
  }

  /** One message on one field. */
  static of(field: string, message: string): ValidationError {
    return new ValidationError({ [field]: [message] });
  }
}

/** 503: try again later; nothing was lost. */
export class ServiceUnavailableError extends GatewayError {
  constructor(message = 'Service unavailable', retryAfterSeconds = 5) {
    super(503, 'service_unavailable', message, { headers: { 'Retry-After': String(retryAfterSeconds) } });
  }
}
