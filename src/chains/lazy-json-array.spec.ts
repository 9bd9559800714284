import { LazyJsonArray } from './lazy-json-array.js';

const answer = (list: string) => `{"jsonrpc":"2.0","id":7,"result":[${list}]}`;

function read(text: string): unknown[] | null {
  const cut = LazyJsonArray.cut(text);
  if (!cut) return null;
  const found: unknown[] = [];
  cut.list.each((start, end) => found.push(cut.list.parse(start, end)));
  expect(found).toHaveLength(cut.list.length);
  return found;
}

describe('a list that is cut out of an answer', () => {
  it.each([['{"a":"0x1"}'], ['{"a":"0x1"},{"b":["0x2","0x3"],"c":false}'], ['{},{},{"a":null}']])(
    'has the objects of %s',
    (list) => expect(read(answer(list))).toEqual(JSON.parse(`[${list}]`)),
  );

  it('leaves the rest of the answer, on either side of it', () => {
    const cut = LazyJsonArray.cut('{"id":7,"result":[{"a":1},{"a":2}],"jsonrpc":"2.0"}');
    expect(cut?.rest).toBe('{"id":7,"result":[],"jsonrpc":"2.0"}');
  });

  it.each([
    ['an empty one', answer('')],
    ['another result', '{"id":7,"result":"0x1"}'],
    ['an error', '{"id":7,"error":{"code":-32000,"message":"no"}}'],
    ['objects within objects', answer('{"a":{"b":1}}')],
    ['objects within lists', answer('{"a":[{"b":1}]},{"a":1}')],
    ['things that are no objects', answer('1,2')],
    ['an object and something else', answer('{"a":1},2')],
    ['lists', answer('[{"a":1}]')],
    ['spaces between the objects', answer('{"a":1}, {"a":2}')],
    ['a brace in a string', answer('{"a":"}","b":1}')],
    ['an escape', answer(String.raw`{"a":"\"},{\""}`)],
    ['no end', '{"id":7,"result":[{"a":1},{"a":2}'],
    ['half an object', '{"id":7,"result":[{"a":1},{"a"'],
    ['nothing', ''],
  ])('is left to the parser: %s', (_, text) => expect(LazyJsonArray.cut(text)).toBeNull());

  it('refuses what only looks like one', () => {
    expect(() => read(answer('{"a":"},{","b":1}'))).toThrow('no JSON');
  });
});
