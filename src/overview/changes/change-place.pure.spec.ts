import { formatChangePlace, isContinuable, parseChangePlace, ReadingPlace } from './change-place.pure.js';

const NOW = { transaction: 900n, second: 10_000 };

describe('a place in the changes', () => {
  it.each([
    { transaction: 0n, second: 1 },
    { transaction: 123_456_789_012n, second: 1_795_310_421 },
  ])('survives being written and read: %j', (place) => {
    expect(parseChangePlace(formatChangePlace(place))).toEqual(place);
  });

  it.each(['', 'nonsense', 'e1', formatChangePlace(NOW) + ' ', formatChangePlace({ ...NOW, second: -1 })])(
    'is not read from %s',
    (text) => {
      expect(parseChangePlace(text)).toBeNull();
    },
  );

  it.each([
    ['now', NOW, true],
    ['minutes ago', { transaction: 5n, second: NOW.second - 479 }, true],
    ['so long ago that changes may be gone', { transaction: 5n, second: NOW.second - 480 }, false],
    ['ahead of every transaction, as after a restore', { transaction: 901n, second: NOW.second }, false],
  ])('of %s is continued from or not', (_when, place, expected) => {
    expect(isContinuable(place, NOW)).toBe(expected);
  });
});

describe('the place to read from', () => {
  it('is the oldest open transaction', () => {
    const place = new ReadingPlace();
    expect(place.advance(100n, 110n, 0)).toBe(100n);
    expect(place.advance(105n, 120n, 1)).toBe(105n);
  });

  it('passes a transaction that stays open for longer than 30 seconds', () => {
    const place = new ReadingPlace();
    expect(place.advance(100n, 110n, 0)).toBe(100n);
    expect(place.advance(100n, 140n, 29)).toBe(100n);
    expect(place.advance(100n, 150n, 30)).toBe(110n);
    expect(place.advance(100n, 160n, 59)).toBe(140n);
    expect(place.advance(158n, 170n, 60)).toBe(158n);
  });
});
