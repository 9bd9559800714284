import { useRead } from '../api/use-api.js';
import type { PaymentFilters } from './filters.pure.js';

const PER_PAGE = 25;
/** Milliseconds. */
const REFRESH_MS = 10_000;

/** One page of payments, newest first. */
export function usePayments({ page, ...filters }: PaymentFilters) {
  const { status, search, paymentApplicationId, unmatchedFunds } = filters;
  const query = {
    page,
    per_page: PER_PAGE,
    ...(status.length > 0 && { status }),
    ...(search !== '' && { search }),
    ...(paymentApplicationId !== '' && { paymentApplicationId }),
    ...(unmatchedFunds && { unmatchedFunds }),
  };
  return useRead('listPayments', { query }, { everyMs: REFRESH_MS });
}

export function useApplications() {
  return useRead('listPaymentApplications', {});
}
