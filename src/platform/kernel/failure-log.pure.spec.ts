import { FailureLog } from './failure-log.pure.js';

const START = Date.UTC(2026, 0, 15);
const MINUTE = 60_000;

describe('a failure log', () => {
  it('logs a failure once, however often it repeats and whatever succeeds in between', () => {
    const log = new FailureLog();
    expect(log.failed('the node sent another height', START)).toBe(true);
    for (let i = 1; i <= 10_000; i++) {
      expect(log.failed('the node sent another height', START + i)).toBe(false);
      expect(log.ended(START + i)).toEqual([]);
    }
  });

  it('sums a failure up after a minute without it, and logs it again when it returns', () => {
    const log = new FailureLog();
    log.failed('timeout', START);
    log.failed('timeout', START + 30_000);
    expect(log.ended(START + 30_000 + MINUTE - 1)).toEqual([]);
    expect(log.ended(START + 30_000 + MINUTE)).toEqual([{ cause: 'timeout', times: 2, seconds: 30 }]);
    expect(log.ended(START + 10 * MINUTE)).toEqual([]);
    expect(log.failed('timeout', START + 10 * MINUTE)).toBe(true);
  });

  it.each([
    ['heights', 'left out logs of block 17', 'left out logs of block 18'],
    ['hashes', `block 0x${'ab'.repeat(32)} is gone`, `block 0x${'cd'.repeat(32)} is gone`],
    ['hashes without 0x', `block ${'ab'.repeat(32)} is gone`, `block ${'cd'.repeat(32)} is gone`],
    ['durations', 'no requests for another 7 s', 'no requests for another 12 s'],
  ])('counts messages that differ in %s as one cause', (_what, first, second) => {
    const log = new FailureLog();
    expect(log.failed(first, START)).toBe(true);
    expect(log.failed(second, START)).toBe(false);
  });

  it('distinguishes causes', () => {
    const log = new FailureLog();
    expect(log.failed('timeout', START)).toBe(true);
    expect(log.failed('ECONNREFUSED', START)).toBe(true);
  });

  it('keeps a bounded number of causes', () => {
    const log = new FailureLog();
    const letters = Array.from(
      { length: 1_000 },
      (_, i) => 'ghijklmnop'.repeat(3).slice(0, 4) + 'q'.repeat(i),
    );
    for (const cause of letters) log.failed(cause, START);
    expect(log.ended(START + MINUTE).length).toBeLessThanOrEqual(32);
  });
});
