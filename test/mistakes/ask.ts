import { request } from 'node:http';
import { parseExact } from '../../src/platform/kernel/exact-json.pure.js';
import type { Mistake, Sent } from './mistake.js';
import type { MistakesHarness } from './mistakes-harness.js';

/** An answer as an integrator reads it. */
export interface ReadAnswer {
  status: number;
  code: string;
  message: string;
  errors: Record<string, string[]>;
  hint: string;
  /** `error_description` of the header or of an OAuth2 endpoint's body. */
  description: string;
  headers: Record<string, string>;
  /** The words of a page; '' where the answer is none. */
  page: string;
  /** The whole body. */
  text: string;
}

type Received = Pick<ReadAnswer, 'status' | 'headers' | 'text'>;

/** Sends a request as it is: `fetch` would tidy up headers and paths. */
function send(baseUrl: string, { method, path, headers = {}, body }: Sent): Promise<Received> {
  const isRaw = typeof body === 'string' || body instanceof Uint8Array;
  const payload = body === undefined || isRaw ? body : JSON.stringify(body);
  const { hostname, port } = new URL(baseUrl);
  const own = {
    ...(body !== undefined && !isRaw && { 'content-type': 'application/json' }),
    ...(payload !== undefined && { 'content-length': Buffer.byteLength(payload) }),
  };
  return new Promise((resolve, reject) => {
    const sent = request({ hostname, port, method, path, headers: { ...own, ...headers } }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const shown = Object.entries(response.headers).map(([name, value]) => [name, String(value)]);
        resolve({
          status: response.statusCode ?? 0,
          headers: Object.fromEntries(shown) as Record<string, string>,
          text: Buffer.concat(chunks).toString('utf8'),
        });
      });
    });
    sent.on('error', reject);
    sent.end(payload);
  });
}

/** Makes a mistake, and reads what comes back. */
export async function ask(harness: MistakesHarness, mistake: Mistake): Promise<ReadAnswer> {
  const { status, headers, text } = await send(harness.baseUrl, mistake.request(harness));
  const type = headers['content-type'] ?? '';
  const isJson = type.startsWith('application/json') && text !== '';
  const read = (isJson ? parseExact(text) : {}) as Partial<ReadAnswer> & {
    error?: string;
    error_description?: string;
  };
  const redirect = readRedirect(headers['location'], harness.baseUrl);
  return {
    status,
    code: read.code ?? read.error ?? redirect?.get('error') ?? '',
    message: read.message ?? '',
    errors: read.errors ?? {},
    hint: read.hint ?? '',
    description:
      /error_description="([^"]*)"/.exec(headers['www-authenticate'] ?? '')?.[1] ??
      read.error_description ??
      redirect?.get('error_description') ??
      '',
    headers,
    page: type.startsWith('text/html') ? wordsOf(text) : '',
    text,
  };
}

/** Errors of an authorization come back in the address, behind ? or # (RFC 6749, section 4.1.2.1). */
function readRedirect(location: string | undefined, baseUrl: string): URLSearchParams | null {
  if (location === undefined) return null;
  const { search, hash } = new URL(location, baseUrl);
  return new URLSearchParams(hash === '' ? search : hash.slice(1));
}

function wordsOf(html: string): string {
  const main = /<main[\s\S]*<\/main>/.exec(html)?.[0] ?? html;
  return main
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

const SHOWN_HEADERS = ['www-authenticate', 'allow', 'x-ignored-fields', 'location', 'retry-after'];

/** The answer in a few lines, for people who grade it. */
export function printAnswer({ status, headers, page, text }: ReadAnswer): string {
  const shown = SHOWN_HEADERS.flatMap((name) => (headers[name] ? [`${name}: ${headers[name]}`] : []));
  const body = (page || text).replaceAll(/\s+/g, ' ').replace(/,"requestId":"[^"]*"/, '');
  return [`${status} ${body.slice(0, 900)}`, ...shown].join('\n');
}
