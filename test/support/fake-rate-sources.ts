import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Responds to one request; the query is the request's. */
export type Answer = (query: URLSearchParams, response: ServerResponse) => void;

/** Kraken and Coinbase on loopback, saying what a test puts into their mouths. */
export interface FakeRateSources {
  krakenUrl: string;
  coinbaseUrl: string;
  /** Path and query of every request, in order of arrival. */
  requests: string[];
  kraken: Answer;
  coinbase: Answer;
  close(): Promise<void>;
}

/** Any body with any status. */
export const answerWith =
  (status: number, body: string, headers: Record<string, string> = {}): Answer =>
  (_query, response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
  };

/** Kraken's ticker; one pair under a name of Kraken's own. */
export const krakenSays = (bid: string, ask = bid, pair = 'XETHZUSD'): Answer =>
  answerWith(
    200,
    `{"error":[],"result":{"${pair}":{"a":["${ask}","1","1.000"],"b":["${bid}","2","2.000"],"c":["1","1"]}}}`,
  );

/** Kraken's errors come with HTTP 200. */
export const krakenRefuses = (...messages: string[]): Answer =>
  answerWith(200, JSON.stringify({ error: messages }));

/** Coinbase's table for whatever currency is asked; `rates` is JSON text, so that numbers stay as written. */
export const coinbaseSays =
  (rates: string): Answer =>
  (query, response) =>
    answerWith(200, `{"data":{"currency":"${query.get('currency')}","rates":${rates}}}`)(query, response);

/** Starts both; by default they return 503. */
export async function startFakeRateSources(): Promise<FakeRateSources> {
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '', 'http://localhost');
    sources.requests.push(`${url.pathname}${url.search}`);
    const answer = url.pathname.startsWith('/kraken/') ? sources.kraken : sources.coinbase;
    answer(url.searchParams, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const sources: FakeRateSources = {
    krakenUrl: `http://127.0.0.1:${port}/kraken`,
    coinbaseUrl: `http://127.0.0.1:${port}/coinbase`,
    requests: [],
    kraken: answerWith(503, ''),
    coinbase: answerWith(503, ''),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return sources;
}
