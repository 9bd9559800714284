import { execFileSync } from 'node:child_process';
import { curlOf, endOfDay, envOf } from './examples.pure.js';

const BASE = { baseUrl: 'https://pay.example.com', token: `pct_${'a'.repeat(40)}`, clientId: 'c'.repeat(32) };

/** The arguments that a shell reads out of it. */
function argumentsOf(command: string): string[] {
  const script = command.replace(
    /^curl /,
    `"${process.execPath}" -p 'JSON.stringify(process.argv.slice(1))' -- `,
  );
  return JSON.parse(execFileSync('/bin/sh', ['-c', script], { encoding: 'utf8' })) as string[];
}

it('creates an order where the token may', () => {
  const [, url, , bearer, , type, , body] = argumentsOf(curlOf({ ...BASE, scopes: ['payments.create'] }));
  expect(url).toBe('https://pay.example.com/api/payment/checkout');
  expect([bearer, type]).toEqual([`Authorization: Bearer ${BASE.token}`, 'Content-Type: application/json']);
  expect(JSON.parse(body ?? '')).toMatchObject({ clientId: BASE.clientId, amount: 2500 });
});

it.each([
  [['*' as const], '/api/payment/checkout'],
  [['payments.get' as const], '/api/payment/by-reference?reference=TEST-1'],
  [['payments.user-instructions.get' as const], '/api/currencies'],
])('with %j it asks for %s', (scopes, path) => {
  expect(argumentsOf(curlOf({ ...BASE, scopes }))[1]).toBe(`https://pay.example.com${path}`);
});

it('writes one variable a line', () => {
  expect(
    envOf(BASE)
      .split('\n')
      .map((line) => line.split('=')[0]),
  ).toEqual(['GATEWAY_URL', 'GATEWAY_TOKEN', 'GATEWAY_CLIENT_ID']);
});

it('ends a token at the end of the chosen day', () => {
  expect(endOfDay('')).toBeNull();
  expect(new Date(endOfDay('2027-01-31') ?? '').getTime()).toBe(new Date(2027, 0, 31, 23, 59, 59).getTime());
});
