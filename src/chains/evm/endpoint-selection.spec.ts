import { type Asking, chooseEndpoints, resolveByVote, nextStep } from './endpoint-selection.js';
import { afterFailure, type EndpointHealth, NEW_ENDPOINT, withTip } from './endpoint-health.js';

const NOW = 1_000_000;
const at = (height: number) => withTip(NEW_ENDPOINT, height);
const resting = (times = 1): EndpointHealth =>
  Array.from({ length: times }).reduce<EndpointHealth>(
    (health) => afterFailure(health, 'block', 'x', NOW),
    at(100),
  );

/** Names of the chosen, in order. */
function choose(healths: Record<string, EndpointHealth>, height: number | null) {
  const endpoints = Object.entries(healths).map(([name, health]) => ({ name, health }));
  const choice = chooseEndpoints(endpoints, height, NOW);
  return [choice.fit.map(({ name }) => name).join(''), choice.resting.map(({ name }) => name).join('')];
}

describe('chooseEndpoints', () => {
  it.each<[string, Record<string, EndpointHealth>, number | null, [string, string]]>([
    ['nobody, of none', {}, 5, ['', '']],
    ['in the order of the list', { a: at(100), b: at(100) }, 100, ['ab', '']],
    ['new ones as they stand', { a: NEW_ENDPOINT, b: at(100) }, 100, ['ab', '']],
    ['who is a block or two behind, for an old block', { a: at(98), b: at(100) }, 50, ['ab', '']],
    ['who lacks the block last', { a: at(98), b: at(100) }, 99, ['ba', '']],
    ['who is far behind last, whatever is asked', { a: at(97), b: at(100) }, 50, ['ba', '']],
    ['who is far behind last, when no block is asked', { a: at(97), b: at(100) }, null, ['ba', '']],
    ['who lags, when there is no other', { a: at(50) }, 100, ['a', '']],
    ['who failed only after all others', { a: resting(), b: at(40), c: at(100) }, 100, ['cb', 'a']],
    ['of the failing the one that is soonest back', { a: resting(3), b: resting(1) }, 100, ['', 'ba']],
    ['without regard to what a failing one claims', { a: at(40), b: resting() }, 40, ['a', 'b']],
  ])('asks %s', (_what, healths, height, expected) => {
    expect(choose(healths, height)).toEqual(expected);
  });

  it('takes an endpoint back when its rest is over', () => {
    const endpoint = { health: resting(2) };
    expect(chooseEndpoints([endpoint], null, NOW + 1_999).resting).toEqual([endpoint]);
    expect(chooseEndpoints([endpoint], null, NOW + 2_000).fit).toEqual([endpoint]);
  });
});

describe('nextStep', () => {
  const DELAY = 1_000;
  const asking = (changes: Partial<Asking>): Asking => ({
    total: 3,
    fit: 2,
    asked: 1,
    nothing: 0,
    failed: 0,
    waitedMs: 0,
    ...changes,
  });

  it.each<[string, Partial<Asking>, ReturnType<typeof nextStep>]>([
    ['asks the first at once', { asked: 0 }, 'ask'],
    ['waits for it', { waitedMs: DELAY - 1 }, 'wait'],
    ['asks a second when the first is slow', { waitedMs: DELAY }, 'ask'],
    ['asks a second at once when the first failed', { failed: 1 }, 'ask'],
    ['asks a second at once when the first has nothing', { nothing: 1 }, 'ask'],
    ['asks no failing one to be fast', { asked: 2, waitedMs: DELAY * 9 }, 'wait'],
    ['waits for the slow one when the fast one failed', { asked: 2, failed: 1, waitedMs: DELAY * 9 }, 'wait'],
    ['asks a failing one when all others failed', { asked: 2, failed: 2 }, 'ask'],
    ['believes one that has nothing when the other failed', { asked: 2, failed: 1, nothing: 1 }, 'nothing'],
    ['believes all that have nothing', { asked: 2, nothing: 2 }, 'nothing'],
    ['believes a failing one that has nothing', { asked: 3, failed: 2, nothing: 1 }, 'nothing'],
    ['gives up when all failed', { asked: 3, failed: 3 }, 'fail'],
    ['gives up when there is nobody', { total: 0, fit: 0, asked: 0 }, 'fail'],
    ['asks a failing one when there is no other', { total: 1, fit: 0, asked: 0 }, 'ask'],
    ['waits for the only one however long', { total: 1, fit: 1, waitedMs: DELAY * 9 }, 'wait'],
  ])('%s', (_what, changes, expected) => {
    expect(nextStep(asking(changes), DELAY)).toBe(expected);
  });
});

describe('resolveByVote', () => {
  const judge = (...hashes: (string | null)[]) =>
    resolveByVote(
      hashes.map((hash, by) => ({ by, hash })),
      'ours',
    );

  it.each<[string, (string | null)[], { hash: string | null; outvoted?: number[]; isDisputed?: boolean }]>([
    ['our block, when all show it', ['ours', 'ours'], { hash: 'ours' }],
    ['our block against one', ['new', 'ours'], { hash: 'ours', outvoted: [0] }],
    ['our block against one, whoever is first', ['ours', 'new'], { hash: 'ours', outvoted: [1] }],
    ['the new block, when the only one shows it', ['new'], { hash: 'new' }],
    ['the new block, when all show it', ['new', 'new'], { hash: 'new' }],
    ['the new block of the majority', ['new', 'ours', 'new'], { hash: 'new', outvoted: [1] }],
    ['our block against half', ['new', 'new', 'ours', 'ours'], { hash: 'ours', outvoted: [0, 1] }],
    ['our block where others differ', ['a', 'ours', 'b'], { hash: 'ours', outvoted: [0, 2] }],
    ['neither of two new ones', ['a', 'b'], { hash: null, isDisputed: true }],
    ['a block rather than none', [null, 'ours'], { hash: 'ours' }],
    ['a new block rather than none', [null, 'new', null], { hash: 'new' }],
    ['none, when nobody has one', [null, null], { hash: null }],
    ['none, when nobody votes', [], { hash: null }],
  ])('goes by %s', (_what, hashes, expected) => {
    expect(judge(...hashes)).toEqual({ outvoted: [], isDisputed: false, ...expected });
  });
});
