import { useRead } from '../api/use-api.js';

/** Milliseconds. */
const REFRESH_MS = 5_000;

export function useEndpoint(applicationId: string) {
  return useRead('getWebhookEndpoint', { path: { id: applicationId } }, { everyMs: REFRESH_MS });
}

export function useAllDeliveries(applicationId: string, page: number) {
  return useRead(
    'listWebhookDeliveries',
    { path: { id: applicationId }, query: { page, per_page: 25 } },
    { everyMs: REFRESH_MS },
  );
}
