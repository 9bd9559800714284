import type { Operations } from '../api/operations.js';
import { endOfDay, startOfDay } from '../parts/day.pure.js';

export type AuditFilters = NonNullable<Operations['listAuditEntries']['query']>;

const PAGE = 50;

/** The question to the API that the address of the screen stands for. Days are whole days of the reader. */
export function auditFilters(query: URLSearchParams): AuditFilters {
  const act = query.get('act') as AuditFilters['act'] | '' | null;
  const after = query.get('after');
  const from = startOfDay(query.get('from'));
  const to = endOfDay(query.get('to'));
  return {
    limit: PAGE,
    // Who asks for an action gets it.
    ...(!act && !query.has('tokens') && { issuedTokens: false }),
    ...(act && { act }),
    ...(from && { from: from.toISOString() }),
    ...(to && { to: to.toISOString() }),
    ...(after && { after }),
  };
}
