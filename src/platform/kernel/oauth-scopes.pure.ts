/*
 * The scopes of OAuth2 access tokens (specification/authentication.md#oauth2-scopes). Those of client tokens are in
 * auth.ts.
 */

/** What routes are about. A scope is one of these and `read` or `write`. */
export const OAUTH_AREAS = [
  'applications',
  'wallets',
  'tokens',
  'payments',
  'refunds',
  'webhooks',
  'account',
] as const;
export type OAuthArea = (typeof OAUTH_AREAS)[number];

export type OAuthScope = '*' | `${OAuthArea}:${'read' | 'write'}`;

/** Decides where money goes, so it must be granted by name: neither `*` nor a default includes it. */
export const WALLETS_WRITE = 'wallets:write' satisfies OAuthScope;

/** Every scope of the API, in the order in which documents list them. */
export const OAUTH_SCOPES: readonly OAuthScope[] = [
  '*',
  ...OAUTH_AREAS.flatMap((area): OAuthScope[] => [`${area}:read`, `${area}:write`]),
];

/** What each permits, for the OpenAPI document. */
export const OAUTH_SCOPE_TEXTS: Readonly<Record<OAuthScope, string>> = {
  '*': 'Everything below, except for `wallets:write`.',
  'applications:read': 'Read payment applications and their sites.',
  'applications:write': 'Create, change, delete and restore payment applications.',
  'wallets:read': 'Read wallets and received funds.',
  'wallets:write': 'Set and remove wallets. Granted by name only: `*` does not include it.',
  'tokens:read': 'Read the records of client tokens, and the log of requests.',
  'tokens:write': 'Create and revoke client tokens.',
  'payments:read': 'Read payments, their instructions and their events.',
  'payments:write': 'Create, cancel and accept payments.',
  'refunds:read': 'Read refunds.',
  'refunds:write': 'Create and change refunds.',
  'webhooks:read': 'Read the delivery log and the state of endpoints.',
  'webhooks:write': 'Pause, resume, test and repeat deliveries.',
  'account:read': 'Read the account of the user.',
  'account:write': 'Change the account of the user.',
};

/** Scopes of the standard protocols, which open no route of the API. */
export const IDENTITY_SCOPES = ['openid', 'email', 'profile', 'offline_access'] as const;

/** The scope that a request needs: GET and HEAD read, every other method writes. */
export function scopeNeeded(area: OAuthArea, method: string): OAuthScope {
  return /^(get|head)$/i.test(method) ? `${area}:read` : `${area}:write`;
}

/** Whether an access token with the scopes `granted` may do what needs `required`. */
export function includesScope(granted: readonly string[], required: OAuthScope): boolean {
  return granted.includes(required) || (granted.includes('*') && required !== WALLETS_WRITE);
}

export function isOAuthScope(text: string): text is OAuthScope {
  return (OAUTH_SCOPES as readonly string[]).includes(text);
}
