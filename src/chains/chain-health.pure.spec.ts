import {
  type ChainCondition,
  chainState,
  type ChainState,
  isDelayed,
  isPayable,
  stallSeconds,
} from './chain-health.pure.js';

const NOW = new Date('2026-05-01T12:00:00Z');
const ago = (seconds: number) => new Date(NOW.getTime() - seconds * 1_000);

function condition(changes: Partial<ChainCondition> = {}): ChainCondition {
  return {
    head: { height: 100, hash: '0xaa' },
    roseAt: ago(5),
    checkedAt: ago(1),
    trouble: null,
    reorgs: { count: 0, deepest: 0, lastDepth: 0, lastAt: null },
    endpoints: [],
    ...changes,
  };
}

describe('how long a chain may stand still', () => {
  it.each([
    ['blocks of 12 s', 12, 30, 360],
    ['blocks of 10 minutes', 600, 10, 6_000],
    ['fast blocks: never below two minutes', 1, 10, 120],
    ['the smallest setting', 2, 1, 120],
    ['switched off', 12, 0, null],
  ])('%s', (_name, averageBlockSeconds, blocks, seconds) => {
    expect(stallSeconds({ averageBlockSeconds }, blocks)).toBe(seconds);
  });
});

describe('the state of a chain', () => {
  const trouble = { message: 'silent', since: ago(60) };
  const cases: [
    name: string,
    state: ChainState,
    condition: ChainCondition | null,
    halted: boolean,
    stall: number | null,
  ][] = [
    ['news a moment ago', 'ok', condition(), false, 120],
    ['the last news exactly at the limit', 'ok', condition({ roseAt: ago(120) }), false, 120],
    ['no news for longer', 'stalled', condition({ roseAt: ago(121) }), false, 120],
    [
      'no news, and that is not judged',
      'ok',
      condition({ roseAt: ago(9_999), checkedAt: ago(9_999) }),
      false,
      null,
    ],
    ['asked, and no block seen yet', 'ok', condition({ head: null, roseAt: null }), false, 120],
    ['nobody asked for long', 'unwatched', condition({ checkedAt: ago(121), roseAt: ago(300) }), false, 120],
    ['a node in trouble', 'unreachable', condition({ trouble }), false, 120],
    ['a node in trouble, and stalls are not judged', 'unreachable', condition({ trouble }), false, null],
    ['trouble and old news', 'unreachable', condition({ trouble, roseAt: ago(999) }), false, 120],
    ['halted, whatever the node says', 'halted', condition(), true, 120],
    ['halted, and nobody looked', 'halted', null, true, null],
    ['nobody looked yet', 'unknown', null, false, 120],
  ];
  it.each(cases)('%s: %s', (_name, state, found, halted, stall) => {
    expect(chainState(found, halted, stall, NOW)).toBe(state);
  });

  it.each([
    ['ok', true],
    ['unknown', true],
    ['stalled', false],
    ['unwatched', false],
    ['unreachable', false],
    ['halted', false],
  ] as const)('%s: customers are asked to pay: %s', (state, asked) => {
    expect(isPayable(state)).toBe(asked);
  });
});

describe('who waits for blocks', () => {
  const since = (seconds: number) => condition({ trouble: { message: 'silent', since: ago(seconds) } });
  it.each<[string, ChainState, ChainCondition | null, boolean]>([
    ['of a chain that moves', 'ok', condition(), false],
    ['of one that nobody looked at yet', 'unknown', null, false],
    ['of one whose node failed a moment ago', 'unreachable', since(60), false],
    ['of one whose node has been silent for long', 'unreachable', since(61), true],
    ['of one that stands still', 'stalled', condition(), true],
    ['of one that nobody watches', 'unwatched', condition(), true],
    ['of one that was halted', 'halted', null, true],
  ])('%s (%s)', (_name, state, seen, isLate) => {
    expect(isDelayed(state, seen, NOW)).toBe(isLate);
  });
});
