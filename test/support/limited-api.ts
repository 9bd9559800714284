import { CHAIN_ENV } from './keyed-api.js';
import type { TestGateway } from './test-gateway.js';

/** The defaults of production (specification/rate-limits.md#what-is-counted). */
const LIMITS = {
  RATE_LIMIT_READS: '600',
  RATE_LIMIT_WRITES: '120',
  RATE_LIMIT_USER_READS: '0',
  RATE_LIMIT_USER_WRITES: '0',
  RATE_LIMIT_PAYMENT: '60',
  RATE_LIMIT_ADDRESS: '300',
  RATE_LIMIT_POLLS: '60',
  RATE_LIMIT_ADDRESS_POLLS: '600',
  RATE_LIMIT_TOKEN_ENDPOINT: '10',
  RATE_LIMIT_TOKENS: '120',
  RATE_LIMIT_FAILED_AUTH: '20',
  RATE_LIMIT_SIGN_IN: '5',
  RATE_LIMIT_ACCOUNT: '20',
};
export const LIMITED_ENV = { ...CHAIN_ENV, ...LIMITS, TRUSTED_PROXIES: '127.0.0.1' };

let addresses = 0;
/** A new client. */
export const newAddress = () => `203.0.${Math.floor(++addresses / 250)}.${(addresses % 250) + 1}`;

/** What a limited gateway answered. */
export interface Asked {
  status: number;
  headers: Headers;
  text: string;
  code: string | undefined;
}

/** A request from an address that the trusted proxy names, with a bearer token or without. */
export type AskInit = RequestInit & { from?: string; token?: string };

export async function ask(
  { baseUrl }: Pick<TestGateway, 'baseUrl'>,
  path: string,
  init: AskInit = {},
): Promise<Asked> {
  const { from, token, headers, ...rest } = init;
  const response = await fetch(`${baseUrl}${path}`, {
    redirect: 'manual',
    ...rest,
    headers: {
      ...(headers as Record<string, string>),
      ...(from !== undefined && { 'x-forwarded-for': from }),
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
  });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.startsWith('application/json') && text !== '';
  const code = isJson ? (JSON.parse(text) as { code?: string }).code : undefined;
  return { status: response.status, headers: response.headers, text, code };
}

/** How often each status was answered; twenty at a time. */
export async function tally(
  times: number,
  request: (turn: number) => Promise<Asked>,
): Promise<Record<number, number>> {
  const counts: Record<number, number> = {};
  for (let done = 0; done < times; done += 20) {
    const size = Math.min(20, times - done);
    const answers = await Promise.all(Array.from({ length: size }, (_, i) => request(done + i)));
    for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  }
  return counts;
}

/** The headers of rate limits (specification/rate-limits.md#headers). */
export function limitsOf({ headers }: { headers: Headers }): Record<string, string | null> {
  return {
    policy: headers.get('ratelimit-policy'),
    limit: headers.get('ratelimit'),
    quota: headers.get('x-ratelimit-limit'),
    remaining: headers.get('x-ratelimit-remaining'),
    retryAfter: headers.get('retry-after'),
  };
}

/** A 429 with its headers (specification/rate-limits.md#headers). */
export function expectRefused(answer: Asked, policy: string, retryAfter: number): void {
  const { requestId, ...body } = JSON.parse(answer.text) as Record<string, unknown>;
  expect({ status: answer.status, body }).toEqual({
    status: 429,
    body: { message: 'Too many requests', code: 'too_many_requests' },
  });
  expect(requestId).toBe(answer.headers.get('x-request-id'));
  expectWait(answer, policy, retryAfter);
}

/** The same of the OAuth endpoints, as clients of RFC 6749 read it. */
export function expectOAuthRefused(answer: Asked, policy: string, retryAfter: number): void {
  expect([answer.status, answer.headers.get('content-type'), answer.headers.get('cache-control')]).toEqual([
    429,
    'application/json; charset=utf-8',
    'no-store',
  ]);
  expect(JSON.parse(answer.text)).toEqual({
    error: 'temporarily_unavailable',
    error_description: `too many requests: try again in ${retryAfter} s`,
    message: 'Too many requests',
    code: 'too_many_requests',
    requestId: answer.headers.get('x-request-id'),
  });
  expectWait(answer, policy, retryAfter);
}

function expectWait(answer: Asked, policy: string, retryAfter: number): void {
  expect(limitsOf(answer)).toMatchObject({
    policy: expect.stringContaining(`"${policy}";q=`) as string,
    limit: expect.stringMatching(new RegExp(`"${policy}";r=0;t=\\d+`)) as string,
    remaining: '0',
    retryAfter: String(retryAfter),
  });
}
