/** One stable code: its status, when it is returned, and what the client should do. */
interface CatalogEntry {
  status: number;
  /** When it is returned. */
  meaning: string;
  /** What the client should do. */
  remedy: string;
}

/**
 * Every code of an error response (specification/errors.md#in-the-code). The error classes accept no other, so a new
 * code starts here; docs/errors.md is written from this table (`npm run docs:errors`), and a test compares the two.
 */
export const ERRORS = {
  malformed_json: {
    status: 400,
    meaning:
      'The body is not JSON in UTF-8, is nested more than 32 levels deep, has more than 2,000 values, or names a key twice in one object.',
    remedy: 'Correct the request; the message says where it breaks, and `hint` the usual cause.',
  },
  bad_request: {
    status: 400,
    meaning: 'The request is not valid HTTP, or a header such as `Idempotency-Key` is malformed.',
    remedy: 'Correct the request; the message names the header.',
  },
  unauthenticated: {
    status: 401,
    meaning:
      'No token, or one that is malformed, unknown, expired or revoked, or whose application is deleted.',
    remedy:
      'Read `hint` (also `error_description` of `WWW-Authenticate`): it tells a missing, misplaced, malformed, expired and revoked token apart. Send a good one as `Authorization: Bearer <token>`.',
  },
  oauth_token_required: {
    status: 401,
    meaning: 'A good client token on an endpoint that takes OAuth2 access tokens only.',
    remedy: 'Use an OAuth2 access token here; no scope of a client token opens this endpoint.',
  },
  recent_sign_in_required: {
    status: 401,
    meaning:
      'The user of the token has not signed in within the last five minutes, or without the second factor.',
    remedy:
      'Let the user sign in again with the `max_age` and `acr_values` of `WWW-Authenticate` (RFC 9470); send the new token.',
  },
  operator_required: {
    status: 403,
    meaning: "An operator's view, and a good OAuth2 token of a user without operator rights.",
    remedy: 'Sign in as an operator; `set-operator` on the command line makes one.',
  },
  role_insufficient: {
    status: 403,
    meaning: 'Your role in the account that `X-Account` names does not permit the request.',
    remedy: 'Read `hint`, which names the role. The owner of the account can change it.',
  },
  insufficient_permissions: {
    status: 403,
    meaning: 'The token lacks the scope that `WWW-Authenticate` and `hint` name.',
    remedy:
      'Get a token that has it: another client token, or an OAuth2 token requested with this `scope`. An operator grants `wallets:write` to a server (`create-oauth-client --scope`).',
  },
  invalid_signature: {
    status: 403,
    meaning:
      '`expires` and `signature` of a checkout, receipt or refund address do not belong to its payment or refund.',
    remedy:
      'Use the `checkoutUrl`, `receiptUrl` or `claimUrl` exactly as the API returned it; `hint` says what happened to this one.',
  },
  link_expired: {
    status: 403,
    meaning: 'The signature is right, and its time is over.',
    remedy: 'Create a new payment, or a new refund. Funds that still come to the old payment are recorded.',
  },
  not_found: {
    status: 404,
    meaning: 'No such address, or no such object among yours.',
    remedy: 'Check path and id; `hint` says where the routes are listed, or what the id looks like.',
  },
  payment_not_found: {
    status: 404,
    meaning: 'No such payment among yours.',
    remedy:
      'Check the id; `hint` says what it looks like. A client token sees the payments of its own application only.',
  },
  refund_not_found: {
    status: 404,
    meaning: 'No such refund of this payment.',
    remedy: 'Check the id; `GET /api/payment/{paymentId}/refunds` lists them.',
  },
  payment_application_not_found: {
    status: 404,
    meaning: 'No such payment application among yours.',
    remedy: 'Check the id: the UUID of the application, not its `clientId` and not the id of its site.',
  },
  payment_method_not_found: {
    status: 404,
    meaning: 'The payment cannot be paid by this provider and method.',
    remedy: '`errors` lists what it can be paid by, and `hint` what was probably meant.',
  },
  account_not_found: {
    status: 404,
    meaning: '`X-Account` names no account in which you may act.',
    remedy: '`GET /api/account/memberships` lists them. Without the header you act in your own account.',
  },
  user_not_found: {
    status: 404,
    meaning: 'No such user.',
    remedy: 'Check the id.',
  },
  method_not_allowed: {
    status: 405,
    meaning: 'The address exists, and does not take this method.',
    remedy: 'Use one of the methods in the `Allow` header, or the route that `hint` names.',
  },
  not_acceptable: {
    status: 406,
    meaning: 'The `Accept` header rules out `application/json`.',
    remedy: 'Send `Accept: application/json`, or leave it out.',
  },
  request_timeout: {
    status: 408,
    meaning: 'The request took too long to arrive.',
    remedy: 'Send it again.',
  },
  invalid_state_transition: {
    status: 409,
    meaning: 'The object is in a state that does not allow this, e.g. cancelling a payment that is paid.',
    remedy: 'Read the object again and decide again.',
  },
  payment_not_payable: {
    status: 409,
    meaning: 'Instructions for a payment that can no longer be paid.',
    remedy: 'Create a new payment.',
  },
  wallet_integrity: {
    status: 409,
    meaning:
      'The wallets of the application or account are not as the gateway stored them: another program changed its database.',
    remedy: 'Tell the operator. Nothing was changed, and no address is shown until the database is repaired.',
  },
  payment_integrity: {
    status: 409,
    meaning:
      'The records of the payment are not as the gateway stored them: another program changed its database.',
    remedy:
      'Do not ship, refund or close it by what a list shows. Tell the operator; the payment goes on by itself once its records are put back.',
  },
  secret_change_pending: {
    status: 409,
    meaning: 'The secret of webhooks was changed less than 24 hours ago, and the one before it signs too.',
    remedy:
      'Give your server the new secret, then end the previous one as `hint` says, or wait until the time named.',
  },
  settings_integrity: {
    status: 409,
    meaning:
      'The settings of the payment application are not as the gateway stored them: another program changed its database.',
    remedy:
      'Tell the operator. Set `url`, `callbackUrl`, `allowUnderpay`, `allowOverpay`, `confirmations` and `events` anew, in one request; until then no payment is created and no webhook is sent.',
  },
  idempotency_in_progress: {
    status: 409,
    meaning: 'A request with this `Idempotency-Key` is still running after five seconds of waiting.',
    remedy:
      'Send the same request again after `Retry-After` seconds: it returns the response of the first one.',
  },
  application_deleted: {
    status: 409,
    meaning: 'The payment application is deleted.',
    remedy: 'Restore it first.',
  },
  two_factor_already_enabled: {
    status: 409,
    meaning: 'The account already has a second factor in force.',
    remedy: 'Disable it first, with the password and a code, to enrol another device.',
  },
  two_factor_not_enabled: {
    status: 409,
    meaning: 'The account has no second factor in force, or (for a confirmation) none was enrolled.',
    remedy: 'Enrol one by `POST /api/account/two-factor` and confirm it with a code.',
  },
  payload_too_large: {
    status: 413,
    meaning: 'The body is larger than 64 KiB, or 96 KiB with a logo.',
    remedy: 'Send less.',
  },
  uri_too_long: {
    status: 414,
    meaning: 'The address is longer than 8 KiB.',
    remedy: 'Shorten the query.',
  },
  unsupported_media_type: {
    status: 415,
    meaning: 'The body is not `application/json` in UTF-8, or it is compressed.',
    remedy: 'Send `Content-Type: application/json` and plain JSON; `hint` says what was sent.',
  },
  validation_failed: {
    status: 422,
    meaning: 'Fields are missing or wrong; `errors` has the reasons by field.',
    remedy: 'Correct the named fields.',
  },
  method_selection_required: {
    status: 422,
    meaning: 'The payment can be paid in several ways, and the address names none.',
    remedy: 'Name provider and method in the path; `errors` lists what there is.',
  },
  too_many_unpaid_payments: {
    status: 422,
    meaning:
      'The user has as many open payments, or as many unpaid ones of recent days, as the operator allows; `message` says which.',
    remedy: 'Do what `hint` says, or ask the operator to raise the limit.',
  },
  no_payment_method: {
    status: 422,
    meaning:
      'The payment could never be paid: no wallet for any network that its application and `blockchainSlug` allow, or ' +
      "no currency of the application's whitelist is enabled on this gateway.",
    remedy:
      'Do what `hint` says: `PUT /api/payment-applications/{id}/wallets/{family}` adds a wallet, ' +
      '`PUT /api/payment-applications/{id}` changes the whitelist. Then send the same request again.',
  },
  idempotency_key_reused: {
    status: 422,
    meaning:
      'This `Idempotency-Key` was sent with other fields within the last 24 hours, or the response that was kept for it cannot be read any more.',
    remedy:
      'Use a new key for a new request, and the same fields for a repeated one. Read what the first request made.',
  },
  too_many_requests: {
    status: 429,
    meaning:
      'More requests than the limit that `RateLimit-Policy` names, too many wrong passwords or codes, or too many event streams of one user.',
    remedy: 'Wait for `Retry-After` seconds. Nothing of the request was done.',
  },
  request_header_too_large: {
    status: 431,
    meaning: 'The header of the request is larger than 16 KiB.',
    remedy: 'Send fewer or shorter headers and cookies.',
  },
  server_error: {
    status: 500,
    meaning: 'A fault of the gateway.',
    remedy:
      'Repeat a read. Repeat a write with the same `Idempotency-Key`, and report the `requestId` if it persists.',
  },
  service_unavailable: {
    status: 503,
    meaning: 'The gateway, or something that it needs, is overloaded or away for the moment.',
    remedy:
      'Try again after `Retry-After` seconds, writes with the same `Idempotency-Key`. Nothing was lost.',
  },
} as const satisfies Record<string, CatalogEntry>;

export type ErrorCode = keyof typeof ERRORS;

/** The codes of one status. */
export type CodeOf<Status extends number> = {
  [Code in ErrorCode]: (typeof ERRORS)[Code]['status'] extends Status ? Code : never;
}[ErrorCode];
