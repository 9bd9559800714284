import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** One call of a request. */
interface Call {
  id: unknown;
  method: string;
  params: unknown[];
}

/** What a provider limits. Shares are of all HTTP requests, or of all calls, from 0 to 1. */
export interface Limits {
  /** Calls in a batch; 0: none at all. */
  batch?: number;
  /** How a batch is refused; default: one error object. */
  batchStyle?: 'object' | 'http' | 'elements' | 'first element';
  /** Requests refused with HTTP 429. */
  rate?: number;
  /** Calls refused with a JSON-RPC error under HTTP 200, alone or in a batch. */
  elementRate?: number;
  /** Sent with HTTP 429. */
  retryAfter?: string;
  /** Blocks in one eth_getLogs. */
  range?: number;
  /** Methods that the plan does not include. */
  withheld?: readonly string[];
  /** Requests answered with a web page. */
  pages?: number;
}

/** How often each limit was applied. */
export type LimitCounts = Record<
  'requests' | 'calls' | 'batch' | 'rate' | 'elementRate' | 'range' | 'withheld' | 'pages',
  number
>;

const NO_COUNTS: LimitCounts = {
  requests: 0,
  calls: 0,
  batch: 0,
  rate: 0,
  elementRate: 0,
  range: 0,
  withheld: 0,
  pages: 0,
};

const errorOf = (id: unknown, code: number, message: string) => ({
  jsonrpc: '2.0',
  id,
  error: { code, message },
});

/** A hosted node with the limits of a plan: JSON-RPC in front of a real one. */
export class LimitedProvider {
  counts: LimitCounts = { ...NO_COUNTS };
  private limits: Limits = {};
  private state = 1;

  private constructor(
    private readonly server: Server,
    private readonly target: string,
  ) {}

  static async start(target: string): Promise<LimitedProvider> {
    const server = createServer();
    const provider = new LimitedProvider(server, target);
    server.on('request', (request, response) => void provider.serve(request, response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return provider;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Forgets the counts. @param seed of the requests that are refused by share */
  limit(limits: Limits, seed = 1): void {
    this.limits = limits;
    this.counts = { ...NO_COUNTS };
    this.state = seed;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = JSON.parse(Buffer.concat(chunks).toString()) as Call | Call[];
    this.counts.requests++;
    const { rate = 0, pages = 0, retryAfter } = this.limits;
    if (this.happens(rate)) {
      this.counts.rate++;
      const headers = {
        'content-type': 'application/json',
        ...(retryAfter && { 'retry-after': retryAfter }),
      };
      response.writeHead(429, headers).end('{"message":"Too Many Requests"}');
      return;
    }
    if (this.happens(pages)) {
      this.counts.pages++;
      response
        .writeHead(503, { 'content-type': 'text/html' })
        .end('<!doctype html><title>Just a moment...</title>');
      return;
    }
    const refusal = Array.isArray(body) ? this.refuseBatch(body, response) : undefined;
    if (refusal === null) return;
    const reply = refusal ?? (await this.answer(body));
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(reply));
  }

  /** The refusal of a batch; undefined: none; null: it was sent. */
  private refuseBatch(calls: readonly Call[], response: ServerResponse): unknown {
    const { batch = Infinity, batchStyle = 'object' } = this.limits;
    if (calls.length <= batch) return undefined;
    this.counts.batch++;
    const text = `Batch of more than ${batch} requests are not allowed on free tier`;
    switch (batchStyle) {
      case 'object':
        return errorOf(null, 31, text);
      case 'elements':
        return calls.map(({ id }) => errorOf(id, -32600, text));
      case 'first element':
        return [errorOf(calls[0]?.id, -32600, 'batch too large')];
      case 'http':
        response.writeHead(413).end('Request Entity Too Large');
        return null;
    }
  }

  private async answer(body: Call | Call[]): Promise<unknown> {
    if (!Array.isArray(body)) return this.reply(body);
    return Promise.all(body.map((call) => this.reply(call)));
  }

  private async reply(call: Call): Promise<unknown> {
    const { elementRate = 0, range = Infinity, withheld = [] } = this.limits;
    this.counts.calls++;
    if (this.happens(elementRate)) {
      this.counts.elementRate++;
      return errorOf(call.id, 429, 'Your app has exceeded its compute units per second capacity.');
    }
    if (withheld.includes(call.method)) {
      this.counts.withheld++;
      return errorOf(
        call.id,
        -32600,
        `${call.method} is not available on the Free tier - upgrade to Pay As You Go`,
      );
    }
    const { fromBlock, toBlock } = (call.params[0] ?? {}) as { fromBlock?: string; toBlock?: string };
    if (call.method === 'eth_getLogs' && Number(toBlock) - Number(fromBlock) + 1 > range) {
      this.counts.range++;
      return errorOf(call.id, -32614, `eth_getLogs is limited to a ${range} range`);
    }
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(this.target, { method: 'POST', headers, body: JSON.stringify(call) });
    return answer.json();
  }

  /** A repeatable die (xorshift). */
  private happens(share: number): boolean {
    if (share === 0) return false;
    this.state ^= this.state << 13;
    this.state ^= this.state >>> 17;
    this.state ^= this.state << 5;
    return (this.state >>> 0) / 2 ** 32 < share;
  }
}
