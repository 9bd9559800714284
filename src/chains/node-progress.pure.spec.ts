import {
  backlogOf,
  type CatchUp,
  catchUpOf,
  describeCatchUp,
  type NodeProgress,
  oldHeadSeconds,
} from './node-progress.pure.js';
import { stallSeconds } from './chain-health.pure.js';

const NOW = new Date('2026-05-01T12:00:00Z');
const ago = (seconds: number) => new Date(NOW.getTime() - seconds * 1_000);
const DEFAULT_STALL_BLOCKS = 10;

describe('oldHeadSeconds', () => {
  it.each([
    ['Bitcoin: ten block times, and the six that a time may be early', 600, 6_000 + 3_600],
    ['Litecoin', 150, 1_500 + 900],
    ['Ethereum', 12, 120 + 72],
    ['fast chains: two minutes and a little', 1, 126],
  ])('%s', (_name, averageBlockSeconds, seconds) => {
    const chain = { averageBlockSeconds };
    expect(oldHeadSeconds(chain, stallSeconds(chain, DEFAULT_STALL_BLOCKS))).toBe(seconds);
  });

  it('is not checked where stalls are not', () => {
    expect(oldHeadSeconds({ averageBlockSeconds: 12 }, null)).toBeNull();
  });
});

describe('backlogOf', () => {
  const HOUR = 3_600;
  it.each<[string, number, number, Partial<NodeProgress>, number | null, boolean]>([
    ['a new block', 12, 5, {}, null, false],
    ['a block dated ahead of the clock', 600, -7_000, {}, null, false],
    ['a block of Bitcoin after two and a half hours', 600, 9_000, {}, null, false],
    ['exactly at the limit', 12, 192, {}, null, false],
    ['older than the limit', 12, 193, {}, 17, false],
    ['six hours of Ethereum', 12, 6 * HOUR, {}, 1_800, false],
    ['six hours of Bitcoin', 600, 6 * HOUR, {}, 36, false],
    ['initial block download', 600, 6 * HOUR, { isSyncing: true, blocksLeft: 900_000 }, 900_000, true],
    ['initial block download before the first header', 600, 6_000, { isSyncing: true }, 10, true],
    ['initial block download with a new block', 150, 1, { isSyncing: true }, 1, true],
    ['eth_syncing with a new block', 12, 5, { blocksLeft: 5_000 }, 5_000, true],
    ['a few blocks that are being imported', 12, 5, { blocksLeft: 10 }, null, false],
    ['more than a few', 12, 5, { blocksLeft: 11 }, 11, true],
    ['two minutes of a fast chain', 1, 5, { blocksLeft: 120 }, null, false],
    ['an old block, and a number that is too small', 12, 6 * HOUR, { blocksLeft: 3 }, 1_800, false],
  ])('%s', (_name, averageBlockSeconds, age, said, blocks, isDeclared) => {
    const progress = { headTime: ago(age), isSyncing: false, blocksLeft: null, ...said };
    const chain = { averageBlockSeconds };
    const found = backlogOf(progress, chain, stallSeconds(chain, DEFAULT_STALL_BLOCKS), NOW);
    expect(found).toEqual(blocks === null ? null : { blocks, isDeclared });
  });

  it("hears a node's own word where the age is not checked", () => {
    const old = { headTime: ago(9_999), isSyncing: false, blocksLeft: null };
    expect(backlogOf(old, { averageBlockSeconds: 12 }, null, NOW)).toBeNull();
    expect(backlogOf({ ...old, isSyncing: true }, { averageBlockSeconds: 12 }, null, NOW)).toMatchObject({
      isDeclared: true,
    });
  });
});

describe('catchUpOf', () => {
  it.each<[string, number, number, number, number | null]>([
    ['half of it in a minute', 500, 1_000, 60, 60],
    ['a tenth in ten minutes', 900, 1_000, 600, 5_400],
    ['nothing yet', 1_000, 1_000, 600, null],
    ['too short a time', 990, 1_000, 29, null],
  ])('%s', (_name, blocks, startedWith, elapsed, secondsLeft) => {
    const backlog = { blocks, startedWith, since: ago(elapsed), isDeclared: true };
    expect(catchUpOf(backlog, NOW)).toEqual({ blocksLeft: blocks, secondsLeft });
  });
});

it.each<[CatchUp, string]>([
  [{ blocksLeft: 1, secondsLeft: null }, 'About 1 block left.'],
  [{ blocksLeft: 21_600, secondsLeft: 10_900 }, 'About 21600 blocks left, about 3 hours.'],
  [{ blocksLeft: 40, secondsLeft: 5 }, 'About 40 blocks left, about 1 minute.'],
  [{ blocksLeft: 40, secondsLeft: 100 }, 'About 40 blocks left, about 2 minutes.'],
  [{ blocksLeft: 900_000, secondsLeft: 400_000 }, 'About 900000 blocks left, about 5 days.'],
])('describeCatchUp(%j)', (catchUp, text) => {
  expect(describeCatchUp(catchUp)).toBe(text);
});
