import { nextRunOf, verdictsOf } from './verdicts.pure.js';

const FINE = { consistent: true, complete: true, differenceCount: 0, unattributedCount: 0 };

it.each([
  ['nothing', {}, ['good reconciliation.consistent']],
  ['money of no payment', { unattributedCount: 3 }, ['warn reconciliation.unattributed']],
  ['what could not be read', { consistent: false, complete: false }, ['warn reconciliation.incomplete']],
  [
    'all of it',
    { consistent: false, complete: false, differenceCount: 1, unattributedCount: 1 },
    ['bad reconciliation.different', 'warn reconciliation.incomplete', 'warn reconciliation.unattributed'],
  ],
  // Of a later version: never fine against its own word.
  ['what is not said', { consistent: false }, []],
])('a comparison that found %s', (_case, changes, expected) => {
  const shown = verdictsOf({ ...FINE, ...changes }).map(({ tone, message }) => `${tone} ${message.key}`);
  expect(shown).toEqual(expected);
});

const NOW = new Date('2026-01-15T10:00:00Z');
const DAILY = {
  intervalSeconds: 86_400,
  startedAt: null,
  compared: 0,
  fullRequested: false,
  comparedAt: '2026-01-15T04:00:00Z',
};

it.each([
  ['a day later', {}, { at: '2026-01-16T04:00:00.000Z' }],
  ['never', { intervalSeconds: 0 }, { key: 'reconciliation.off' }],
  ['at once for the first time', { comparedAt: null }, { key: 'reconciliation.due' }],
  ['at once when asked for', { fullRequested: true }, { key: 'reconciliation.due' }],
  ['at once when late', { comparedAt: '2026-01-14T10:00:00Z' }, { key: 'reconciliation.due' }],
  [
    'now',
    { startedAt: '2026-01-15T09:59:00Z', compared: 12 },
    { key: 'reconciliation.running', values: { count: 12 } },
  ],
])('the next one is %s', (_case, changes, expected) => {
  expect(nextRunOf({ ...DAILY, ...changes }, NOW)).toEqual(expected);
});
