import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { GatewayError } from '../../../sdk/src/errors.js';
import { useApi, useRead } from '../api/use-api.js';
import { hasAmounts, type PaymentFilters } from './filters.pure.js';
import { listQuery } from './query.pure.js';

const LIMIT = 25;
/** Milliseconds. */
const REFRESH_MS = 10_000;
/** Milliseconds: counting asks more of the gateway. */
const COUNT_MS = 30_000;

/** Status of the answer where no source has a price. */
export const NO_RATE = 503;

/** Of the currency of the amounts that are filtered by; undefined: by none, or not known yet. */
export function useDecimals(filters: PaymentFilters): number | undefined {
  const currencies = useCurrencies({ isEnabled: hasAmounts(filters) });
  return currencies.data?.data.find(({ code }) => code === filters.currency)?.decimals;
}

/** One page of payments, newest first. @param after the place where it begins; empty: the newest */
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

/**
 * Whether any of the coins has a rate in a currency now: without one, nothing can pay a price in it. Undefined: it is not
 * known. @param coins codes; empty: all that the gateway accepts
 */
export function useHasRate(currency: string, coins: readonly string[]): boolean | undefined {
  const api = useApi();
  const all = useCurrencies().data?.data ?? [];
  const enabled = all.filter(({ type, enabled: isOn }) => type === 'crypto' && isOn).map(({ code }) => code);
  const asked = enabled.filter((code) => coins.length === 0 || coins.includes(code));
  return useQuery({
    queryKey: ['has-rate', currency, asked],
    queryFn: async ({ signal }) => {
      for (const base of asked)
        try {
          await api.call('listRates', { query: { base, quote: [currency] } }, signal);
          return true;
        } catch (error) {
          if (!(error instanceof GatewayError) || error.status !== NO_RATE) throw error;
        }
      return false;
    },
    enabled: asked.length > 0,
    refetchInterval: COUNT_MS,
  }).data;
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
