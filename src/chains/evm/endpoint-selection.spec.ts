import { type HedgeProgress, nextStep, resolveByVote, selectEndpoints } from './endpoint-selection.js';
import { afterFailure, type EndpointHealth, NEW_ENDPOINT, withTip } from './endpoint-health.js';

const NOW = 1_000_000;
const at = (height: number) => withTip(NEW_ENDPOINT, height);
const resting = (times = 1): EndpointHealth =>
  Array.from({ length: times }).reduce<EndpointHealth>(
    (health) => afterFailure(health, 'block', 'x', NOW),
    at(100),
  );

/** Names of the selected endpoints, in order: healthy ones, then resting ones. */
function select(healths: Record<string, EndpointHealth>, height: number | null) {
  const endpoints = Object.entries(healths).map(([name, health]) => ({ name, health }));
  const selection = selectEndpoints(endpoints, height, NOW);
  return [selection.fit.map(({ name }) => name).join(''), selection.resting.map(({ name }) => name).join('')];
}

describe('selectEndpoints', () => {
  it.each<[string, Record<string, EndpointHealth>, number | null, [string, string]]>([
    ['returns none of none', {}, 5, ['', '']],
    ['keeps the order of the list', { a: at(100), b: at(100) }, 100, ['ab', '']],
    ['keeps new endpoints in place', { a: NEW_ENDPOINT, b: at(100) }, 100, ['ab', '']],
    [
      'keeps an endpoint that lags by two blocks in place for an old block',
      { a: at(98), b: at(100) },
      50,
      ['ab', ''],
    ],
    ['puts an endpoint that lacks the block last', { a: at(98), b: at(100) }, 99, ['ba', '']],
    [
      'puts an endpoint that lags far behind last for an old block',
      { a: at(97), b: at(100) },
      50,
      ['ba', ''],
    ],
    [
      'puts an endpoint that lags far behind last for a request without a block',
      { a: at(97), b: at(100) },
      null,
      ['ba', ''],
    ],
    ['selects a lagging endpoint when it is the only one', { a: at(50) }, 100, ['a', '']],
    ['puts a failed endpoint after all others', { a: resting(), b: at(40), c: at(100) }, 100, ['cb', 'a']],
    ['orders failed endpoints by the end of their rest', { a: resting(3), b: resting(1) }, 100, ['', 'ba']],
    ['ignores the tip of a failed endpoint', { a: at(40), b: resting() }, 40, ['a', 'b']],
  ])('%s', (_what, healths, height, expected) => {
    expect(select(healths, height)).toEqual(expected);
  });

  it('selects an endpoint again when its rest is over', () => {
    const endpoint = { health: resting(2) };
    expect(selectEndpoints([endpoint], null, NOW + 1_999).resting).toEqual([endpoint]);
    expect(selectEndpoints([endpoint], null, NOW + 2_000).fit).toEqual([endpoint]);
  });
});

describe('nextStep', () => {
  const DELAY = 1_000;
  const progress = (changes: Partial<HedgeProgress>): HedgeProgress => ({
    total: 3,
    fit: 2,
    sent: 1,
    missing: 0,
    failed: 0,
    waitedMs: 0,
    ...changes,
  });

  it.each<[string, Partial<HedgeProgress>, ReturnType<typeof nextStep>]>([
    ['asks the first at once', { sent: 0 }, 'send'],
    ['waits for the first during the hedge delay', { waitedMs: DELAY - 1 }, 'wait'],
    ['asks a second when the first is slow', { waitedMs: DELAY }, 'send'],
    ['asks a second at once when the first failed', { failed: 1 }, 'send'],
    ['asks a second at once when the first has nothing', { missing: 1 }, 'send'],
    ['does not ask a resting endpoint to save time', { sent: 2, waitedMs: DELAY * 9 }, 'wait'],
    ['waits for the slow one when the fast one failed', { sent: 2, failed: 1, waitedMs: DELAY * 9 }, 'wait'],
    ['asks a resting endpoint when all others failed', { sent: 2, failed: 2 }, 'send'],
    [
      'concludes missing when one has nothing and the other failed',
      { sent: 2, failed: 1, missing: 1 },
      'missing',
    ],
    ['concludes missing when all have nothing', { sent: 2, missing: 2 }, 'missing'],
    [
      'concludes missing when a resting endpoint has nothing and all others failed',
      { sent: 3, failed: 2, missing: 1 },
      'missing',
    ],
    ['fails when all failed', { sent: 3, failed: 3 }, 'fail'],
    ['fails when there is no endpoint', { total: 0, fit: 0, sent: 0 }, 'fail'],
    ['asks a resting endpoint when there is no other', { total: 1, fit: 0, sent: 0 }, 'send'],
    ['waits for the only endpoint for any time', { total: 1, fit: 1, waitedMs: DELAY * 9 }, 'wait'],
  ])('%s', (_what, changes, expected) => {
    expect(nextStep(progress(changes), DELAY)).toBe(expected);
  });
});

describe('resolveByVote', () => {
  const vote = (...hashes: (string | null)[]) =>
    resolveByVote(
      hashes.map((hash, by) => ({ by, hash })),
      'ours',
    );

  it.each<[string, (string | null)[], { hash: string | null; outvoted?: number[]; isDisputed?: boolean }]>([
    ['keeps the applied block when all show it', ['ours', 'ours'], { hash: 'ours' }],
    ['keeps the applied block in a tie', ['new', 'ours'], { hash: 'ours', outvoted: [0] }],
    ['keeps the applied block in a tie, in any order', ['ours', 'new'], { hash: 'ours', outvoted: [1] }],
    ['accepts the new block of the only endpoint', ['new'], { hash: 'new' }],
    ['accepts the new block when all show it', ['new', 'new'], { hash: 'new' }],
    ['accepts the new block of the majority', ['new', 'ours', 'new'], { hash: 'new', outvoted: [1] }],
    [
      'keeps the applied block against half of the votes',
      ['new', 'new', 'ours', 'ours'],
      { hash: 'ours', outvoted: [0, 1] },
    ],
    [
      'keeps the applied block when the others disagree',
      ['a', 'ours', 'b'],
      { hash: 'ours', outvoted: [0, 2] },
    ],
    ['reports a dispute between two new blocks', ['a', 'b'], { hash: null, isDisputed: true }],
    ['prefers the applied block to none', [null, 'ours'], { hash: 'ours' }],
    ['prefers a new block to none', [null, 'new', null], { hash: 'new' }],
    ['returns none when no endpoint has a block', [null, null], { hash: null }],
    ['returns none without votes', [], { hash: null }],
  ])('%s', (_what, hashes, expected) => {
    expect(vote(...hashes)).toEqual({ outvoted: [], isDisputed: false, ...expected });
  });
});
