import { hashedName } from '../../src/platform/web/html/web-asset.js';
import { SCOPES, type Scope } from '../../src/platform/web/security/auth.js';
import type { TenantFixtures } from './tenant-fixtures.js';
import { newAccount } from './wallets-api.js';

/**
 * Who may do what: one line a route in {@link ROWS}, one a principal in {@link PRINCIPALS}.
 * test/authorization.e2e-spec.ts tries every pair, and fails for a route without a line and a line without a route.
 */

/**
 * What a route asks for. `public`: nothing. `signed link`: `?expires=&signature=` of its payment, and no token.
 * `receipt link`: the same of a receipt; test/browser/receipt.e2e-spec.ts opens it. `claim link`: of a refund;
 * test/refunds-claim.e2e-spec.ts opens it.
 * `any token`: every token that works. `oauth`: no client token. `operator`: of a user with operator rights, whose
 * objects do not matter. `wallets:write`: OAuth2 with that scope. A scope: a client token with it or `*`, or OAuth2.
 */
export type Access =
  | 'public'
  | 'signed link'
  | 'receipt link'
  | 'claim link'
  | 'any token'
  | 'oauth'
  | 'wallets:write'
  | 'operator'
  | Scope;

/** A status alone; with the code (`404 payment_not_found`); or with the only wrong field (`422 clientId`). */
export type Outcome = number | `${number} ${string}`;

export interface Row {
  /** Method and path as the running gateway lists them; see PARAMETERS for the names in them. */
  route: string;
  access: Access;
  /** What the owner of the objects named gets, and a client token of their application that fits the access. */
  owner: Outcome;
  /**
   * What everybody else with a token that fits the access gets. Below 400 it is about things of their own: it
   * must not hold anything of the owner's.
   */
  stranger: Outcome;
  /** The owner, once the application is deleted; as `owner` where this is absent. */
  deleted?: Outcome;
  /** Where the route names objects outside of its path. */
  query?: (ids: TenantFixtures) => Record<string, string>;
  body?: (ids: TenantFixtures) => object;
  /** Tables in which a refusal leaves something: an entry of the audit log, or an empty row that was locked. */
  leaves?: readonly string[];
}

type Rest = Pick<Row, 'deleted' | 'query' | 'body' | 'leaves'>;
const row = (route: string, access: Access, owner: Outcome, stranger: Outcome, rest: Rest = {}): Row => ({
  route,
  access,
  owner,
  stranger,
  ...rest,
});
const open = (route: string, status: number): Row => row(route, 'public', status, status);
const signed = (route: string, status: number): Row =>
  row(route, 'signed link', status, '403 invalid_signature');

const claim = (route: string, refusal: Outcome): Row => row(route, 'claim link', refusal, refusal);

/** What stands in a path for each of Express's parameters. `:id` is the application wherever a path has it. */
export const PARAMETERS: Record<string, (ids: TenantFixtures) => string> = {
  id: ({ applicationId }) => applicationId,
  paymentId: ({ paymentId }) => paymentId,
  deliveryId: ({ deliveryId }) => deliveryId,
  tokenId: ({ tokenId }) => tokenId,
  siteId: ({ siteId }) => siteId,
  refundId: ({ refundId }) => refundId,
  family: () => 'evm',
  provider: () => 'ethereum',
  method: () => 'eth',
  code: () => 'ETH',
  slug: () => 'ethereum',
  asset: () => 'start.js',
  sessionId: () => 'none',
  clientId: () => 'none',
  userId: () => '0190f6a0-0000-7000-8000-000000000000',
  accountId: () => '0190f6a0-0000-7000-8000-000000000000',
  invitationId: () => '0190f6a0-0000-7000-8000-000000000000',
  script: () => hashedName('checkout.js'),
  screen: () => 'payments',
  item: () => 'new',
  part: () => 'wallets',
  sha256: () => '0'.repeat(64),
};

