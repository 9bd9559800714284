import { htmlResponse } from '../platform/web/contract/headers.js';
import type { Schema } from '../platform/web/contract/json-schema.js';
import type { Method, Operation, Parameter, Ref, Response } from '../platform/web/contract/openapi-types.js';
import { type OperationOptions, redirect } from '../platform/web/contract/operation.js';
import { type ErrorCode, ERRORS } from '../platform/kernel/errors/error-catalog.pure.js';
import type { AccountRole } from '../platform/kernel/account-roles.pure.js';
import type { Scope } from '../platform/web/security/auth.js';
import { includesScope, OAUTH_SCOPES, type OAuthScope } from '../platform/kernel/oauth-scopes.pure.js';
import { ANY_OPERATION, errorResponseName, errorResponseRef, isOfAnyOperation } from './errors.js';
import { parameter } from './parameters.js';
import { describeResponse } from './responses.js';

/**
 * Who may call: everyone (`public`), the holder of a signed link of a payment or a refund, an OAuth2 token of a user
 * (`oauth`) or of an operator, or also client tokens: all of them (`any-token`), or those with a scope.
 */
export type Access = 'public' | LinkAccess | 'oauth' | 'operator' | 'any-token' | Scope;
type LinkAccess = keyof typeof LINKS;

/** The signed links, each with the error for a link to nothing. */
const LINKS = {
  'signed-link': 'payment_not_found',
  'claim-link': 'refund_not_found',
  'receipt-link': 'payment_not_found',
} as const satisfies Record<string, ErrorCode>;

/** A route as its decorators describe it. */
export interface DescribedRoute {
  options: OperationOptions;
  method: Method;
  /** The status of `options.returns`. */
  status: number;
  access: Access;
  /** What an OAuth2 token needs, where the route takes one. */
  oauthScope: OAuthScope;
  /** A user's token must come from a recent sign-in. */
  needsRecentSignIn: boolean;
  /** What it takes in the account that `X-Account` names; null: it ignores that header. */
  leastRole: AccountRole | null;
  /** Of path, query and header, without those that follow from access and Idempotency-Key. */
  parameters: readonly (Parameter | Ref)[];
  body: { schema: Schema; example: unknown; required: boolean } | null;
  /** The fields of an HTML form, instead of a JSON body. */
  form: { schema: Schema; example: unknown } | null;
  /** Takes `Idempotency-Key` (specification/idempotency.md#idempotency-key). */
  isIdempotent: boolean;
  /** Other paths of the same route. */
  alsoServedAt: readonly string[];
}

/** The operation of a route, with the errors, headers and security that follow from its kind. */
export function describeOperation(route: DescribedRoute): Operation {
  const { options, body, form } = route;
  const parameters = allParameters(route);
  const { description } = options.body ?? {};
  return {
    operationId: options.id,
    tags: [options.tag],
    summary: options.summary,
    ...(options.description !== undefined && { description: options.description }),
    security: securityOf(route),
    ...(parameters.length > 0 && { parameters }),
    ...(body && {
      requestBody: {
        ...(description !== undefined && { description }),
        required: body.required,
        content: { 'application/json': { schema: body.schema, example: body.example } },
      },
    }),
    ...(form && { requestBody: { required: true, content: { 'application/x-www-form-urlencoded': form } } }),
    responses: { ...errorsOf(route), ...successesOf(route) },
    ...(route.leastRole !== null && { 'x-least-role': route.leastRole }),
    ...(route.alsoServedAt.length > 0 && { 'x-also-served-at': route.alsoServedAt }),
    ...(options.isInternal && { 'x-internal': true as const }),
  };
}

function allParameters({ parameters, access, isIdempotent, leastRole }: DescribedRoute): (Parameter | Ref)[] {
  return [
    ...parameters,
    ...(isLink(access) ? [parameter('Expires'), parameter('Signature')] : []),
    ...(isIdempotent ? [parameter('IdempotencyKey')] : []),
    ...(leastRole === null ? [] : [parameter('AccountHeader')]),
  ];
}

