import { useRead } from '../api/use-api.js';
import { type ReportRange, spanOf } from './range.pure.js';

/** Days begin where the reader is. */
const zone = () => Intl.DateTimeFormat().resolvedOptions().timeZone;

export function useReceived(range: Pick<ReportRange, 'from' | 'to'>, everyMs?: number) {
  const query = { ...spanOf(range), timeZone: zone(), interval: 'day' } as const;
  return useRead('reportReceived', { query }, { ...(everyMs !== undefined && { everyMs }) });
}

export function useSplit({ split, ...range }: ReportRange) {
  const query = { ...spanOf(range), timeZone: zone(), interval: 'total', groupBy: split } as const;
  return useRead('reportReceived', { query });
}

export function useTimes(range: ReportRange) {
  return useRead('reportTimes', { query: { ...spanOf(range), timeZone: zone(), interval: 'day' } });
}

export function useRates(range: ReportRange) {
  return useRead('reportRates', { query: { ...spanOf(range), timeZone: zone(), interval: 'total' } });
}

export function useNames() {
  const applications = useRead('listPaymentApplications', {});
  const chains = useRead('listBlockchains', {});
  return {
    application: new Map(applications.data?.data.map(({ id, name }) => [id, name])),
    blockchain: new Map(chains.data?.data.map(({ slug, name }) => [slug, name])),
  };
}
