import { hasAdvanced, nextRun, type NextRun, type Situation } from './next-run.pure.js';
import { NO_PROGRESS, type Progress } from './verification-pass.pure.js';

const DAY = 86_400_000;
const NOW = new Date('2026-03-01T12:00:00.000Z');
const ago = (ms: number) => new Date(NOW.getTime() - ms);
const RECENT = { ...NO_PROGRESS, comparedAt: ago(DAY - 1), fullAt: ago(DAY) };
const PASS = { startedAt: ago(DAY), since: null, after: 'p7' };

describe('nextRun', () => {
  it.each<[string, Partial<Situation>, NextRun]>([
    ['begins with all payments when nothing was ever compared', {}, 'full'],
    ['waits for the interval', { progress: RECENT }, 'none'],
    ['goes on after the interval', { progress: { ...RECENT, comparedAt: ago(DAY) } }, 'go on'],
    ['goes on with a run in parts at once', { progress: { ...RECENT, pass: PASS } }, 'go on'],
    [
      'compares all again after 30 days',
      { progress: { ...RECENT, comparedAt: ago(DAY), fullAt: ago(30 * DAY) } },
      'full',
    ],
    ['compares all by request', { progress: RECENT, fullRequestedAt: NOW }, 'full'],
    [
      'begins anew by request in the middle of a run',
      { progress: { ...RECENT, pass: PASS }, fullRequestedAt: NOW },
      'full',
    ],
  ])('%s', (_what, situation, expected) => {
    const nothing = { progress: NO_PROGRESS, fullRequestedAt: null };
    expect(nextRun({ ...nothing, intervalMs: DAY, now: NOW, ...situation })).toBe(expected);
  });
});

describe('hasAdvanced', () => {
  const stopped = { ...RECENT, pass: PASS };
  it.each<[string, Progress, Progress, boolean]>([
    ['a batch was compared', stopped, { ...RECENT, pass: { ...PASS, after: 'p8' } }, true],
    ['the last payment was compared', stopped, { ...RECENT, comparedAt: NOW }, true],
    ['a run has begun anew', stopped, { ...RECENT, pass: { ...PASS, startedAt: NOW } }, true],
    ['a node did not respond', stopped, stopped, false],
    ['too many payments differ', stopped, RECENT, false],
  ])('%s', (_what, before, after, expected) => {
    expect(hasAdvanced(before, after)).toBe(expected);
  });
});
