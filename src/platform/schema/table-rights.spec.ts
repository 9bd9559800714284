import { compareRights, declaredRights } from './table-rights.js';

describe('declaredRights', () => {
  it.each([
    ['', ['select']],
    ['insert', ['select', 'insert']],
    ['insert, update (a, b_c), delete', ['select', 'insert', 'update (a)', 'update (b_c)', 'delete']],
    ['update (a)', ['select', 'update (a)']],
  ])('reads "%s"', (text, rights) => {
    expect(declaredRights({ t: text })).toEqual(rights.map((right) => ({ table: 't', right })));
  });

  it.each([
    ['a whole table of columns', 'insert, update'],
    ['an unknown right', 'truncate'],
    ['capitals', 'INSERT'],
    ['a column list without a space', 'update (a,b)'],
    ['an empty column list', 'update ()'],
    ['a statement', 'insert; drop table t'],
  ])('refuses %s', (_what, text) => {
    expect(() => declaredRights({ t: text })).toThrow('the rights on t');
  });

  it('reads every line of migrations/grants.ts', () => {
    expect(declaredRights().length).toBeGreaterThan(150);
  });
});

describe('compareRights', () => {
  const declared = declaredRights({ t: 'insert' });
  it('finds nothing when both are the same, in any order', () => {
    expect(compareRights([...declared].reverse(), declared)).toEqual({ missing: [], excess: [] });
  });

  it('names what is missing and what is too much', () => {
    const actual = [
      { table: 't', right: 'insert' },
      { table: 't', right: 'delete' },
      { table: 'u', right: 'insert' },
    ];
    expect(compareRights(actual, declared)).toEqual({
      missing: [{ table: 't', right: 'select' }],
      excess: [
        { table: 't', right: 'delete' },
        { table: 'u', right: 'insert' },
      ],
    });
  });
});
