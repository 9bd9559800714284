import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { GatewayError } from '../../../sdk/src/errors.js';
import { useApi, useRead } from '../api/use-api.js';
import { hasAmounts, type PaymentFilters } from './filters.pure.js';
import { listQuery } from './query.pure.js';

const LIMIT = 25;
/** Milliseconds. */
const REFRESH_MS = 10_000;
/** Milliseconds: counting asks more of the gateway. */
const COUNT_MS = 30_000;

/** One page of payments, newest first. @param after the place where it begins; empty: the newest */
/** Of the currency of the amounts that are filtered by; undefined: by none, or not known yet. */
export function useDecimals(filters: PaymentFilters): number | undefined {
  const currencies = useCurrencies({ isEnabled: hasAmounts(filters) });
  return currencies.data?.data.find(({ code }) => code === filters.currency)?.decimals;
}

export function usePayments(filters: PaymentFilters, after: string) {
  const decimals = useDecimals(filters);
  const query = { ...listQuery(filters, decimals), limit: LIMIT, ...(after !== '' && { after }) };
  const isEnabled = !hasAmounts(filters) || decimals !== undefined;
  return useRead('listPaymentOverview', { query }, { everyMs: REFRESH_MS, isEnabled });
}

export function useApplications() {
  return useRead('listPaymentApplications', {});
}

/** How much of each kind needs the merchant. @param application empty: of all */
export function useAttentionCounts(application = '') {
  const query = application === '' ? {} : { paymentApplicationId: [application] };
  return useRead('countAttention', { query }, { everyMs: COUNT_MS });
}

export function useCurrencies(options: { isEnabled?: boolean } = {}) {
  return useRead('listCurrencies', {}, { ...options, isFixed: true });
}

/** The names of networks by their slugs; a slug that is not known yet is its own name. */
export function useNetworks() {
  const networks = useRead('listBlockchains', {}, { isFixed: true }).data?.data ?? [];
  const names = new Map(networks.map(({ slug, name }) => [slug, name]));
  return { networks, nameOf: (slug: string) => names.get(slug) ?? slug };
}

export function useSavedViews() {
  return useRead('getSavedViews', {});
}

/** Changes what is saved. The API takes all views at once, so they are read again right before. */
export function useChangeViews() {
  const api = useApi();
  const client = useQueryClient();
  return useMutation<unknown, GatewayError, (views: Record<string, string>) => Record<string, string>>({
    mutationFn: async (change) => {
      const { data } = await api.call('getSavedViews', {});
      return api.call('saveViews', { body: { views: change(data.views) } });
    },
    onSuccess: () => client.invalidateQueries(),
  });
}