const order = { amount: 10_000, currencyCode: 'USD', reference: 'ORDER-1', referenceLabel: 'Order #1' };
const byClientId = ({ clientId }: TenantFixtures) => ({ ...order, clientId });
const bySiteId = ({ siteId }: TenantFixtures) => ({ ...order, siteId });
const byBoth = ({ clientId, siteId }: TenantFixtures) => ({ ...order, clientId, siteId });
const inApplication = ({ applicationId }: TenantFixtures) => ({ paymentApplicationId: applicationId });
const SPAN = { from: '2026-01-01T00:00:00Z', to: '2027-01-01T00:00:00Z' };
const inReport = (ids: TenantFixtures) => ({ ...SPAN, ...inApplication(ids), groupBy: 'application' });
const bySearch = ({ paymentId }: TenantFixtures) => ({ search: paymentId });
const byReference = () => ({ reference: 'ORDER-1' });
const ofPayment = ({ paymentId }: TenantFixtures) => ({ paymentId });
const application = () => ({ name: 'Made by the matrix', secret: 'a secret of the matrix' });
const name = () => ({ name: 'Renamed' });
const token = () => ({ label: 'Server', scopes: ['payments.get'] });
const since = () => ({ since: '2020-01-01T00:00:00Z' });
const testEvent = () => ({ event: 'payment.received' });
const password = () => ({ currentPassword: 'a password' });
const payoutAddress = () => ({ address: '0x52908400098527886E0F7030069857D2E4169EE7' });
const payout = () => ({ txHash: `0x${'ab'.repeat(32)}` });
const logo = () => ({ content: Buffer.from(LOGO).toString('base64') });
const notices = () => ({ kinds: ['endpoint'], language: 'en' });
const savedViews = () => ({ views: { Mine: '/payments' } });
const ownClient = () => ({ name: 'Warehouse', scopes: ['payments:read'] });
const role = () => ({ role: 'viewer' });
const invitation = () => ({ email: 'invited@example.test', role: 'viewer' });
const invitationToken = () => ({ token: 'a'.repeat(43) });
/** What a comparison of other addresses is noted in. */
const AUDIT_LOG = ['audit_log', 'audit_head', 'audit_anchor'];
/** Of no key. */
const compared = () => ({ addresses: ['0x01', '0x02', '0x03'] });
const gathered = () => ({ blockchain: 'ethereum' });
/** Of no refund. */
const paidOut = () => ({ transactions: { '0190f6a0-0000-7000-8000-000000000000': `0x${'ab'.repeat(32)}` } });
const wallet = () => ({ extendedPublicKey: newAccount().publicExtendedKey });

/** A logo that the gateway accepts. */
export const LOGO = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path d="M0 0h9v9"/></svg>';

export const NEEDS_PERSON = '401 recent_sign_in_required';
const NO_APPLICATION = '404 payment_application_not_found';
const NO_PAYMENT = '404 payment_not_found';
/** Nothing was received, so there is nothing to refund. */
const NO_REFUND = '404 refund_not_found';
const GONE = '409 application_deleted';
/** The payments of the matrix are OPEN, and cannot be accepted. */
const OPEN = '409 invalid_state_transition';
const INSTRUCTIONS = '/api/checkout/payment/:paymentId/provider';

