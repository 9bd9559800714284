const INTRODUCTION = `Accept cryptocurrency payments, and keep your keys to yourself.

**Requests.** Bodies are JSON in UTF-8, at most 64 KiB, with a logo 96 KiB. Unknown fields are ignored
and named in \`X-Ignored-Fields\`; unknown query parameters of lists are a 422, except those of \`/api/events/stream\`. Send \`Authorization: Bearer <token>\`
with an OAuth2 access token or, where an operation allows it, a client token.

**Responses.** Successful responses are wrapped in \`data\`; lists that have pages add \`meta.pagination\`. Fields and values of lists
may be added at any time: ignore those that you do not know. Times are UTC, \`2026-01-15T10:00:00Z\`.

**Amounts.** Integers in the smallest unit of the currency, as JSON numbers with all digits. Beside each is \`atomic\`,
the same as a string: use it where your parser reads numbers as floating point.

**Errors.** One shape, \`{"message", "code", "errors"?, "hint"?, "requestId"}\`. Programs read \`code\`; docs/errors.md says how to
handle each. A known path returns 405 with \`Allow\` for other methods, treats HEAD like GET, and returns 204 with
\`Allow\` for OPTIONS.

**Writes.** An operation that lists \`Idempotency-Key\` takes effect once per key, however often it is sent within 24 hours.

**Limits.** \`RateLimit-Policy\` and \`RateLimit\` contain what remains. The \`Retry-After\` of a 429 is the time to wait.

**Browsers.** Scripts of any origin may call everything below \`/api\` but \`/api/docs\`, \`/api/oauth/authorize\` and
\`/api/oauth/introspect\`, without cookies (\`Access-Control-Allow-Origin: *\`, also on errors). Preflights count for no limit.

**Versions.** Paths carry none; changes are additive. What goes away is announced by \`Deprecation\` (RFC 9745) and
\`Sunset\` (RFC 8594) headers at least 180 days before.`;

/** `info`, without the version. */
export const INFO = {
  title: 'Crypto Payment Gateway',
  summary: 'Self-hosted, non-custodial crypto payments.',
  description: INTRODUCTION,
  license: { name: 'MIT', url: 'https://opensource.org/license/mit' },
};

export const TAGS = [
  { name: 'Payment applications', description: 'Your shops, and their sites.' },
  { name: 'Payments', description: 'Create, watch and decide.' },
  { name: 'Reports', description: 'Sums over your payments, for dashboards.' },
  { name: 'Refunds', description: 'Promised here, paid from your own wallet, verified on chain.' },
  { name: 'Public checkout', description: 'For the customer, who has a signed link instead of a token.' },
  { name: 'Client tokens', description: 'The credentials of the server of your shop.' },
  { name: 'Wallets', description: 'The public keys that deposit addresses are derived from.' },
  { name: 'Webhook deliveries', description: 'What was sent, what was returned, and sending it again.' },
  {
    name: 'Catalog',
    description: 'Which currencies can be paid here, on which networks, and at which rates.',
  },
  { name: 'Account', description: 'The signed-in user, and their second factor.' },
  { name: 'Members', description: 'Who may act in an account, and invitations to it.' },
  { name: 'Webhooks', description: 'What the gateway sends to you.' },
  {
    name: 'OAuth2',
    description: 'Where access tokens come from. Responses follow the RFCs, without `data`.',
  },
  { name: 'Operator', description: 'For the operator of the gateway: its chains, its records, its metrics.' },
  { name: 'Health', description: 'For load balancers and supervisors.' },
  { name: 'Dashboard', description: 'For the dashboard in a browser; programs use the rest of the API.' },
  { name: 'Documentation', description: 'This document.' },
];
