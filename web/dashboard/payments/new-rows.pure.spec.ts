import { splitNew } from './new-rows.pure.js';

const rows = (ids: string) => Array.from(ids, (id) => ({ id }));

it.each([
  ['nothing new', 'abc', 'a', 0, 'abc'],
  ['two new ones above', 'xyabc', 'a', 2, 'abc'],
  ['a list that was empty', 'ab', null, 0, 'ab'],
  ['a first row that no longer matches the filter', 'bc', 'a', 0, 'bc'],
  ['nothing at all', '', 'a', 0, ''],
])('with %s', (_title, ids, top, fresh, shown) => {
  expect(splitNew(rows(ids), top)).toEqual({ fresh, shown: rows(shown) });
});
