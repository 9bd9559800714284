import { exceededLimit, isCountUsable, type UnpaidCount } from './unpaid-payments.pure.js';

const LIMITS = { open: 1_000, recent: 10_000 };
const NOW = new Date('2026-01-01T00:10:00Z');
const COUNT: UnpaidCount = { open: 200, recent: 2_000, countedAt: NOW, createdSince: 0 };

describe('isCountUsable', () => {
  it.each<[string, Partial<UnpaidCount>, boolean]>([
    ['a fresh count far from both limits', {}, true],
    ['99 payments, of 800 more that are allowed', { createdSince: 99 }, true],
    ['an eighth of the payments that are allowed', { createdSince: 100 }, false],
    ['an eighth of what the other limit allows', { recent: 9_992, createdSince: 1 }, false],
    ['a count at the limit', { open: 1_000 }, false],
    ['a count above the limit', { open: 1_200 }, false],
    ['a count just under ten minutes old', { countedAt: new Date('2026-01-01T00:00:00.001Z') }, true],
    ['a count of ten minutes ago', { countedAt: new Date('2026-01-01T00:00:00Z') }, false],
  ])('with %s', (_what, change, usable) => {
    expect(isCountUsable({ ...COUNT, ...change }, LIMITS, NOW)).toBe(usable);
  });
});

describe('exceededLimit', () => {
  it.each([
    [999, 9_999, null],
    [1_000, 9_999, 'open'],
    [999, 10_000, 'recent'],
    [1_001, 10_001, 'open'],
  ])('of %i open and %i recent payments is %s', (open, recent, exceeded) => {
    expect(exceededLimit({ open, recent }, LIMITS)).toBe(exceeded);
  });
});
