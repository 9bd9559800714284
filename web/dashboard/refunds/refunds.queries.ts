import type { RefundStatus } from '../api/operations.js';
import { useRead } from '../api/use-api.js';

/** Milliseconds. */
const REFRESH_MS = 10_000;
const LIMIT = 25;

/** Refunds of all payments, newest first. @param status null: any */
export function useAllRefunds(status: RefundStatus | null, after: string) {
  const query = {
    limit: LIMIT,
    ...(status !== null && { status: [status] }),
    ...(after !== '' && { after }),
  };
  return useRead('listAllRefunds', { query }, { everyMs: REFRESH_MS });
}

/** What pays these refunds of one application and network, as things are when it is asked. Nothing is stored by it. */
export function usePayout(applicationId: string, blockchain: string, refundIds: string[]) {
  return useRead(
    'preparePayout',
    { path: { id: applicationId }, body: { blockchain, refundIds } },
    { isFixed: true },
  );
}
