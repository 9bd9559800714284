import { useRead } from '../api/use-api.js';

/** Milliseconds: what the API asks pollers to keep to. */
const REFRESH_MS = 5_000;
/** More than a payment has, unless somebody plays with it; the newest are shown. */
const MAX_ROWS = 100;

export function usePayment(paymentId: string, options: { isEnabled?: boolean } = {}) {
  return useRead('getPayment', { path: { paymentId } }, { everyMs: REFRESH_MS, ...options });
}

export function useTimeline(paymentId: string) {
  return useRead('getPaymentTimeline', { path: { paymentId } }, { everyMs: REFRESH_MS });
}

export function useRefunds(paymentId: string, options: { isEnabled?: boolean } = {}) {
  return useRead('listRefunds', { path: { paymentId }, query: { per_page: MAX_ROWS } }, options);
}

export function useAddresses(paymentId: string) {
  return useRead('listDepositAddresses', { path: { paymentId } });
}

/** What the payment itself does not say: what was asked in the coin, and its application. */
export function useOverviewOf(paymentId: string) {
  return useRead('listPaymentOverview', { query: { search: paymentId } }).data?.data[0];
}

export function useApplicationOf(paymentId: string) {
  const row = useOverviewOf(paymentId);
  const applications = useRead('listPaymentApplications', { query: { trashed: 'with' } }).data?.data;
  return applications?.find(({ id }) => id === row?.paymentApplicationId);
}

export function useDeliveries(paymentId: string) {
  const query = { paymentId, limit: MAX_ROWS };
  return useRead('listAllWebhookDeliveries', { query }, { everyMs: REFRESH_MS });
}
