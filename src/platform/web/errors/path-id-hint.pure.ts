import type { ErrorCode } from '../../kernel/errors/error-catalog.pure.js';
import { NotFoundError } from '../../kernel/errors/errors.pure.js';
import { describePathId, type IdKind } from '../../kernel/path-id.pure.js';

/** The path parameters that an error code refers to, and the kind of object that each names. */
const PARAMETERS: Partial<Record<ErrorCode, readonly [parameter: string, kind: IdKind][]>> = {
  payment_not_found: [['paymentId', 'payment']],
  payment_application_not_found: [['id', 'payment application']],
  refund_not_found: [['refundId', 'refund']],
  not_found: [
    ['siteId', 'site'],
    ['tokenId', 'client token'],
    ['deliveryId', 'webhook delivery'],
  ],
};

/**
 * A 404 with the hint about the id in its path (specification/errors.md#body), by the id's form alone.
 * @param params of the path; Express makes lists of wildcards
 * @returns any other error, and one that has a hint, as it is
 */
export function withPathIdHint(error: unknown, params: Readonly<Record<string, string | string[]>>): unknown {
  if (!(error instanceof NotFoundError) || error.extra.hint !== undefined) return error;
  for (const [parameter, kind] of PARAMETERS[error.code] ?? []) {
    const id = params[parameter];
    if (typeof id === 'string') return error.withHint(describePathId(kind, id));
  }
  return error;
}
