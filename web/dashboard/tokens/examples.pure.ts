import type { Scope } from '../api/operations.js';

interface Example {
  baseUrl: string;
  token: string;
  clientId: string;
  scopes: readonly Scope[];
}

/** What a server needs to know, for its `.env`. */
export function envOf({ baseUrl, token, clientId }: Omit<Example, 'scopes'>): string {
  return `GATEWAY_URL=${baseUrl}\nGATEWAY_TOKEN=${token}\nGATEWAY_CLIENT_ID=${clientId}`;
}

/** A command that works as it is with this token: it creates an order, or the most that the scopes allow. */
export function curlOf({ baseUrl, token, clientId, scopes }: Example): string {
  const bearer = `-H 'Authorization: Bearer ${token}'`;
  const may = (scope: Scope) => scopes.includes('*') || scopes.includes(scope);
  if (may('payments.create')) {
    const order = {
      amount: 2500,
      currencyCode: 'USD',
      reference: 'TEST-1',
      referenceLabel: 'Test order',
      clientId,
    };
    return [
      `curl -s '${baseUrl}/api/payment/checkout' \\`,
      `  ${bearer} \\`,
      `  -H 'Content-Type: application/json' \\`,
      // Sent again with the same key, it is the same order and not a second one.
      `  -H 'Idempotency-Key: TEST-1' \\`,
      `  -d '${JSON.stringify(order)}'`,
    ].join('\n');
  }
  const path = may('payments.get') ? '/api/payment/by-reference?reference=TEST-1' : '/api/currencies';
  return `curl -s '${baseUrl}${path}' \\\n  ${bearer}`;
}

/** The end of a day that was chosen in a calendar, in the reader's zone; null: never. @param day YYYY-MM-DD */
export function endOfDay(day: string): string | null {
  return day === '' ? null : new Date(`${day}T23:59:59`).toISOString();
}

/** Ends that are offered; `day`: of a day that is chosen, and empty: never. */
export const ENDS = ['', '30', '90', '365', 'day'] as const;
export type End = (typeof ENDS)[number];

const DAY_MS = 86_400_000;

/** The chosen end as the API takes it. @param day YYYY-MM-DD, where a day is chosen */
export function endOf(end: End, day: string, now: Date): string | null {
  if (end === 'day') return endOfDay(day);
  return end === '' ? null : new Date(now.getTime() + Number(end) * DAY_MS).toISOString();
}

/** Days after which somebody should ask what a token is for. */
const UNUSED_DAYS = 90;

interface Used {
  createdAt: string;
  lastUsedAt: string | null;
  expiresAt: string | null;
  revokedAt: string | null;
}

/** Whether a token that still works has not been used for long. */
export function isUnused({ createdAt, lastUsedAt, expiresAt, revokedAt }: Used, now: Date): boolean {
  if (revokedAt !== null || (expiresAt !== null && new Date(expiresAt) <= now)) return false;
  return now.getTime() - new Date(lastUsedAt ?? createdAt).getTime() > UNUSED_DAYS * DAY_MS;
}
