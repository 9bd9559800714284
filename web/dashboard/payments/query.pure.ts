import type { Operations } from '../api/operations.js';
import { atomicOf } from './amount.pure.js';
import type { AttentionFilter, PaymentFilters } from './filters.pure.js';

type ListQuery = Operations['listPaymentOverview']['query'];
type ExportQuery = Operations['exportPayments']['query'];

/** How the list is filtered by a reason to look at a payment (specification/overview.md#attention). */
const BY_REASON: Record<AttentionFilter, ListQuery> = {
  reorg: { reviewReason: 'reorg' },
  unmatched_funds: { unmatchedFunds: true },
  funds_after_end: { reviewReason: 'funds_after_cancel' },
  overpaid: { overpaid: true },
  overpaid_held: { reviewReason: 'overpaid' },
  late_funds: { late: true, status: ['FOUND', 'UNDERPAID'] },
  expired_with_funds: { expiredWithFunds: true },
};

/** What the API is asked for. @param decimals of the currency; undefined: not known, so amounts are left out */
export function listQuery(filters: PaymentFilters, decimals: number | undefined): ListQuery {
  const { status, attention, application, network, coin, currency, min, max, since, until, search } = filters;
  return {
    ...(status.length > 0 && { status: [...status] }),
    ...(attention !== '' && BY_REASON[attention]),
    ...(application !== '' && { paymentApplicationId: [application] }),
    ...(network !== '' && { blockchain: network }),
    ...(coin !== '' && { coin }),
    ...(currency !== '' && { currencyCode: currency }),
    ...(min !== '' && decimals !== undefined && { amountFrom: atomicOf(min, decimals, 'up') }),
    ...(max !== '' && decimals !== undefined && { amountTo: atomicOf(max, decimals, 'down') }),
    ...(since !== '' && { dateFrom: beginningOf(since, 0).toISOString() }),
    ...(until !== '' && { dateTo: new Date(beginningOf(until, 1).getTime() - 1).toISOString() }),
    ...(search !== '' && { search }),
  };
}

/** Of a day of the reader. @param more days after it */
function beginningOf(day: string, more: number): Date {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  return new Date(year, month - 1, date + more);
}

/** The same for a file, which takes one application. */
export function exportQuery(filters: PaymentFilters, decimals: number | undefined): ExportQuery {
  const { paymentApplicationId: _list, ...query } = listQuery(filters, decimals);
  return filters.application === '' ? query : { ...query, paymentApplicationId: filters.application };
}
