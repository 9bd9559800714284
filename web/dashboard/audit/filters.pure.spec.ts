import { type AuditFilters, auditFilters } from './filters.pure.js';

const local = (...parts: [number, number, number, number?, number?, number?]) =>
  new Date(parts[0], parts[1], parts[2], parts[3] ?? 0, parts[4] ?? 0, parts[5] ?? 0).toISOString();

/** Without what programs do by themselves. */
const PEOPLE = { issuedTokens: false };

it.each<[string, AuditFilters]>([
  ['', PEOPLE],
  ['act=', PEOPLE],
  ['tokens=1', {}],
  ['act=oauth_token.issued', { act: 'oauth_token.issued' }],
  ['act=wallet.activated', { act: 'wallet.activated' }],
  ['after=42', { ...PEOPLE, after: '42' }],
  ['from=2026-01-31', { ...PEOPLE, from: local(2026, 0, 31) }],
  ['to=2026-01-31', { ...PEOPLE, to: local(2026, 0, 31, 23, 59, 59) }],
  ['from=yesterday', PEOPLE],
  ['from=2026-1-1', PEOPLE],
  ['to=', PEOPLE],
])('the address "%s" asks for %j', (address, asked) =>
  expect(auditFilters(new URLSearchParams(address))).toEqual({ limit: 50, ...asked }),
);
