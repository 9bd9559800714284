import { NEEDS_PERSON, type Outcome, type Principal, type Row } from './authorization-matrix.js';

/** The answer that a cell must get. A denied one says the same about an object that is there and one that is not. */
export interface Expected {
  outcome: Outcome;
  /** WWW-Authenticate (RFC 6750) without its description, null where there must be none. */
  challenge: string | null;
  /** Null: any. */
  message: string | null;
}

const INVALID = 'Bearer error="invalid_token"';
const refusal = (code: string, challenge: string): Expected => ({
  outcome: `401 ${code}`,
  challenge,
  message: 'Unauthenticated',
});
const lacking = (scope: string): Expected => ({
  outcome: '403 insufficient_permissions',
  challenge: `Bearer error="insufficient_scope", scope="${scope}"`,
  message: 'Insufficient permissions',
});
const RECENT = 'Bearer error="insufficient_user_authentication", acr_values="pwd", max_age="300"';
const answer = (outcome: Outcome): Expected => ({
  outcome,
  challenge: outcome === NEEDS_PERSON ? RECENT : null,
  message: MESSAGES[outcome] ?? null,
});

/** The beginning of the message, where programs or tests may depend on it. */
const MESSAGES: Record<string, string> = {
  '404 payment_application_not_found': 'Payment application not found',
  '404 payment_not_found': 'Payment not found',
  '403 operator_required': 'Operator rights required',
  '403 invalid_signature': 'Invalid signature',
  '422 clientId': 'The selected clientId is invalid.',
  '422 siteId': 'The selected siteId is invalid.',
};

/**
 * 401 for who you are, 403 for what your token lacks, 404 or 422 for what is not yours
 * (specification/authentication.md#401-and-403).
 */
export function expectedOf(row: Row, principal: Principal): Expected {
  const { access } = row;
  if (access === 'public') return answer(row.owner);
  if (access === 'signed link' || access === 'receipt link' || access === 'claim link')
    return answer(row.stranger);
  if (principal.kind === 'none') return refusal('unauthenticated', 'Bearer');
  if (principal.kind === 'malformed') return refusal('unauthenticated', 'Bearer error="invalid_request"');
  if (principal.kind === 'invalid') return refusal('unauthenticated', INVALID);
  if (principal.kind === 'client' && access !== 'any token') {
    if (access === 'oauth' || access === 'wallets:write' || access === 'operator')
      return refusal('oauth_token_required', INVALID);
    if (!principal.scopes.includes('*') && !principal.scopes.includes(access)) return lacking(access);
  }
  if (access === 'wallets:write' && 'lacksWallets' in principal) return lacking(access);
  if (access === 'operator')
    return answer('isOperator' in principal && principal.isOperator ? row.owner : row.stranger);
  if (principal.standing === 'stranger') return answer(row.stranger);
  if (principal.standing === 'owner of the deleted') return answer(row.deleted ?? row.owner);
  return answer(row.owner);
}
