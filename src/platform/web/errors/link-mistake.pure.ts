import { toIsoSeconds } from '../../kernel/clock.pure.js';

/** A signed link as it was received. */
interface PresentedLink {
  /** As in the path. */
  id: string;
  query: Readonly<Record<string, unknown>>;
  /** Whether the request has an Authorization header. */
  hasToken: boolean;
}

/** A kind of signed link. */
interface LinkKind {
  /** The response field that contains the link. */
  field: string;
  /** The route that returns the same for a token. */
  byToken: string;
}

export const CHECKOUT_LINK: LinkKind = { field: 'checkoutUrl', byToken: 'GET /api/payment/{paymentId}' };
export const RECEIPT_LINK: LinkKind = { field: 'receiptUrl', byToken: 'GET /api/payment/{paymentId}' };
export const CLAIM_LINK: LinkKind = {
  field: 'claimUrl',
  byToken: 'GET /api/payment/{paymentId}/refunds/{refundId}',
};

const UUID_IN_CAPITALS = /^[0-9A-F-]{36}$/i;
const SIGNATURE_LENGTH = 64;

/**
 * Describes what is wrong with a link whose signature is invalid, so that it can be repaired. It depends on the request
 * alone, and so does not reveal whether the payment or the refund exists.
 */
export function describeLinkMistake(
  { id, query, hasToken }: PresentedLink,
  { field, byToken }: LinkKind,
): string {
  const asReturned = `use ${field} exactly as the API returned it`;
  const names = Object.keys(query);
  if (names.some((name) => name.startsWith('amp;')))
    return `The link was escaped for HTML once too often: &amp; must be &; ${asReturned}.`;
  if (names.some((name) => /(expires|signature)(=|%3d)/i.test(name)))
    return `The query was percent-encoded as a whole, so that = and & no longer separate its parameters; ${asReturned}.`;
  const [expires, signature] = [query['expires'] ?? '', query['signature'] ?? ''];
  if (typeof expires !== 'string' || typeof signature !== 'string')
    return `A parameter appears twice; expires and signature must each be sent once: ${asReturned}.`;
  if (!expires && !signature)
    return hasToken
      ? `This endpoint takes no token but the expires and signature of ${field}; with a token use ${byToken}.`
      : `The parameters expires and signature are missing; ${asReturned}, with its query.`;
  if (!signature)
    return `The parameter signature is missing; a shell ends an unquoted address at &, so put it in quotes, and ${asReturned}.`;
  if (!expires) return `The parameter expires is missing; ${asReturned}.`;
  return `${describeValues(id, expires, signature)} Use ${field} exactly as the API returned it.`;
}

function describeValues(id: string, expires: string, signature: string): string {
  if (id !== id.toLowerCase() && UUID_IN_CAPITALS.test(id))
    return 'The id in the path is in capitals, and the signature is for the one in lower case.';
  if (/^\d{13}$/.test(expires))
    return 'The parameter expires is in milliseconds; it is signed as Unix seconds.';
  if (!/^\d+$/.test(expires)) return 'The parameter expires must be the Unix seconds of the link, in digits.';
  const hex = /^[0-9a-f]*/i.exec(signature)?.[0].length ?? 0;
  if (hex !== signature.length)
    return hex === SIGNATURE_LENGTH
      ? 'Something follows the signature, such as a quotation mark or a bracket of the text around the link.'
      : 'The signature has characters other than 0-9 and a-f.';
  if (signature.length < SIGNATURE_LENGTH)
    return `The link was cut off: its signature has ${signature.length} of ${SIGNATURE_LENGTH} characters; copy the whole link.`;
  if (signature.length > SIGNATURE_LENGTH)
    return `The signature has ${signature.length} characters in place of ${SIGNATURE_LENGTH}.`;
  if (signature !== signature.toLowerCase())
    return 'The signature is in capitals; it is signed in lower case.';
  return 'The signature does not belong to this id and this expires; links cannot be built, changed or combined by their users.';
}

/** Describes an expired link with a valid signature. @param expires Unix seconds */
export function describeExpiredLink(expires: unknown, remedy: string): string {
  return `The link ended at ${toIsoSeconds(new Date(Number(expires) * 1_000))}. ${remedy}`;
}
