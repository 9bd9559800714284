const INTRODUCTION = `Accept cryptocurrency payments without giving anybody your keys.

**Requests.** Bodies are JSON in UTF-8, at most 64 KiB. Unknown fields are ignored
and named in \`X-Ignored-Fields\`; unknown query parameters of lists are a 422, except those of \`/api/events/stream\`. Send \`Authorization: Bearer <token>\`
with an OAuth2 access token or, where an operation allows it, a client token.

**Answers.** Good answers are wrapped in \`data\`; lists that have pages add \`meta.pagination\`. Fields and values of lists
may be added at any time: ignore those that you do not know. Times are UTC, \`2026-01-15T10:00:00Z\`.

**Amounts.** Integers in the smallest unit of the currency, as JSON numbers with all digits. Beside each stands \`atomic\`,
the same as a string: use it where your parser reads numbers as floating point.

**Errors.** One shape, \`{"message", "code", "errors"?, "hint"?, "requestId"}\`. Programs read \`code\`; docs/errors.md says of each
what to do about it. A known path answers other methods with 405 and \`Allow\`, HEAD like GET, and OPTIONS with 204 and
\`Allow\`.

**Writes.** An operation that lists \`Idempotency-Key\` acts once with it, however often it is sent within 24 hours.

**Limits.** \`RateLimit-Policy\` and \`RateLimit\` say what is left. A 429 says in \`Retry-After\` how long to wait.

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
  { name: 'Refunds', description: 'Promised here, paid from your own wallet, verified on chain.' },
  { name: 'Public checkout', description: 'For the customer, who has no token but a signed link.' },
  { name: 'Client tokens', description: 'What your shop server authenticates with.' },
  { name: 'Wallets', description: 'The public keys that deposit addresses are derived from.' },
  { name: 'Webhook deliveries', description: 'What was sent, what came back, and once more.' },
  { name: 'Catalog', description: 'What can be paid here, on what, and at which rate.' },
  { name: 'Account', description: 'The signed-in user, and their second factor.' },
  { name: 'Webhooks', description: 'What the gateway sends to you.' },
  { name: 'OAuth2', description: 'Where access tokens come from. Answers follow the RFCs, without `data`.' },
  { name: 'Operator', description: 'For who runs the gateway: its chains, its books, its metrics.' },
  { name: 'Health', description: 'For load balancers and supervisors.' },
  { name: 'Documentation', description: 'This document.' },
];
