import { partsOfPlace, placeOf, placeSql } from './event-place.pure.js';

describe('the place of an event among those of its payment', () => {
  it.each([
    ['of the first move', { seq: 1, place: null }, 1_000],
    ['of the third move', { seq: 3, place: null }, 3_000],
    ['of an update behind the third move', { seq: null, place: 3_001 }, 3_001],
    ['of no move, as a test event', { seq: null, place: null }, 0],
  ])('%s', (_what, event, place) => expect(placeOf(event)).toBe(place));

  it.each([
    [3_001, { seq: 3, number: 1 }],
    [3_999, { seq: 3, number: 999 }],
    [10_020, { seq: 10, number: 20 }],
  ])('%s has the parts %j', (place, parts) => expect(partsOfPlace(place)).toEqual(parts));

  it('is the same in SQL', () => expect(placeSql('e')).toBe('coalesce(e.place, e.seq * 1000)'));
});