/** Of every page that people open by a link (platform/web/http/mailed-links.ts, public-name.ts). */
const MOVES = {
  302: redirect('The link was changed on its way, and means this address.'),
  307: redirect('This gateway has another public name.'),
};

function successesOf(route: DescribedRoute): Record<string, Response> {
  const { options, method, status, body, isIdempotent } = route;
  const { returns, alsoReturns, etag: hasEtag = false } = options;
  const kind = { isIdempotent, hasJsonBody: body !== null, hasEtag };
  const unchanged = { form: 'none', about: 'Nothing has changed.' } as const;
  const bodies = { [status]: returns, ...alsoReturns, ...(hasEtag && { 304: unchanged }) };
  if (options.hasErrorPages && method === 'get') Object.assign(bodies, MOVES);
  return Object.fromEntries(
    Object.entries(bodies).map(([code, each]) => [code, describeResponse(each, kind)]),
  );
}

function errorsOf(route: DescribedRoute): Record<string, Response | Ref> {
  if (route.options.hasErrorPages)
    return {
      403: htmlResponse('The link has expired, or its signature is wrong.'),
      default: errorResponseRef('PageError'),
    };
  const own = [...byStatus(codesOf(route))].filter(([, codes]) => !isOfAnyOperation(codes));
  const responses = own.map(([status, codes]) => [status, errorResponseRef(errorResponseName(codes))]);
  return { ...Object.fromEntries(responses), default: errorResponseRef('OtherError') };
}

function securityOf({ access, oauthScope }: DescribedRoute): Operation['security'] {
  if (access === 'public' || isLink(access)) return [];
  if (access === 'any-token') return [{ oauth2: [] }, { clientToken: [] }];
  // Each entry alone is enough.
  const oauth = OAUTH_SCOPES.filter((scope) => includesScope([scope], oauthScope)).map((scope) => ({
    oauth2: [scope],
  }));
  return access === 'oauth' || access === 'operator' ? oauth : [...oauth, { clientToken: [access] }];
}

function isLink(access: Access): access is LinkAccess {
  return Object.hasOwn(LINKS, access);
}

/** Every code of the operation, in the order of the catalog. */
function codesOf(route: DescribedRoute): ErrorCode[] {
  const { access, isIdempotent, parameters, options } = route;
  const codes = new Set<ErrorCode>([...ANY_OPERATION, 'validation_failed', ...(options.errors ?? [])]);
  // A path that is not valid UTF-8 is not found.
  if (parameters.length > 0 || isLink(access)) codes.add('not_found');
  if (isLink(access)) codes.add('invalid_signature').add('link_expired').add(LINKS[access]);
  else if (access !== 'public') codes.add('unauthenticated');
  if (access === 'oauth') codes.add('oauth_token_required').add('insufficient_permissions');
  else if (access === 'operator')
    codes.add('oauth_token_required').add('insufficient_permissions').add('operator_required');
  else if (access !== 'public' && !isLink(access) && access !== 'any-token')
    codes.add('insufficient_permissions');
  if (route.needsRecentSignIn) codes.add('recent_sign_in_required');
  if (route.leastRole !== null) codes.add('account_not_found');
  if (route.leastRole !== null && route.leastRole !== 'viewer') codes.add('role_insufficient');
  if (isIdempotent) codes.add('idempotency_in_progress').add('idempotency_key_reused');
  // Whoever reads or moves a payment or a refund of one, checks it.
  if (codes.has('payment_not_found') || codes.has('refund_not_found')) codes.add('payment_integrity');
  return (Object.keys(ERRORS) as ErrorCode[]).filter((code) => codes.has(code));
}

/** Codes by the status that they come with. */
function byStatus(codes: readonly ErrorCode[]): Map<string, ErrorCode[]> {
  const groups = new Map<string, ErrorCode[]>();
  for (const code of codes) {
    const status = String(ERRORS[code].status);
    groups.set(status, [...(groups.get(status) ?? []), code]);
  }
  return groups;
}
