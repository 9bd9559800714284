import { decideSkip, type SkipDecision, type SkipRequest } from './skipped-blocks.pure.js';

const MADE = new Date('2026-03-01T12:00:00Z');
const after = (hours: number) => new Date(MADE.getTime() + hours * 3_600_000);
/** From block 101 on, of 500, on a chain that has no address. */
const REQUEST: SkipRequest = {
  height: 400,
  applied: 100,
  tip: 500,
  lastSkippedAt: MADE,
  oldestAddressAt: null,
  isForced: false,
};
const ALL = { from: 101, to: 399 };

describe('decideSkip', () => {
  it.each<[string, Partial<SkipRequest>, SkipDecision]>([
    ['skips blocks of a chain without addresses', {}, { kind: 'skip', blocks: ALL }],
    [
      'skips blocks that are older than every address',
      { oldestAddressAt: after(3) },
      { kind: 'skip', blocks: ALL },
    ],
    [
      'refuses blocks that an address was there for',
      { oldestAddressAt: after(-24) },
      { kind: 'payable', blocks: ALL, since: after(-24) },
    ],
    [
      'refuses a block whose timestamp may be too early',
      { oldestAddressAt: after(2) },
      { kind: 'payable', blocks: ALL, since: after(2) },
    ],
    [
      'skips them all the same when forced',
      { oldestAddressAt: after(-24), isForced: true },
      { kind: 'skip', blocks: ALL },
    ],
    ['skips a single block', { height: 102 }, { kind: 'skip', blocks: { from: 101, to: 101 } }],
    ['skips up to the newest block', { height: 501 }, { kind: 'skip', blocks: { from: 101, to: 500 } }],
    ['has nothing to skip before the next block', { height: 101 }, { kind: 'nothing' }],
    ['has nothing to skip in what is applied', { height: 50, isForced: true }, { kind: 'nothing' }],
    ['refuses a height above the newest block', { height: 502, isForced: true }, { kind: 'above-tip' }],
    [
      'refuses a block that the node does not show',
      { lastSkippedAt: null, isForced: true },
      { kind: 'above-tip' },
    ],
  ])('%s', (_title, changes, expected) => {
    expect(decideSkip({ ...REQUEST, ...changes })).toEqual(expected);
  });
});