// prettier-ignore
export const ROWS: Row[] = [
  open('GET /api/health/live', 200), open('GET /api/health/ready', 200), open('GET /', 200),
  ...['', '/:screen', '/:screen/:item', '/:screen/:item/:part', '/accounts/:accountId/:screen/:item', '/accounts/:accountId/:screen/:item/:part']
    .map((path) => open(`GET /dashboard${path}`, 200)),
  open('GET /dashboard/assets/:asset', 404), open('POST /dashboard/session', 422),
  open('POST /dashboard/session/refresh', 400), open('DELETE /dashboard/session', 400),
  open('GET /api/openapi.json', 200),
  open('GET /api/docs', 200),
  open('GET /api/docs/:asset', 200),
  open('GET /api/instruction-keys', 200),
  open('GET /collector', 200),
  open('GET /verify-address', 200),

  // Configured in none of these: it asks for a token of its own.
  open('GET /metrics', 404),
  ...['chains', 'health', 'node-trials/blockchains', 'reconciliation', 'reconciliation/schedule'].map((view) =>
    row(`GET /api/admin/${view}`, 'operator', 200, '403 operator_required')),
  row('POST /api/admin/health/checks', 'operator', 200, '403 operator_required'),
  row('GET /api/admin/unattributed-funds', 'operator', 200, '403 operator_required'),
  ...['chains/:slug/resume', 'node-trials', 'reconciliation/schedule'].map((act) =>
    row(`POST /api/admin/${act}`, 'operator', NEEDS_PERSON, '403 operator_required')),
  row('POST /api/admin/payment-applications/:id/webhook-deliveries/replay', 'operator', NEEDS_PERSON, '403 operator_required', { body: since }),
  row('GET /api/admin/users', 'operator', 200, '403 operator_required'),
  // Of a person only, and the tokens of the matrix are of servers: test/admin-users.e2e-spec.ts.
  ...['disable', 'enable', 'password-link'].map((act) =>
    row(`POST /api/admin/users/:userId/${act}`, 'operator', NEEDS_PERSON, '403 operator_required')),
  row('DELETE /api/admin/users/:userId', 'operator', NEEDS_PERSON, '403 operator_required'),

  row('GET /api/payment-applications', 'oauth', 200, 200, { query: () => ({ trashed: 'with' }) }),
  row('POST /api/payment-applications', 'oauth', 201, 201, { body: application }),
  row('GET /api/payment-applications/:id', 'oauth', 200, NO_APPLICATION),
  row('PUT /api/payment-applications/:id', 'oauth', 200, NO_APPLICATION, { body: name, deleted: GONE }),
  row('DELETE /api/payment-applications/:id', 'oauth', 200, NO_APPLICATION),
  row('POST /api/payment-applications/:id/restore', 'oauth', 200, NO_APPLICATION),

  row('GET /api/payment-applications/:id/logo', 'oauth', '404 not_found', NO_APPLICATION),
  row('PUT /api/payment-applications/:id/logo', 'oauth', 200, NO_APPLICATION, { body: logo, deleted: GONE }),
  row('DELETE /api/payment-applications/:id/logo', 'oauth', 204, NO_APPLICATION, { deleted: GONE }),

  row('GET /api/sites', 'oauth', 200, 200, { query: () => ({ trashed: 'with' }) }),
  row('GET /api/sites/:siteId', 'oauth', 200, '404 not_found'),

  row('GET /api/payment-applications/:id/client-tokens', 'oauth', 200, NO_APPLICATION),
  row('POST /api/payment-applications/:id/client-tokens', 'oauth', 201, NO_APPLICATION, { body: token, deleted: GONE }),
  row('GET /api/payment-applications/:id/client-tokens/:tokenId', 'oauth', 200, NO_APPLICATION),
  row('DELETE /api/payment-applications/:id/client-tokens/:tokenId', 'oauth', 204, NO_APPLICATION),

  row('GET /api/payment-applications/:id/destinations', 'oauth', 200, NO_APPLICATION),
  row('GET /api/payment-applications/:id/holdings', 'oauth', 200, NO_APPLICATION),
  row('GET /api/payment-applications/:id/holdings/addresses', 'oauth', 200, NO_APPLICATION),
  row('GET /api/payment-applications/:id/holdings/addresses/export', 'oauth', 200, NO_APPLICATION),
  row('POST /api/payment-applications/:id/collections', 'oauth', 200, NO_APPLICATION, { body: gathered }),
  row('POST /api/payment-applications/:id/payouts', 'oauth', 200, NO_APPLICATION, { body: gathered }),
  row('POST /api/payment-applications/:id/payouts/complete', 'oauth', 200, NO_APPLICATION, { body: paidOut }),
  row('GET /api/payment-applications/:id/wallets', 'oauth', 200, NO_APPLICATION),
  row('GET /api/payment-applications/:id/wallets/:family', 'oauth', 200, NO_APPLICATION),
  row('PUT /api/payment-applications/:id/wallets/:family', 'wallets:write', 200, NO_APPLICATION, { body: wallet, deleted: GONE }),
  row('PUT /api/payment-applications/:id/wallets/:family/comparison', 'wallets:write', 422, NO_APPLICATION, { body: compared, deleted: GONE, leaves: AUDIT_LOG }),
  row('PUT /api/payment-applications/:id/wallets/:family/gap-limit', 'oauth', 200, NO_APPLICATION, { body: () => ({ gapLimit: 100 }), deleted: GONE }),
  row('DELETE /api/payment-applications/:id/wallets/:family', 'wallets:write', 204, NO_APPLICATION, { deleted: GONE }),
  row('DELETE /api/payment-applications/:id/wallets/:family/pending', 'wallets:write', 204, NO_APPLICATION),

  row('GET /api/events', 'payments.get', 200, 200),
  row('GET /api/events/stream', 'payments.get', 200, 200),

  row('GET /api/payment-applications/:id/webhook-deliveries', 'oauth', 200, NO_APPLICATION, { query: ofPayment }),
  row('GET /api/payment-applications/:id/webhook-deliveries/:deliveryId', 'oauth', 200, NO_APPLICATION),
  row('POST /api/payment-applications/:id/webhook-deliveries/:deliveryId/redeliver', 'oauth', 202, NO_APPLICATION),
  row('GET /api/payment-applications/:id/webhook-deliveries/:deliveryId/attempts', 'oauth', 200, NO_APPLICATION),
  row('POST /api/payment-applications/:id/webhook-deliveries/replay', 'oauth', 202, NO_APPLICATION, { body: since }),
  row('GET /api/payment-applications/:id/webhook-endpoint', 'oauth', 200, NO_APPLICATION),
  row('POST /api/payment-applications/:id/webhook-endpoint/pause', 'oauth', 200, NO_APPLICATION),
  row('POST /api/payment-applications/:id/webhook-endpoint/resume', 'oauth', 200, NO_APPLICATION),
  row('POST /api/payment-applications/:id/webhook-endpoint/end-previous-secret', 'oauth', 200, NO_APPLICATION),
  // Without a callbackUrl there is no endpoint to test.
  row('POST /api/payment-applications/:id/webhook-test', 'oauth', OPEN, NO_APPLICATION, { body: testEvent }),
  row('GET /api/payment-applications/:id/unacknowledged-payments', 'oauth', 200, NO_APPLICATION),

  // Everybody's own; what takes a password or a code is refused by its form here, and tried in test/account*.
  row('GET /api/account', 'oauth', 200, 200),
  row('PUT /api/account', 'oauth', 200, 200, { body: name }),
  row('POST /api/account/password', 'oauth', '422 newPassword', '422 newPassword', { body: password }),
  row('GET /api/account/two-factor', 'oauth', 200, 200),
  row('POST /api/account/two-factor', 'oauth', '422 currentPassword', '422 currentPassword'),
  row('POST /api/account/two-factor/confirm', 'oauth', '422 code', '422 code'),
  row('POST /api/account/two-factor/recovery-codes', 'oauth', '422 code', '422 code', { body: password }),
  row('POST /api/account/two-factor/disable', 'oauth', '422 code', '422 code', { body: password }),
  row('GET /api/audit', 'oauth', 200, 200),
  row('GET /api/request-log', 'oauth', 200, 200),
  row('GET /api/account/saved-views', 'oauth', 200, 200),
  row('PUT /api/account/saved-views', 'oauth', 200, 200, { body: savedViews }),
  row('GET /api/account/notices', 'oauth', 200, 200),
  row('PUT /api/account/notices', 'oauth', 200, 200, { body: notices }),
  row('POST /api/account/notices/test', 'oauth', '409 invalid_state_transition', '409 invalid_state_transition'),
  row('GET /api/account/members', 'oauth', 200, 200),
  row('PUT /api/account/members/:userId', 'oauth', NEEDS_PERSON, NEEDS_PERSON, { body: role }),
  row('DELETE /api/account/members/:userId', 'oauth', '404 not_found', '404 not_found'),
  row('GET /api/account/memberships', 'oauth', 200, 200),
  row('DELETE /api/account/memberships/:accountId', 'oauth', '404 not_found', '404 not_found'),
  row('GET /api/account/invitations', 'oauth', 200, 200),
  row('POST /api/account/invitations', 'oauth', NEEDS_PERSON, NEEDS_PERSON, { body: invitation }),
  row('POST /api/account/invitations/accept', 'oauth', NEEDS_PERSON, NEEDS_PERSON, { body: invitationToken }),
  row('DELETE /api/account/invitations/:invitationId', 'oauth', '404 not_found', '404 not_found'),
  row('GET /api/account/sessions', 'oauth', 200, 200),
  row('DELETE /api/account/sessions/:sessionId', 'oauth', '404 not_found', '404 not_found'),
  row('POST /api/account/sessions/end-others', 'oauth', 200, 200),
  row('GET /api/account/oauth-clients', 'oauth', 200, 200),
  // Of a person only, and the tokens of the matrix are of servers: test/account-records.e2e-spec.ts.
  row('POST /api/account/oauth-clients', 'oauth', NEEDS_PERSON, NEEDS_PERSON, { body: ownClient }),
  row('POST /api/account/oauth-clients/:clientId/rotate-secret', 'oauth', NEEDS_PERSON, NEEDS_PERSON),
  row('DELETE /api/account/oauth-clients/:clientId', 'oauth', '404 not_found', '404 not_found'),
  row('GET /api/account/wallets', 'oauth', 200, 200),
  row('GET /api/account/wallets/:family', 'oauth', '404 not_found', '404 not_found'),
  row('PUT /api/account/wallets/:family', 'wallets:write', 200, 200, { body: wallet }),
  row('PUT /api/account/wallets/:family/comparison', 'wallets:write', '404 not_found', '404 not_found', { body: compared, leaves: ['wallet_choices', 'changes'] }),
  row('PUT /api/account/wallets/:family/gap-limit', 'oauth', '404 not_found', '404 not_found', { body: () => ({ gapLimit: 100 }) }),
  row('DELETE /api/account/wallets/:family', 'wallets:write', 204, 204),
  row('DELETE /api/account/wallets/:family/pending', 'wallets:write', 204, 204),

  row('GET /api/payment', 'oauth', 200, 200, { query: inApplication }),
  row('GET /api/payment', 'oauth', 200, 200, { query: bySearch }),
  row('GET /api/payment-overview', 'oauth', 200, 200, { query: inApplication }),
  row('GET /api/payment-overview', 'oauth', 200, 200, { query: bySearch }),
  row('GET /api/changes', 'oauth', 200, 200),
  row('GET /api/attention', 'oauth', 200, 200, { query: inApplication }),
  row('GET /api/attention/counts', 'oauth', 200, 200, { query: inApplication }),
  row('GET /api/refunds', 'oauth', 200, 200, { query: inApplication }),
  row('GET /api/webhook-deliveries', 'oauth', 200, 200, { query: ofPayment }),
  row('GET /api/payment/export', 'oauth', 200, 200, { query: inApplication }),
  row('GET /api/transfers/export', 'oauth', 200, 200, { query: inApplication }),
  row('GET /api/refunds/export', 'oauth', 200, 200, { query: inApplication }),
  row('GET /api/webhook-deliveries/export', 'oauth', 200, 200, { query: inApplication }),
  row('GET /api/reports/received', 'oauth', 200, 200, { query: inReport }),
  row('GET /api/reports/times', 'oauth', 200, 200, { query: inReport }),
  row('GET /api/reports/rates', 'oauth', 200, 200, { query: inReport }),
  row('GET /api/reports/month', 'oauth', 200, 200, { query: () => ({ month: '2026-01', format: 'csv' }) }),
  row('GET /api/payment/by-reference', 'payments.get', 200, 200, { query: byReference }),
  row('POST /api/payment/checkout', 'payments.create', 201, '422 clientId', { body: byClientId, deleted: '422 clientId' }),
  row('POST /api/payment/checkout', 'payments.create', 201, '422 siteId', { body: bySiteId, deleted: '422 siteId' }),
  row('POST /api/payment/checkout', 'payments.create', 201, '422 clientId', { body: byBoth, deleted: '422 clientId' }),
  row('GET /api/payment/:paymentId', 'payments.get', 200, NO_PAYMENT),
  row('GET /api/payment/:paymentId/transactions', 'payments.get', 200, NO_PAYMENT),
  row('GET /api/payment/:paymentId/timeline', 'oauth', 200, NO_PAYMENT),
  row('POST /api/payment/:paymentId/cancel', '*', 200, NO_PAYMENT),
  row('POST /api/payment/:paymentId/accept', '*', OPEN, NO_PAYMENT),
  row('POST /api/payment/:paymentId/keep', '*', OPEN, NO_PAYMENT),
  row('GET /api/payment/:paymentId/refunds', '*', 200, NO_PAYMENT),
  row('POST /api/payment/:paymentId/refunds', '*', OPEN, NO_PAYMENT),
  row('GET /api/payment/:paymentId/refunds/:refundId', '*', NO_REFUND, NO_PAYMENT),
  row('POST /api/payment/:paymentId/refunds/:refundId/address', '*', NO_REFUND, NO_PAYMENT, { body: payoutAddress }),
  row('POST /api/payment/:paymentId/refunds/:refundId/complete', '*', NO_REFUND, NO_PAYMENT, { body: payout }),
  row('POST /api/payment/:paymentId/refunds/:refundId/cancel', '*', NO_REFUND, NO_PAYMENT),
  row('GET /api/payment/:paymentId/provider/:provider/method/:method', 'payments.user-instructions.get', 200, NO_PAYMENT),

  row('GET /api/payment/:paymentId/deposit-addresses', 'payments.get', 200, NO_PAYMENT),

  row('GET /api/currencies', 'any token', 200, 200),
  row('GET /api/currencies/:code', 'any token', 200, 200),
  row('GET /api/blockchains', 'any token', 200, 200),
  row('GET /api/blockchains/:slug', 'any token', 200, 200),
  row('GET /api/rates', 'any token', 200, 200, { query: () => ({ base: 'ETH', quote: 'ETH' }) }),

  open('GET /checkout/assets/:script', 200),
  open('GET /checkout/embed.js', 200),
  // Another hash than that of a logo.
  open('GET /checkout/assets/logo/:id/:sha256', 404),
  row('GET /checkout/:paymentId', 'signed link', 200, 403),
  row('GET /checkout/:paymentId/part', 'signed link', 200, 403),
  ...['choose', 'transaction', 'refund-request'].flatMap((form) => [
    // It leads to the page.
    row(`GET /checkout/:paymentId/${form}`, 'signed link', 200, 403),
    // It takes forms, and the requests of this table are none.
    row(`POST /checkout/:paymentId/${form}`, 'signed link', 415, 403),
  ]),
  signed('GET /checkout/:paymentId/events', 200),
  signed('GET /api/checkout/payment/:paymentId', 200),
  row('POST /api/checkout/payment/:paymentId/transaction', 'signed link', 422, '403 invalid_signature', {
    body: () => ({ txHash: `0x${'ab'.repeat(32)}` }),
  }),
  signed('GET /api/checkout/:paymentId/payment-methods', 200),
  row('POST /api/checkout/payment/:paymentId/refund-request', 'signed link', 409, '403 invalid_signature', {
    body: () => ({ type: 'OVERPAYMENT' }),
  }),
  signed(`GET ${INSTRUCTIONS}`, 422),
  signed(`GET ${INSTRUCTIONS}/method`, 422),
  signed(`GET ${INSTRUCTIONS}//method`, 422),
  signed(`GET ${INSTRUCTIONS}/method/:method`, 200),
  signed(`GET ${INSTRUCTIONS}//method/:method`, 200),
  signed(`GET ${INSTRUCTIONS}/:provider`, 200),
  signed(`GET ${INSTRUCTIONS}/:provider/method`, 200),
  signed(`GET ${INSTRUCTIONS}/:provider/method/:method`, 200),

  row('GET /receipt/:paymentId', 'receipt link', 403, 403),
  claim('GET /refund/:refundId', 403),
  claim('POST /refund/:refundId', 403),
  claim('GET /api/checkout/refund/:refundId', '403 invalid_signature'),
  claim('POST /api/checkout/refund/:refundId', '403 invalid_signature'),
];

