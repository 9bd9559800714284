import { LazyJsonArray } from './lazy-json-array.js';

const response = (list: string) => `{"jsonrpc":"2.0","id":7,"result":[${list}]}`;

function read(text: string): unknown[] | null {
  const cut = LazyJsonArray.cut(text);
  if (!cut) return null;
  const found: unknown[] = [];
  cut.list.each((start, end) => found.push(cut.list.parse(start, end)));
  expect(found).toHaveLength(cut.list.length);
  return found;
}

describe('LazyJsonArray', () => {
  it.each([['{"a":"0x1"}'], ['{"a":"0x1"},{"b":["0x2","0x3"],"c":false}'], ['{},{},{"a":null}']])(
    'returns the objects of %s',
    (list) => expect(read(response(list))).toEqual(JSON.parse(`[${list}]`)),
  );

  it('leaves the rest of the response on both sides of the array', () => {
    const cut = LazyJsonArray.cut('{"id":7,"result":[{"a":1},{"a":2}],"jsonrpc":"2.0"}');
    expect(cut?.rest).toBe('{"id":7,"result":[],"jsonrpc":"2.0"}');
  });

  it.each([
    ['an empty array', response('')],
    ['another result', '{"id":7,"result":"0x1"}'],
    ['an error', '{"id":7,"error":{"code":-32000,"message":"no"}}'],
    ['objects within objects', response('{"a":{"b":1}}')],
    ['objects within arrays', response('{"a":[{"b":1}]},{"a":1}')],
    ['values that are not objects', response('1,2')],
    ['an object and something else', response('{"a":1},2')],
    ['nested arrays', response('[{"a":1}]')],
    ['spaces between the objects', response('{"a":1}, {"a":2}')],
    ['a brace in a string', response('{"a":"}","b":1}')],
    ['an escape', response(String.raw`{"a":"\"},{\""}`)],
    ['an array without end', '{"id":7,"result":[{"a":1},{"a":2}'],
    ['half an object', '{"id":7,"result":[{"a":1},{"a"'],
    ['an empty response', ''],
  ])('leaves to the parser: %s', (_, text) => expect(LazyJsonArray.cut(text)).toBeNull());

  it('rejects an object that is not valid JSON', () => {
    expect(() => read(response('{"a":"},{","b":1}'))).toThrow('not valid JSON');
  });
});
