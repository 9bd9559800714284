import { formatPlace, NEWEST, parsePlace } from './keyset-cursor.pure.js';

const ID = '550e8400-e29b-41d4-a716-446655440000';

describe('a place in a list that is ordered by time', () => {
  it.each([
    ['a place in the list', { at: new Date('2026-01-15T10:00:00.123Z'), id: ID }],
    ['the beginning of a list that runs backwards', NEWEST],
    ['the first moment of all', { at: new Date(0), id: ID }],
  ])('returns %s as it was', (_what, place) => {
    expect(parsePlace(formatPlace(place))).toEqual(place);
  });

  it.each([
    ['nothing', ''],
    ['a place in the event feed', 'e12'],
    ['a time alone', 't12'],
    ['an id that is not canonical', `t12.${ID.toUpperCase()}`],
    ['a time before 1970', `t-1.${ID}`],
    ['a time with a leading zero', `t01.${ID}`],
    ['a time beyond every date of the database', `t9999999999999999.${ID}`],
    ['more behind it', `t12.${ID} `],
    ['bytes that are no text', '\u00ff\u0000'],
  ])('refuses %s', (_what, text) => {
    expect(parsePlace(text)).toBeNull();
  });
});
