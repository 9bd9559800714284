import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';
import { watchExchange, watchSentWebhook } from '../leaks/watch-leaks.js';
import type { SeenExchange } from '../leaks/secrets-of.js';
import { Contract, type Exchange, type SentWebhook } from './contract.js';

/** Bytes; what is longer is no answer of this API. */
const MAX_BODY = 4 * 1024 * 1024;

/** Found since the last test ended. */
const problems = new Set<string>();

function fail(): void {
  if (problems.size === 0) return;
  const text = [...problems].join('\n  ');
  problems.clear();
  throw new Error(
    `Answers that are not what docs/openapi.json says (CONTRIBUTING.md, "A new route"):\n  ${text}`,
  );
}

/** Files of tests that start a gateway have hooks; the fuzzer, which does too, checks responses itself. */
const isTest = typeof afterEach === 'function';
if (isTest) {
  afterEach(fail);
  afterAll(fail);
}

/**
 * Holds every answer of a gateway against the document, and looks for secrets in it, outside of everything that
 * the gateway does. What is not documented fails the test that asked.
 */
export function watchContract(server: Server): void {
  if (!isTest) return;
  server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
    record(request, response, (exchange) => {
      for (const problem of Contract.get().check(exchange)) problems.add(problem);
      watchExchange(exchange);
    });
  });
}

/** Holds a webhook that the gateway sent against the document, likewise. */
export function watchWebhook(webhook: SentWebhook): void {
  for (const problem of Contract.get().checkWebhook(webhook)) problems.add(problem);
  watchSentWebhook(webhook.headers, webhook.body);
}

/** Calls `done` when the answer is complete, before its last byte leaves. */
function record(
  request: IncomingMessage,
  response: ServerResponse,
  done: (exchange: Exchange & SeenExchange) => void,
): void {
  const { method = '', url: target = '' } = request;
  const chunks: Buffer[] = [];
  let length = 0;
  const sent: Buffer[] = [];
  const push = request.push.bind(request);
  request.push = (chunk: unknown, encoding?: BufferEncoding) => {
    if (chunk instanceof Uint8Array) sent.push(Buffer.from(chunk));
    return push(chunk, encoding);
  };
  const keep = (chunk: unknown, encoding: unknown) => {
    if (typeof chunk !== 'string' && !(chunk instanceof Uint8Array)) return;
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk, asEncoding(encoding)) : Buffer.from(chunk);
    length += bytes.length;
    if (length <= MAX_BODY) chunks.push(bytes);
  };
  const write = response.write.bind(response) as (...args: unknown[]) => boolean;
  const end = response.end.bind(response) as (...args: unknown[]) => ServerResponse;
  response.write = ((...args: unknown[]) => {
    keep(args[0], args[1]);
    return write(...args);
  }) as typeof response.write;
  response.end = ((...args: unknown[]) => {
    if (response.writableEnded) return end(...args);
    keep(args[0], args[1]);
    const result = end(...args);
    done({
      method,
      target,
      requestType: request.headers['content-type'],
      requestHeaders: request.headers,
      requestBody: Buffer.concat(sent),
      sentBody: Buffer.concat(sent),
      status: response.statusCode,
      headers: headersOf(response),
      // Node drops the body of these.
      body:
        method === 'HEAD' || [204, 304].includes(response.statusCode)
          ? Buffer.alloc(0)
          : decompress(Buffer.concat(chunks), response.getHeader('Content-Encoding')),
    });
    return result;
  }) as typeof response.end;
}

function decompress(body: Buffer, encoding: unknown): Buffer {
  switch (encoding) {
    case 'br':
      return brotliDecompressSync(body);
    case 'gzip':
      return gunzipSync(body);
    case 'deflate':
      return inflateSync(body);
    default:
      return body;
  }
}

function asEncoding(encoding: unknown): BufferEncoding {
  return typeof encoding === 'string' && Buffer.isEncoding(encoding) ? encoding : 'utf8';
}

function headersOf(response: ServerResponse): Record<string, string> {
  const entries = Object.entries(response.getHeaders());
  return Object.fromEntries(entries.map(([name, value]) => [name.toLowerCase(), String(value)]));
}
