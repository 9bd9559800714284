import { readFileSync } from 'node:fs';
import { TABLE_CLASSES } from './support/table-classes.js';

const PAGE = readFileSync('docs/explanation/manipulations.md', 'utf8');
const rows = PAGE.split('\n')
  .map((line) => line.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll('\\|', '|')))
  .filter((cells) => cells.length === 8 && cells[6]?.startsWith('`test/'))
  .map(([, tables = '', what = '', role = '', , named = '', test = '']) => {
    const [, file = '', title = ''] = /^`(test\/[^`]+)` "(.+)"$/.exec(test) ?? [];
    return { tables: tables.replaceAll('`', '').split(', '), what, role, named, file, title };
  });

it('has at least 60 manipulations, by both roles', () => {
  expect(rows.length).toBeGreaterThanOrEqual(60);
  for (const role of ['app', 'owner'])
    expect(rows.filter((row) => row.role === role).length).toBeGreaterThanOrEqual(20);
  expect(rows.filter(({ role, named }) => !['app', 'owner'].includes(role) || named === '')).toEqual([]);
});

it('each row is of a table, and a case of the test that it names', () => {
  const unknown = rows.filter(
    ({ tables, file, title }) =>
      tables.some((table) => TABLE_CLASSES[table] === undefined) ||
      title === '' ||
      !readFileSync(file, 'utf8').includes(title),
  );
  expect(unknown).toEqual([]);
});

it.each([
  ['test/forged-payments.e2e-spec.ts', /\bname: (['"])(.+?)\1,/g],
  ['test/forged-refunds.e2e-spec.ts', /\bname: (['"])(.+?)\1,/g],
  ['test/silenced-each-minute.e2e-spec.ts', /\bwhat: (['"])(.+?)\1,/g],
])('every case of %s has a row', (file, declared) => {
  const cases = [...readFileSync(file, 'utf8').matchAll(declared)].map(([, , name = '']) => name);
  expect(cases.length).toBeGreaterThan(5);
  const titles = rows.filter((row) => row.file === file).map(({ title }) => title);
  expect(cases.filter((name) => !titles.includes(name))).toEqual([]);
});
