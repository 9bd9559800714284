import type { ChainCondition, ChainState } from '../chains/chain-health.pure.js';
import { networkState } from './network-state.pure.js';

const CHECKED = new Date('2026-01-01T00:00:00Z');
const ROSE = new Date('2026-01-01T00:01:00Z');
const TROUBLED = new Date('2026-01-01T00:02:00Z');
const BEHIND = new Date('2025-12-31T23:59:00Z');
const HALTED = new Date('2026-01-01T00:03:00Z');

const condition: ChainCondition = {
  head: { height: 7, hash: '0x07' },
  roseAt: ROSE,
  checkedAt: CHECKED,
  backlog: { blocks: 120, isDeclared: false, since: BEHIND, startedWith: 300 },
  trouble: { message: 'https://node.example.com/secret: 502', since: TROUBLED },
  reorgs: { count: 0, deepest: 0, lastDepth: 0, lastAt: null },
  endpoints: [],
};
const halted = { since: HALTED, reason: 'fork of 70 blocks' };

describe('networkState', () => {
  it.each<[ChainState, string, Date | null, boolean]>([
    ['ok', 'OPERATIONAL', null, true],
    ['unknown', 'OPERATIONAL', null, true],
    ['catching_up', 'CATCHING_UP', BEHIND, false],
    ['stalled', 'DELAYED', ROSE, false],
    ['unwatched', 'UNAVAILABLE', CHECKED, false],
    ['unreachable', 'UNAVAILABLE', TROUBLED, false],
    ['halted', 'UNAVAILABLE', HALTED, false],
  ])('of a chain that is %s is %s', (state, status, since, acceptsPayments) => {
    const shown = networkState({ state, condition, halted });
    expect(shown).toMatchObject({ status, acceptsPayments });
    expect(shown?.since ? new Date(shown.since) : null).toEqual(since);
    expect(shown?.reason === null).toBe(status === 'OPERATIONAL');
  });

  it('estimates what is left, only while a node is catching up', () => {
    // 180 of 300 blocks in a minute.
    const catchUp = { blocksLeft: 120, secondsLeft: 40 };
    const shown = networkState({ state: 'catching_up', condition, halted: null });
    expect(shown).toMatchObject({ catchUp });
    expect(shown?.reason).toMatch(/catching up .* About 120 blocks left, about 1 minute\.$/);
    expect(networkState({ state: 'stalled', condition, halted: null })).toMatchObject({ catchUp: null });
  });

  it('repeats neither the message of a node nor the reason of a halt', () => {
    for (const state of ['unreachable', 'halted'] as const)
      expect(JSON.stringify(networkState({ state, condition, halted }))).not.toMatch(/secret|fork of/);
  });

  it('is null for a network that the gateway does not watch', () => {
    expect(networkState(null)).toBeNull();
  });
});
