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
