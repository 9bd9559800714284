import { endOfDay, startOfDay } from './day.pure.js';

describe('a day of the calendar', () => {
  it('begins at midnight of the reader, and ends a second before the next', () => {
    expect(startOfDay('2026-03-01')).toEqual(new Date(2026, 2, 1));
    expect(startOfDay('2026-02-28', 1)).toEqual(new Date(2026, 2, 1));
    expect(endOfDay('2026-12-31')).toEqual(new Date(2026, 11, 31, 23, 59, 59));
  });

  it.each([null, '', '2026-3-1', '2026-03-01T00:00', 'tomorrow'])('is null for %j', (text) => {
    expect([startOfDay(text), endOfDay(text)]).toEqual([null, null]);
  });
});
