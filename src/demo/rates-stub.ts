import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { PriceList } from './rates-stub-prices.js';
import { coinbaseRates, krakenTicker, type StubResponse } from './rates-stub-wire.js';

export const RATES_STUB_SOURCES = ['kraken', 'coinbase'] as const;
export type RatesStubSource = (typeof RATES_STUB_SOURCES)[number];

/** How a source behaves. */
export const RATES_STUB_MODES = [
  'ok',
  /** HTTP 500. */
  'down',
  /** The connection is reset without a response. */
  'reset',
  /** The correct response after {@link SLOW_MS}. */
  'slow',
  /** Never responds. */
  'hang',
  /** HTTP 429 with Retry-After: 30. */
  'rate-limited',
  /** The source's own error while it is out of service. */
  'unavailable',
  /** HTTP 200 with text that is not JSON. */
  'garbage',
  /** HTTP 200 with truncated JSON. */
  'truncated',
  /** HTTP 200 with the correct form, but without a price. */
  'empty',
  /** Ten times the price. */
  'outlier',
] as const;
export type RatesStubMode = (typeof RATES_STUB_MODES)[number];

/** Replaces both sources of exchange rates, with their response formats. */
export interface RatesStub {
  /** Base of `<url>/kraken/0/public/Ticker` and `<url>/coinbase/v2/exchange-rates`. */
  url: string;
  /** @param price decimal text, for both sources */
  setPrice(base: string, quote: string, price: string): void;
  setMode(source: RatesStubSource, mode: RatesStubMode): void;
  stop(): Promise<void>;
}

/** Noticeable for a user, but shorter than the time limit of requests to the sources (3 s). */
const SLOW_MS = 1_500;

/**
 * Serves fixed, plausible prices on a port of the loopback interface. In addition to the paths of the two sources it has
 * one that changes a price or makes a source fail, for trying out the demo:
 * `PUT <url>/control` with `{"base":"ETH","quote":"USD","price":"3500"}` or `{"source":"kraken","mode":"down"}`.
 */
export async function startRatesStub({ port = 0 }: { port?: number } = {}): Promise<RatesStub> {
  const prices = new PriceList();
  const modes = new Map<RatesStubSource, RatesStubMode>();
  const stop = new AbortController();
  const server = createServer((request, response) => {
    serve(request, response, { prices, modes, signal: stop.signal }).catch((error: unknown) => {
      response.destroy(error instanceof Error ? error : undefined);
    });
  });
  await listen(server, port);
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    setPrice: (base, quote, price) => prices.set(base, quote, price),
    setMode: (source, mode) => void modes.set(source, mode),
    stop: async () => {
      stop.abort();
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
}

interface StubState {
  prices: PriceList;
  modes: Map<RatesStubSource, RatesStubMode>;
  signal: AbortSignal;
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => resolve());
  });
}

async function serve(request: IncomingMessage, response: ServerResponse, state: StubState): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://stub');
  const { pathname, searchParams } = url;
  if (request.method === 'PUT' && pathname === '/control') {
    return reply(response, await control(request, state));
  }
  if (request.method === 'GET' && pathname === '/kraken/0/public/Ticker') {
    return behave(response, 'kraken', state, (factor) =>
      krakenTicker(state.prices, searchParams.get('pair'), factor),
    );
  }
  if (request.method === 'GET' && pathname === '/coinbase/v2/exchange-rates') {
    return behave(response, 'coinbase', state, (factor) =>
      coinbaseRates(state.prices, searchParams.get('currency'), factor),
    );
  }
  return reply(response, { status: 404, body: { error: ['EGeneral:Unknown method'] } });
}

async function behave(
  response: ServerResponse,
  source: RatesStubSource,
  { modes, signal }: StubState,
  respond: (factor: bigint) => StubResponse,
): Promise<void> {
  switch (modes.get(source) ?? 'ok') {
    case 'ok':
      return reply(response, respond(1n));
    case 'outlier':
      return reply(response, respond(10n));
    case 'down':
      return reply(response, { status: 500, body: { error: ['EGeneral:Internal error'] } });
    case 'reset':
      response.destroy();
      return;
    case 'slow':
      await delay(SLOW_MS, undefined, { signal });
      return reply(response, respond(1n));
    case 'hang':
      return;
    case 'rate-limited':
      response.setHeader('Retry-After', '30');
      return reply(response, { status: 429, body: { error: ['EGeneral:Too many requests'] } });
    case 'unavailable':
      return reply(response, UNAVAILABLE[source]);
    case 'garbage':
      return send(response, 200, 'text/html', '<html><body>Just a moment...</body></html>');
    case 'truncated': {
      const text = JSON.stringify(respond(1n).body);
      return send(response, 200, 'application/json', text.slice(0, text.length / 2));
    }
    case 'empty':
      return reply(response, EMPTY[source]);
  }
}

const UNAVAILABLE: Readonly<Record<RatesStubSource, StubResponse>> = {
  kraken: { status: 200, body: { error: ['EService:Unavailable'] } },
  coinbase: {
    status: 503,
    body: { errors: [{ id: 'internal_server_error', message: 'Service unavailable' }] },
  },
};
const EMPTY: Readonly<Record<RatesStubSource, StubResponse>> = {
  kraken: { status: 200, body: { error: [], result: {} } },
  coinbase: { status: 200, body: { data: { currency: 'USD', rates: {} } } },
};

/** Sets a price or a mode from outside the process. */
async function control(request: IncomingMessage, { prices, modes }: StubState): Promise<StubResponse> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  try {
    const change = JSON.parse(Buffer.concat(chunks).toString('utf8')) as Record<string, unknown>;
    if ('price' in change)
      prices.set(String(change['base']), String(change['quote']), String(change['price']));
    else modes.set(oneOf(RATES_STUB_SOURCES, change['source']), oneOf(RATES_STUB_MODES, change['mode']));
    return { status: 200, body: {} };
  } catch (error) {
    return { status: 422, body: { message: error instanceof Error ? error.message : 'invalid request' } };
  }
}

function oneOf<T extends string>(allowed: readonly T[], value: unknown): T {
  const found = allowed.find((entry) => entry === value);
  if (found === undefined) throw new Error(`${String(value)} is not one of ${allowed.join(', ')}`);
  return found;
}

function reply(response: ServerResponse, { status, body }: StubResponse): void {
  send(response, status, 'application/json', JSON.stringify(body));
}

function send(response: ServerResponse, status: number, type: string, text: string): void {
  // Without keep-alive, so that a stopped stub leaves no half-open connections in its clients' pools.
  response.writeHead(status, { 'content-type': type, connection: 'close' }).end(text);
}
