import { type AuditFilters, auditFilters } from './filters.pure.js';

const local = (...parts: [number, number, number, number?, number?, number?]) =>
  new Date(parts[0], parts[1], parts[2], parts[3] ?? 0, parts[4] ?? 0, parts[5] ?? 0).toISOString();

it.each<[string, AuditFilters]>([
  ['', {}],
  ['act=', {}],
  ['act=wallet.activated', { act: 'wallet.activated' }],
  ['after=42', { after: '42' }],
  ['from=2026-01-31', { from: local(2026, 0, 31) }],
  ['to=2026-01-31', { to: local(2026, 0, 31, 23, 59, 59) }],
  ['from=yesterday', {}],
  ['from=2026-1-1', {}],
  ['to=', {}],
])('the address "%s" asks for %j', (address, asked) =>
  expect(auditFilters(new URLSearchParams(address))).toEqual({ limit: 50, ...asked }),
);