/**
 * Below /api/oauth the protocol decides, and no bearer token opens anything: every principal gets the answer
 * of a client that says nothing else. After the status stands the `error` of RFC 6749 section 5.2.
 */
export const OAUTH_ROWS: [route: string, outcome: string][] = [
  ['GET /api/oauth/authorize', '400'],
  ['GET /api/oauth/authorize/:uid', '400'],
  ['GET /api/oauth/interaction/:uid', '400'],
  ['POST /api/oauth/interaction/:uid', '400'],
  ['GET /api/oauth/sign-out', '200'],
  ['POST /api/oauth/sign-out', '403'],
  ['GET /api/oauth/access-link', '404'],
  ['POST /api/oauth/access-link', '403'],
  // This gateway sends no mail.
  ['GET /api/oauth/forgotten-password', '404 not_found'],
  ['POST /api/oauth/forgotten-password', '404 not_found'],
  ['POST /api/oauth/token', '400 invalid_request'],
  ['POST /api/oauth/revoke', '400 invalid_request'],
  ['POST /api/oauth/introspect', '400 invalid_request'],
  ['GET /api/oauth/userinfo', '401 invalid_token'],
  ['POST /api/oauth/userinfo', '401 invalid_token'],
  ['GET /api/oauth/jwks', '200'],
  ['GET /api/oauth/.well-known/openid-configuration', '200'],
  ['GET /api/oauth/.well-known/oauth-authorization-server', '200'],
  ['GET /.well-known/oauth-authorization-server/api/oauth', '200'],
];

