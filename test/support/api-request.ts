import { parseExact, stringifyExact } from '../../src/platform/kernel/exact-json.pure.js';

/** What is sent to the gateway besides the address. */
export interface ApiRequest {
  /** GET without a body and POST with one, unless set. */
  method?: string;
  /** A bearer token. */
  token?: string | null;
  /** An Idempotency-Key. */
  key?: string | null;
  /** Sent as JSON with exact integers; text is sent unchanged. */
  body?: unknown;
  /** Added to those that follow from the other fields. */
  headers?: Record<string, string>;
  signal?: AbortSignal;
}

export interface ApiResponse {
  status: number;
  headers: Headers;
  text: string;
  /** The stored response of an earlier request with the same Idempotency-Key. */
  isReplayed: boolean;
}

/** By the first token of a test's merchant: the one that she has now. */
const current = new Map<string, () => Promise<string>>();

/** A token lasts an hour on a clock that any test may move; whoever holds this one is still signed in after that. */
export function keepSignedIn(token: string, renew: () => Promise<string>): void {
  current.set(token, renew);
}

/** One request to a gateway. @throws Error only when no response arrives, like fetch */
export async function sendRequest(
  url: string,
  { method, token, key, body, headers, signal }: ApiRequest = {},
): Promise<ApiResponse> {
  const hasBody = body !== undefined;
  const bearer = (await current.get(token ?? '')?.()) ?? token;
  const response = await fetch(url, {
    method: method ?? (hasBody ? 'POST' : 'GET'),
    headers: {
      ...(typeof bearer === 'string' && { authorization: `Bearer ${bearer}` }),
      ...(typeof key === 'string' && { 'idempotency-key': key }),
      ...(hasBody && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(hasBody && { body: typeof body === 'string' ? body : stringifyExact(body) }),
    ...(signal && { signal }),
  });
  return {
    status: response.status,
    headers: response.headers,
    text: await response.text(),
    isReplayed: response.headers.get('idempotency-replayed') === 'true',
  };
}

/** The `data` of a successful response, integers as bigint. */
export function dataOf<T>({ text }: Pick<ApiResponse, 'text'>): T {
  return (parseExact(text) as { data: T }).data;
}
