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
    backlog: null,
    reorgs: { count: 0, deepest: 0, lastDepth: 0, lastAt: null },
    endpoints: [],
    ...changes,
  };
}

describe('stallSeconds', () => {
  it.each([
    ['blocks of 12 s', 12, 30, 360],
    ['blocks of 10 minutes', 600, 10, 6_000],
    ['fast blocks: at least two minutes', 1, 10, 120],
    ['the smallest setting', 2, 1, 120],
    ['switched off', 12, 0, null],
  ])('%s', (_name, averageBlockSeconds, blocks, seconds) => {
    expect(stallSeconds({ averageBlockSeconds }, blocks)).toBe(seconds);
  });
});

describe('chainState', () => {
  const trouble = { message: 'silent', since: ago(60) };
  const behind = (isDeclared: boolean) => ({ blocks: 500, isDeclared, since: ago(60), startedWith: 900 });
  const cases: [
    name: string,
    state: ChainState,
    condition: ChainCondition | null,
    halted: boolean,
    stall: number | null,
  ][] = [
    ['a new head just now', 'ok', condition(), false, 120],
    ['the last new head exactly at the limit', 'ok', condition({ roseAt: ago(120) }), false, 120],
    ['no new head for longer than the limit', 'stalled', condition({ roseAt: ago(121) }), false, 120],
    [
      'no new head while the stall check is off',
      'ok',
      condition({ roseAt: ago(9_999), checkedAt: ago(9_999) }),
      false,
      null,
    ],
    ['watched, but no block seen yet', 'ok', condition({ head: null, roseAt: null }), false, 120],
    [
      'not watched for longer than the limit',
      'unwatched',
      condition({ checkedAt: ago(121), roseAt: ago(300) }),
      false,
      120,
    ],
    ['an old head that rises', 'catching_up', condition({ backlog: behind(false) }), false, 120],
    [
      'an old head that does not rise',
      'stalled',
      condition({ backlog: behind(false), roseAt: ago(121) }),
      false,
      120,
    ],
    [
      'a node that says that it is syncing, and shows no new block',
      'catching_up',
      condition({ backlog: behind(true), roseAt: ago(9_999) }),
      false,
      120,
    ],
    [
      'a node that says so while the stall check is off',
      'catching_up',
      condition({ backlog: behind(true) }),
      false,
      null,
    ],
    [
      'a syncing node that nobody asks any more',
      'unwatched',
      condition({ backlog: behind(true), checkedAt: ago(121) }),
      false,
      120,
    ],
    ['a syncing node that fails', 'unreachable', condition({ backlog: behind(true), trouble }), false, 120],
    ['a failing node', 'unreachable', condition({ trouble }), false, 120],
    ['a failing node while the stall check is off', 'unreachable', condition({ trouble }), false, null],
    ['a failing node and no new head', 'unreachable', condition({ trouble, roseAt: ago(999) }), false, 120],
    ['halted, with a healthy node', 'halted', condition(), true, 120],
    ['halted before it was watched', 'halted', null, true, null],
    ['not watched yet', 'unknown', null, false, 120],
  ];
  it.each(cases)('%s: %s', (_name, state, found, halted, stall) => {
    expect(chainState(found, halted, stall, NOW)).toBe(state);
  });

  it.each([
    ['ok', true],
    ['unknown', true],
    ['catching_up', false],
    ['stalled', false],
    ['unwatched', false],
    ['unreachable', false],
    ['halted', false],
  ] as const)('isPayable(%s) is %s', (state, payable) => {
    expect(isPayable(state)).toBe(payable);
  });
});

describe('isDelayed', () => {
  const since = (seconds: number) => condition({ trouble: { message: 'silent', since: ago(seconds) } });
  it.each<[string, ChainState, ChainCondition | null, boolean]>([
    ['a healthy chain is not delayed', 'ok', condition(), false],
    ['a chain that is not watched yet is not delayed', 'unknown', null, false],
    ['a chain whose node has just failed is not delayed', 'unreachable', since(60), false],
    ['a chain whose node failed over a minute ago is delayed', 'unreachable', since(61), true],
    ['a chain whose node is catching up is delayed', 'catching_up', condition(), true],
    ['a stalled chain is delayed', 'stalled', condition(), true],
    ['an unwatched chain is delayed', 'unwatched', condition(), true],
    ['a halted chain is delayed', 'halted', null, true],
  ])('%s (%s)', (_name, state, seen, isLate) => {
    expect(isDelayed(state, seen, NOW)).toBe(isLate);
  });
});
