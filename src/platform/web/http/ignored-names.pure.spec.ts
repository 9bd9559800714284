import { ignoredFieldsHeader } from './ignored-names.pure.js';

describe('ignoredFieldsHeader', () => {
  it.each<[string, string[], string | null]>([
    ['nothing sent', [], null],
    ['known fields only', ['name'], null],
    ['unknown ones, in their order', ['b', 'name', 'a'], 'b, a'],
    ['another case', ['Name'], 'Name'],
    ['line breaks', ['a\r\nSet-Cookie: x=1', 'b'], 'b'],
    ['commas, spaces and quotes', ['a,b', 'c d', '"e"', ''], null],
    ['other letters', ['naïve', '名前'], null],
    ['a long name', ['x'.repeat(33), 'y'.repeat(32)], 'y'.repeat(32)],
    ['a random secret', ['a1b2c3d4e5f60718293a4b5c'], null],
    [
      'names with separators and a number',
      ['callback_url', 'line-item.2', 'address2'],
      'callback_url, address2',
    ],
    ['a client token', [`pct_${'a'.repeat(40)}`], null],
    ['names of objects', ['constructor', 'toString'], 'constructor, toString'],
  ])('%s', (_name, sent, header) => expect(ignoredFieldsHeader(sent, ['name'])).toBe(header));

  it('lists at most twenty names', () => {
    const many = Array.from({ length: 30 }, (_, at) => `f${at}`);
    expect(ignoredFieldsHeader(many, [])?.split(', ')).toEqual(many.slice(0, 20));
  });
});
