import type { Operations } from '../api/operations.js';
import { startOfDay } from '../parts/day.pure.js';

export type RequestFilters = NonNullable<Operations['listLoggedRequests']['query']>;

const PAGE = 50;
const UUID_LENGTH = 36;
const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/i;

/** The classes of a status; the first digit says who has to look. */
export const STATUS_CLASSES = ['2xx', '3xx', '4xx', '5xx'] as const;

/** That an API request can have. */
export const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

/** The question to the API that the address of the screen stands for. */
export function requestFilters(query: URLSearchParams): RequestFilters {
  const status = STATUS_CLASSES.find((one) => one === query.get('status'));
  const method = METHODS.find((one) => one === query.get('method'));
  const paymentApplicationId = query.get('application');
  const since = startOfDay(query.get('from'));
  const [tokenId, path, requestId, after] = ['token', 'path', 'request', 'after'].map((name) =>
    query.get(name),
  );
  return {
    limit: PAGE,
    ...(status && { status }),
    ...(method && { method }),
    ...(paymentApplicationId && { paymentApplicationId }),
    ...(tokenId && { tokenId }),
    ...(path && { path }),
    ...(requestId && { requestId }),
    ...(since && { since: since.toISOString() }),
    ...(after && { after }),
  };
}

/** The id in what was pasted, e.g. a header or an error body; what has none as it is, so that the gateway says what it wants. */
export function requestIdIn(pasted: string): string {
  return UUID.exec(pasted)?.[0].toLowerCase() ?? pasted.trim();
}

/** The body of an error over several lines; one that was cut, as it is. */
export function laidOut(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    // It ends in the middle.
    return body;
  }
}

/** The payment that a request was about, by its path; null: none, or one that is not known by it. */
export function paymentIn(path: string): string | null {
  const [, id] = /^\/api\/payment\/([^/?]+)/.exec(path) ?? [];
  return id !== undefined && id.length === UUID_LENGTH && UUID.test(id) ? id.toLowerCase() : null;
}

/** What the gateway advises in the body of an error, in its English; null: nothing, or the body was cut before it. */
export function adviceIn(body: string): string | null {
  try {
    const hint = (JSON.parse(body) as { hint?: unknown } | null)?.hint;
    return typeof hint === 'string' ? hint : null;
  } catch {
    // It ends in the middle.
    return null;
  }
}
