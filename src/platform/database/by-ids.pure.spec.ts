import { byIds } from './by-ids.pure.js';

const list = byIds((among) => `select from payments where id ${among}`);

test.each([
  ['a list', ['a', 'b'], 'select from payments where id = any($1::uuid[])', [['a', 'b']]],
  ['an empty list', [], 'select from payments where id = any($1::uuid[])', [[]]],
  ['a single id', ['a'], 'select from payments where id = $1::uuid', ['a']],
])('%s', (_name, ids, text, values) => {
  expect(list(ids)).toEqual([text, values]);
});
