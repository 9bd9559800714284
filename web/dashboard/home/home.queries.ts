import type { PaymentStatus } from '../api/operations.js';
import { useRead } from '../api/use-api.js';
import type { Known } from './checklist.pure.js';

/** Milliseconds. */
const REFRESH_MS = 30_000;

/** How many payments there are; undefined: not known yet. */
function useCount(filter: { status?: PaymentStatus[]; unmatchedFunds?: boolean }) {
  const query = useRead('listPayments', { query: { ...filter, per_page: 1 } }, { everyMs: REFRESH_MS });
  return { ...query, count: query.data?.meta.pagination.total };
}

export function useAttention() {
  return {
    underpaid: useCount({ status: ['UNDERPAID'] }),
    untold: useCount({ status: ['RECEIVED'] }),
    unmatched: useCount({ unmatchedFunds: true }),
  };
}

export function useKnown(): Known {
  const applications = useRead('listPaymentApplications', {});
  const newest = applications.data?.data[0];
  const tokens = useRead(
    'listClientTokens',
    { path: { id: newest?.id ?? '' } },
    { isEnabled: newest !== undefined },
  );
  return {
    applications: applications.data?.data.length,
    tokens: tokens.data?.data.filter(({ revokedAt }) => revokedAt === null).length,
    hasCallback: applications.data?.data.some(({ site }) => site.callbackUrl !== null),
    payments: useCount({}).count,
    paid: useCount({ status: ['RECEIVED', 'CONFIRMED', 'REFUND'] }).count,
  };
}
