import { execFileSync } from 'node:child_process';
import { curlOf, endOf, endOfDay, envOf, isUnused } from './examples.pure.js';

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
  const [, url, , bearer, , type, , key, , body] = argumentsOf(
    curlOf({ ...BASE, scopes: ['payments.create'] }),
  );
  expect(url).toBe('https://pay.example.com/api/payment/checkout');
  expect([bearer, type]).toEqual([`Authorization: Bearer ${BASE.token}`, 'Content-Type: application/json']);
  expect(key).toBe('Idempotency-Key: TEST-1');
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

const NOW = new Date('2026-11-30T12:00:00Z');

it.each([
  ['', '2027-01-31', null],
  ['30', '', '2026-12-30T12:00:00.000Z'],
  ['90', '', '2027-02-28T12:00:00.000Z'],
  ['365', '', '2027-11-30T12:00:00.000Z'],
  ['day', '', null],
] as const)('the end %j with the day %j is %s', (end, day, iso) => {
  expect(endOf(end, day, NOW)).toBe(iso);
});

it('takes the end of a chosen day', () => {
  expect(endOf('day', '2027-01-31', NOW)).toBe(endOfDay('2027-01-31'));
});

const TOKEN = { createdAt: '2026-01-01T00:00:00Z', lastUsedAt: null, expiresAt: null, revokedAt: null };

it.each([
  ['never used, and old', {}, true],
  ['never used, and new', { createdAt: '2026-09-02T00:00:00Z' }, false],
  ['used 91 days ago', { lastUsedAt: '2026-08-31T11:00:00Z' }, true],
  ['used 89 days ago', { lastUsedAt: '2026-09-02T13:00:00Z' }, false],
  ['revoked', { revokedAt: '2026-02-01T00:00:00Z' }, false],
  ['expired', { expiresAt: '2026-11-30T12:00:00Z' }, false],
  ['about to expire', { expiresAt: '2026-11-30T12:00:01Z' }, true],
] as const)('a token that is %s', (_what, fields, isOld) => {
  expect(isUnused({ ...TOKEN, ...fields }, NOW)).toBe(isOld);
});
