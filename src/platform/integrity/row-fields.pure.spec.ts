import { type FieldValue, fieldText } from './row-fields.pure.js';

describe('fieldText', () => {
  it.each<[string, FieldValue, string | null]>([
    ['a text is itself', 'a', 'a'],
    ['an empty text', '', ''],
    ['no value', null, null],
    ['a flag', false, 'false'],
    ['a number', 3, '3'],
    ['a large number', 9_007_199_254_740_993n, '9007199254740993'],
    [
      'a time is in UTC with milliseconds',
      new Date('2026-01-02T03:04:05.678+01:00'),
      '2026-01-02T02:04:05.678Z',
    ],
    ['a time beyond those of JavaScript', new Date(Number.NaN), 'invalid'],
    ["Postgres' infinite time, which the driver reads as a number", Number.POSITIVE_INFINITY, 'Infinity'],
    ['bytes are in hex', Buffer.from([0, 255]), '00ff'],
    ['a list keeps its order', ['b', 'a'], '["b","a"]'],
    ['a list of one text with a comma differs from two texts', ['a","b'], String.raw`["a\",\"b"]`],
    [
      'keys of JSON are in order, at every depth',
      { b: { d: 1, c: 2 }, a: [{ z: 1, y: 2 }] },
      '{"a":[{"y":2,"z":1}],"b":{"c":2,"d":1}}',
    ],
    ['JSON has no absent values', { a: undefined, b: null }, '{"b":null}'],
  ])('%s', (_what, value, text) => {
    expect(fieldText(value)).toBe(text);
  });
});
