import type { AttentionKind } from '../api/operations.js';
import { useRead } from '../api/use-api.js';

/** Milliseconds. */
const REFRESH_MS = 10_000;
const LIMIT = 25;

/** What needs the merchant, worst first. @param kinds none: all */
export function useAttention(kinds: readonly AttentionKind[], after: string) {
  const query = {
    limit: LIMIT,
    ...(kinds.length > 0 && { kind: [...kinds] }),
    ...(after !== '' && { after }),
  };
  return useRead('listAttention', { query }, { everyMs: REFRESH_MS });
}
