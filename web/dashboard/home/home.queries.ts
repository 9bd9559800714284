import { useQueries } from '@tanstack/react-query';
import { resourceOf } from '../api/resource.pure.js';
import { useApi, useRead } from '../api/use-api.js';
import { plusDays, localDay } from '../reports/range.pure.js';
import { useReceived } from '../reports/reports.queries.js';
import type { Known } from './checklist.pure.js';
import { OWED_KINDS } from './owed.pure.js';

/** Milliseconds. */
const REFRESH_MS = 30_000;
/** Days of the longest sum. */
export const DAYS = 30;
/** Applications whose endpoints are shown; the others are in their own lists. */
export const ENDPOINTS = 6;
/** Of one page of the API. */
const OWED = 100;

/** The last {@link DAYS}, and as many before them. */
export function useLastDays() {
  const to = localDay(new Date());
  const range = { from: plusDays(to, 1 - 2 * DAYS), to };
  return { range, received: useReceived(range, REFRESH_MS) };
}

/** What customers have too much; more than these are in Attention. */
export function useOwed() {
  const query = { kind: [...OWED_KINDS], limit: OWED };
  return useRead('listAttention', { query }, { everyMs: REFRESH_MS });
}

/** The networks that are watched. */
export function useChains() {
  const { data, error, refetch } = useRead('listBlockchains', {}, { everyMs: REFRESH_MS });
  return { error, retry: refetch, chains: data?.data.filter(({ enabled }) => enabled) };
}

export function useEndpoint(applicationId: string) {
  return useRead('getWebhookEndpoint', { path: { id: applicationId } }, { everyMs: REFRESH_MS });
}

/** The endpoints of the newest applications. */
function useEndpoints() {
  const api = useApi();
  const applications = useRead('listPaymentApplications', {});
  const shown = applications.data?.data.slice(0, ENDPOINTS) ?? [];
  const endpoints = useQueries({
    queries: shown.map(({ id }) => {
      const input = { path: { id } };
      return {
        queryKey: [...resourceOf('getWebhookEndpoint', input.path), 'getWebhookEndpoint', input],
        queryFn: () => api.call('getWebhookEndpoint', input),
        refetchInterval: REFRESH_MS,
      };
    }),
  });
  return {
    applications,
    endpoints: shown.map((_, index) => endpoints[index]?.data?.data),
  };
}

/** What the checklist looks at. */
export function useKnown(): Known & { newest: string | undefined } {
  const { applications, endpoints } = useEndpoints();
  const newest = applications.data?.data[0]?.id;
  const ofNewest = [{ path: { id: newest ?? '' } }, { isEnabled: newest !== undefined }] as const;
  const tokens = useRead('listClientTokens', ...ofNewest);
  const wallets = useRead('listWallets', ...ofNewest);
  const defaults = useRead('listAccountWallets', {});
  const active =
    wallets.data &&
    defaults.data &&
    [...wallets.data.data, ...defaults.data.data].filter(({ status }) => status === 'active');
  const paid = useRead('listPaymentOverview', {
    query: { status: ['RECEIVED', 'CONFIRMED', 'REFUND'], limit: 100 },
  });
  const { chains } = useChains();
  const account = useRead('getAccount', {});
  const factor = useRead('getTwoFactor', {});
  const real = new Set(chains?.filter(({ testnet }) => !testnet).map(({ slug }) => slug));
  const known = endpoints.flatMap((endpoint) => endpoint ?? []);
  return {
    newest,
    applications: applications.data?.data.length,
    wallets: active?.length,
    uncompared: active?.filter(({ comparedAt }) => comparedAt === null).length,
    tokens: tokens.data?.data.filter(({ revokedAt }) => revokedAt === null).length,
    chains: chains?.length,
    isOperator: account.data?.data.isOperator,
    haltedChains: chains?.filter(({ state }) => state?.acceptsPayments === false).length,
    addresses: applications.data && [
      location.href,
      ...applications.data.data.flatMap(({ site }) => site.callbackUrl ?? []),
    ],
    hasDelivered:
      known.length < endpoints.length ? undefined : known.some(({ lastSuccessAt }) => lastSuccessAt !== null),
    secondFactor: factor.error ? null : factor.data?.data.enabled,
    paid: paid.data?.data.length,
    paidForReal: chains && paid.data?.data.filter(({ blockchain }) => real.has(blockchain ?? '')).length,
  };
}
