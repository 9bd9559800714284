import { PollPace, type PollTiming } from './poll-pace.pure.js';

const ETHEREUM: PollTiming = { intervalMs: 6_000, blockSeconds: 12, isReadByBlocks: true };
const ARBITRUM: PollTiming = { intervalMs: 3_000, blockSeconds: 1, isReadByBlocks: true };
const BITCOIN: PollTiming = { intervalMs: 1_000, blockSeconds: 600, isReadByBlocks: false };

/** Seconds at which turns begin, when the clock is looked at every tick and at each announcement. */
function turns(timing: PollTiming, untilSeconds: number, announcedAt: readonly number[] = []): number[] {
  const pace = new PollPace(timing);
  const found: number[] = [];
  for (let at = 0; at <= untilSeconds * 1_000; at += 250) {
    const isAnnounced = announcedAt.includes(at / 1_000);
    if (isAnnounced) pace.announce(at);
    if ((at % pace.tickMs !== 0 && !isAnnounced) || !pace.isDue(at)) continue;
    pace.began(at);
    pace.ended(false);
    found.push(at / 1_000);
  }
  return found;
}

const every = (seconds: number, from: number, to: number) =>
  Array.from({ length: Math.floor((to - from) / seconds) + 1 }, (_, i) => from + i * seconds);

describe('the pace of polls', () => {
  it('is the interval while no node announces blocks', () => {
    expect(turns(ETHEREUM, 24)).toEqual([0, 6, 12, 18, 24]);
    expect(turns(ARBITRUM, 9)).toEqual([0, 3, 6, 9]);
    expect(turns(BITCOIN, 3)).toEqual([0, 1, 2, 3]);
  });

  it('is that of the blocks while a node announces them', () => {
    expect(turns(ETHEREUM, 50, [2.25, 14.25, 26.25, 38.25, 50])).toEqual([0, 2.25, 14.25, 26.25, 38.25, 50]);
  });

  it('is the interval again once announcements have stopped for three block times', () => {
    expect(turns(ETHEREUM, 60, [12, 24])).toEqual([0, 6, 12, 24, 60]);
    expect(turns(ARBITRUM, 17, [4])).toEqual([0, 3, 5, 14, 17]);
  });

  it('does not follow announcements faster than every two seconds, on chains with faster blocks', () => {
    expect(turns({ ...ETHEREUM, blockSeconds: 2 }, 2, [1, 1.25, 2])).toEqual([0, 1, 1.25, 2]);
    expect(turns(ARBITRUM, 8, every(0.25, 0, 8))).toEqual([0, 2, 4, 6, 8]);
    expect(turns({ ...ARBITRUM, intervalMs: 500 }, 2, every(0.25, 0, 2))).toEqual([0, 0.5, 1, 1.5, 2]);
  });

  it('does not slow down the reading of a mempool, and follows its blocks at once', () => {
    expect(turns(BITCOIN, 3, [1.25, 1.5])).toEqual([0, 1, 1.25, 1.5, 3]);
  });

  it('is a minute on a chain without addresses, and the first turn after that comes at once', () => {
    const pace = new PollPace(ETHEREUM);
    const looks: number[] = [];
    for (let at = 0; at <= 120_000; at += 1_000) {
      if (!pace.isIdleDue(at, true)) continue;
      pace.lookedIdly(at);
      looks.push(at);
    }
    expect(looks).toEqual([0, 54_000, 108_000]);
    expect(pace.isDue(109_000)).toBe(true);
  });

  it('is the interval on a chain without addresses while its node fails', () => {
    const pace = new PollPace(ETHEREUM);
    const looks: number[] = [];
    for (let at = 0; at <= 80_000; at += 1_000) {
      if (!pace.isIdleDue(at, at < 6_000 || at > 12_000)) continue;
      pace.lookedIdly(at);
      looks.push(at);
    }
    expect(looks).toEqual([0, 6_000, 12_000, 66_000]);
  });

  it('waits for nothing while there is more to read, and after that for the next turn', () => {
    const pace = new PollPace(ETHEREUM);
    pace.began(0);
    pace.ended(true);
    expect(pace.isDue(1)).toBe(true);
    pace.began(1);
    pace.ended(false);
    expect([pace.isDue(2), pace.isDue(5_000), pace.isDue(5_401)]).toEqual([false, false, true]);
  });
});
