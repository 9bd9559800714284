import { useQuery } from '@tanstack/react-query';
import type { GatewayError } from '../../../sdk/src/errors.js';
import { useApi, useRead } from '../api/use-api.js';

/** Milliseconds: what the API asks pollers to keep to. */
const REFRESH_MS = 5_000;

export function usePayment(paymentId: string) {
  return useRead('getPayment', { path: { paymentId } }, { everyMs: REFRESH_MS });
}

export function useRefunds(paymentId: string) {
  return useRead('listRefunds', { path: { paymentId } });
}

/** The application of a payment, which the payment does not name; null: of none of them. */
export function useApplicationOf(paymentId: string) {
  const api = useApi();
  return useQuery<string | null, GatewayError>({
    queryKey: ['applicationOf', paymentId],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async ({ signal }) => {
      const { data } = await api.call('listPaymentApplications', { query: { trashed: 'with' } }, signal);
      for (const { id } of data) {
        const query = { paymentApplicationId: id, search: paymentId };
        const found = await api.call('listPayments', { query }, signal);
        if (found.data.length > 0) return id;
      }
      return null;
    },
  });
}

export function useDeliveries(applicationId: string | null, paymentId: string) {
  return useRead(
    'listWebhookDeliveries',
    { path: { id: applicationId ?? '' }, query: { paymentId } },
    { everyMs: REFRESH_MS, isEnabled: applicationId !== null },
  );
}
