import { Client, type Dispatcher } from 'undici';
import type { Exchange } from '../support/contract/contract.js';
import type { FuzzRequest } from './request-arbitraries.js';
import { fill, type Pools } from './pools.js';

/** Milliseconds until an answer is given up; far beyond what is called a hang. */
const GIVE_UP = 20_000;

/** An exchange, or why there was no answer, with the milliseconds that it took. */
export type Outcome = { ms: number } & ({ exchange: Exchange } | { failure: string });

/** One connection to the gateway, one request at a time. */
export class Wire {
  private readonly client: Client;

  constructor(baseUrl: string) {
    this.client = new Client(baseUrl, {
      pipelining: 1,
      headersTimeout: GIVE_UP,
      bodyTimeout: GIVE_UP,
      maxHeaderSize: 65_536,
    });
  }

  async send(request: FuzzRequest, pools: Pools): Promise<Outcome> {
    const target = fill(request.target, pools);
    const body = request.body === null ? null : Buffer.from(fill(request.body, pools), request.encoding);
    const headers = Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [name, fill(value, pools)]),
    );
    const start = performance.now();
    const since = () => performance.now() - start;
    try {
      const answer = await this.client.request({
        method: request.method as 'GET',
        path: target,
        headers,
        ...(body !== null && { body }),
      });
      const bytes = await readBody(answer);
      const exchange: Exchange = {
        method: request.method,
        target,
        requestType: headers['content-type'],
        requestBody: body,
        status: answer.statusCode,
        headers: single(answer.headers),
        body: bytes,
      };
      return { ms: since(), exchange };
    } catch (error) {
      return { ms: since(), failure: error instanceof Error ? error.message : String(error) };
    }
  }

  async close(): Promise<void> {
    await this.client.close();
  }
}

/** Server-sent events have no end: what they begin with is the answer, and the connection is dropped. */
async function readBody({ statusCode, headers, body }: Dispatcher.ResponseData): Promise<Buffer> {
  const isEndless = statusCode === 200 && String(headers['content-type']).startsWith('text/event-stream');
  if (!isEndless) return Buffer.from(await body.arrayBuffer());
  for await (const chunk of body as AsyncIterable<Buffer>) return chunk;
  return Buffer.alloc(0);
}

function single(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, [value].flat().join(', ')]],
    ),
  );
}
