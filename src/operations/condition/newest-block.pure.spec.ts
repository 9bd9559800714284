import { newestBlockOf } from './newest-block.pure.js';

const NOW = new Date('2026-01-15T12:00:00Z');
const ago = (seconds: number) => new Date(NOW.getTime() - seconds * 1_000);
const head = { height: 100, hash: 'aa' };
const condition = { head, roseAt: ago(20), checkedAt: ago(2), trouble: null };
const cursor = { height: 100, blockTime: ago(25) };
const KNOWN = { height: 100, unknown: null, unknownSince: null };

it.each([
  ['the time of the block that was read', { condition, cursor }, 12, { ...KNOWN, time: ago(25) }],
  [
    'when it was first seen, while the gateway is behind',
    { condition, cursor: { height: 90, blockTime: ago(500) } },
    12,
    { ...KNOWN, time: ago(20) },
  ],
  [
    'when it was first seen, where its own time was not kept',
    { condition, cursor: { height: 100, blockTime: null } },
    12,
    { ...KNOWN, time: ago(20) },
  ],
  [
    'a chain that was never watched',
    { condition: null, cursor },
    12,
    { height: null, time: null, unknown: 'never', unknownSince: null },
  ],
  [
    'a node that has never answered rightly',
    {
      condition: {
        head: null,
        roseAt: null,
        checkedAt: ago(1),
        trouble: { message: 'refused', since: ago(90) },
      },
      cursor: null,
    },
    12,
    { height: null, time: null, unknown: 'unreachable', unknownSince: ago(90) },
  ],
  [
    'a node that answers no longer, with what was known last',
    { condition: { ...condition, trouble: { message: 'refused', since: ago(10) } }, cursor },
    12,
    { height: 100, time: ago(25), unknown: 'unreachable', unknownSince: ago(10) },
  ],
  [
    'slow blocks, at three of them',
    { condition: { ...condition, checkedAt: ago(1_800) }, cursor },
    600,
    { ...KNOWN, time: ago(25) },
  ],
  [
    'slow blocks, after more than three of them',
    { condition: { ...condition, checkedAt: ago(1_801) }, cursor },
    600,
    { height: 100, time: ago(25), unknown: 'outdated', unknownSince: ago(1_801) },
  ],
  [
    'fast blocks, at a minute',
    { condition: { ...condition, checkedAt: ago(60) }, cursor },
    2,
    { ...KNOWN, time: ago(25) },
  ],
  [
    'fast blocks, after more than a minute',
    { condition: { ...condition, checkedAt: ago(61) }, cursor },
    2,
    { height: 100, time: ago(25), unknown: 'outdated', unknownSince: ago(61) },
  ],
])('shows %s', (_title, known, blockSeconds, block) => {
  expect(newestBlockOf(known, blockSeconds, NOW)).toEqual(block);
});