/** Whose token it is: of the objects named, of the objects of a deleted application, or neither. */
type Standing = 'owner' | 'owner of the deleted' | 'stranger';

/** `none`: no header; `malformed`: it holds no bearer token; `invalid`: one that works nowhere. */
// prettier-ignore
export type Principal =
  | { name: string; kind: 'none' } | { name: string; kind: 'malformed' }
  | { name: string; kind: 'invalid' }
  | { name: string; kind: 'oauth'; standing: Standing; isOperator?: true; lacksWallets?: true }
  | { name: string; kind: 'client'; standing: Standing; scopes: readonly Scope[] };

// prettier-ignore
export const PRINCIPALS = [
  { name: 'no token', kind: 'none' },
  { name: 'another scheme', kind: 'malformed' },
  { name: 'a scheme without a token', kind: 'malformed' },
  { name: 'two tokens in one header', kind: 'malformed' },
  { name: 'garbage', kind: 'invalid' },
  { name: 'garbage that looks like a client token', kind: 'invalid' },
  { name: 'garbage that looks like an OAuth token', kind: 'invalid' },
  { name: 'expired client token', kind: 'invalid' },
  { name: 'revoked client token', kind: 'invalid' },
  { name: 'client token of a deleted application', kind: 'invalid' },
  { name: 'expired OAuth token', kind: 'invalid' },
  { name: 'revoked OAuth token', kind: 'invalid' },
  ...SCOPES.map((scope) => ({ name: `client token: ${scope}`, kind: 'client' as const, standing: 'owner' as const, scopes: [scope] })),
  { name: 'client token of another application', kind: 'client', standing: 'stranger', scopes: ['*'] },
  { name: 'client token of another user', kind: 'client', standing: 'stranger', scopes: ['*'] },
  { name: 'OAuth token of another user', kind: 'oauth', standing: 'stranger' },
  { name: 'OAuth token of an operator', kind: 'oauth', standing: 'stranger', isOperator: true },
  { name: 'OAuth token of the owner', kind: 'oauth', standing: 'owner' },
  { name: 'OAuth token of the owner with *', kind: 'oauth', standing: 'owner', lacksWallets: true },
  { name: 'OAuth token of the owner, application deleted', kind: 'oauth', standing: 'owner of the deleted' },
] as const satisfies Principal[];
export type PrincipalName = (typeof PRINCIPALS)[number]['name'];
