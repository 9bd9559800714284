import {
  advanced,
  completed,
  formatProgress,
  MOST_DIFFERING,
  NO_PROGRESS,
  parseProgress,
  type Pass,
  passOf,
  type Progress,
} from './verification-pass.pure.js';

const NOW = new Date('2026-03-01T12:00:00.000Z');
const BEFORE = new Date('2026-02-01T12:00:00.000Z');
const AN_HOUR_BEFORE_THAT = new Date('2026-02-01T11:00:00.000Z');
const DONE: Progress = { ...NO_PROGRESS, comparedAt: BEFORE, fullAt: BEFORE, chains: ['ethereum'] };
const INTERRUPTED: Pass = { startedAt: BEFORE, since: null, after: 'p7' };
const ALL: Pass = { startedAt: NOW, since: null, after: null };
const CHANGED: Pass = { startedAt: NOW, since: AN_HOUR_BEFORE_THAT, after: null };

describe('passOf', () => {
  it.each<[string, Progress, string[], boolean, Pass]>([
    ['compares all the first time', NO_PROGRESS, [], false, ALL],
    ['compares what may have changed since the last pass', DONE, ['ethereum'], false, CHANGED],
    ['compares all by option', DONE, ['ethereum'], true, ALL],
    ['goes on with an interrupted pass', { ...DONE, pass: INTERRUPTED }, ['ethereum'], false, INTERRUPTED],
    ['compares all by option after an interrupted pass', { ...DONE, pass: INTERRUPTED }, [], true, ALL],
    ['compares all when a chain has come', DONE, ['ethereum', 'base'], false, ALL],
    ['goes on when a chain has gone', DONE, [], false, CHANGED],
    [
      'compares all when too many payments differ',
      { ...DONE, differing: Array.from({ length: MOST_DIFFERING + 1 }, (_, i) => `p${i}`) },
      ['ethereum'],
      false,
      ALL,
    ],
  ])('%s', (_what, progress, chains, isFull, expected) => {
    expect(passOf(progress, chains, isFull, NOW)).toEqual(expected);
  });
});

describe('the stored progress', () => {
  it('is what the interrupted run had reached', () => {
    const stored = advanced(DONE, CHANGED, 'p9', ['p3', 'p3'], ['ethereum']);
    expect(stored).toEqual({ ...DONE, pass: { ...CHANGED, after: 'p9' }, differing: ['p3'] });
    expect(parseProgress(formatProgress(stored))).toEqual(stored);
  });

  it('is the start of a completed pass, because what changed during it may have been missed', () => {
    expect(completed(DONE, { ...ALL, after: 'p9' }, [], ['base'])).toEqual({
      ...DONE,
      comparedAt: NOW,
      fullAt: NOW,
      chains: ['base'],
    });
    expect(completed(DONE, CHANGED, ['p1'], ['ethereum'])).toEqual({
      ...DONE,
      comparedAt: NOW,
      differing: ['p1'],
    });
  });
});
