import { formatFeedPlace, parseFeedPlace } from './event-cursor.js';

describe('a place in the event feed', () => {
  it.each([0n, 1n, 35n, 2n ** 53n + 1n, 999_999_999_999_999_999n])(
    '%s is read as it was written',
    (position) => {
      expect(parseFeedPlace(formatFeedPlace(position))).toBe(position);
    },
  );

  it.each([
    ['empty', ''],
    ['a bare number', '12'],
    ['of another kind', 'f12'],
    ['a position with a leading zero', 'e012'],
    ['a negative position', 'e-1'],
    ['a fractional position', 'e1.5'],
    ['a position beyond a bigint column', 'e9999999999999999999'],
    ['followed by another character', 'e12 '],
    ['in digits outside of ASCII', 'e１'],
  ])('is refused when it is %s', (_what, text) => {
    expect(parseFeedPlace(text)).toBeNull();
  });
});
