import type { ChainState } from '../chains/chain-health.pure.js';
import { isBackupOld, isStopped } from './outage.pure.js';

const NOW = new Date('2026-01-15T10:00:00Z');
const ago = (minutes: number) => new Date(NOW.getTime() - minutes * 60_000);

describe('isStopped', () => {
  it.each<[ChainState, number | null, boolean]>([
    ['ok', null, false],
    ['unknown', 60, false],
    ['catching_up', 600, false],
    ['unreachable', 9, false],
    ['unreachable', 10, true],
    ['unreachable', null, false],
    ['stalled', 10, true],
    ['unwatched', 10, true],
    ['halted', 0, true],
    ['halted', null, true],
  ])('%s for %s minutes: %s', (state, minutes, expected) =>
    expect(isStopped(state, minutes === null ? null : ago(minutes), NOW)).toBe(expected),
  );
});

describe('isBackupOld', () => {
  it.each([
    [null, true],
    [ago(26 * 60), false],
    [ago(26 * 60 + 1), true],
    [new Date(NOW.getTime() + 1), false],
  ])('%s: %s', (newest, expected) => expect(isBackupOld(newest, NOW)).toBe(expected));
});
