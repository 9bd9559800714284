import { MUTATIONS, mutationProblems, mutationRow, plant, stagesOf } from '../scripts/mutation-rules.mjs';
import { readRepository } from '../scripts/test-changed.mjs';

const SUITE = 'src/money/money.spec.ts';
const ROUNDED = {
  file: 'src/money/money.ts',
  before: '+ c - 1n',
  after: '',
  breaks: 'rounding',
  suite: SUITE,
};
const GRANTED = { ...ROUNDED, file: 'migrations/grants.ts', before: 'delete' };
const TEXTS = new Map([
  ['src/money/money.ts', '(a * b + c - 1n) / c'],
  [SUITE, ''],
  ['migrations/grants.ts', 'insert, delete'],
]);

describe('the list of mutations', () => {
  it('can be planted, and has one for every room of the program', () => {
    expect(mutationProblems(MUTATIONS, readRepository().texts)).toEqual([]);
    expect(MUTATIONS.length).toBeGreaterThanOrEqual(60);
  });

  it.each([
    ['a text that is gone', { ...ROUNDED, before: '- 2n' }, /^src\/money\/money.ts has this 0 times/],
    ['an ambiguous text', { ...ROUNDED, before: ' c' }, /^src\/money\/money.ts has this 2 times/],
    [
      'a file that is gone',
      { ...ROUNDED, file: 'src/money/cash.ts' },
      /^src\/money\/cash.ts has this 0 times/,
    ],
    ['a mistake that is none', { ...ROUNDED, after: '+ c - 1n' }, /nothing changes/],
    ['a suite that is gone', { ...ROUNDED, suite: 'src/money/cash.spec.ts' }, /cash.spec.ts does not exist/],
  ])('fails by %s', (_what, mutation, problem) => {
    const problems = mutationProblems([mutation, GRANTED, ROUNDED], TEXTS);
    expect(problems).toEqual([expect.stringMatching(problem)]);
  });

  it('fails by a room without a mutation', () => {
    const texts = new Map([...TEXTS, ['src/rates/rates.ts', ''], ['src/platform/cellar/names.ts', '']]);
    expect(mutationProblems([ROUNDED, GRANTED], texts)).toEqual([
      'src/rates has no mutation',
      'src/platform/cellar has no mutation',
    ]);
  });
});

describe('a mutation', () => {
  it('is planted as it is written, dollar signs included', () => {
    const mutation = { ...ROUNDED, after: '$& ${x}' };
    expect(plant(mutation, '(a * b + c - 1n) / c')).toBe('(a * b $& ${x}) / c');
  });

  it('is not planted where it does not fit', () => {
    expect(() => plant(ROUNDED, '(a * b) / c')).toThrow('0 times');
  });

  it('is looked for by unit tests, then by its own suite, then by the nearest others', () => {
    const near = ['a.spec.ts', 'a.e2e-spec.ts', 'b.e2e-spec.ts', 'd.e2e-spec.ts', 'c.e2e-spec.ts'];
    expect(stagesOf({ suite: 'c.e2e-spec.ts' }, near)).toEqual([
      ['a.spec.ts'],
      ['c.e2e-spec.ts'],
      ['a.e2e-spec.ts', 'b.e2e-spec.ts', 'd.e2e-spec.ts'],
    ]);
    expect(stagesOf({ suite: SUITE }, [])).toEqual([[SUITE]]);
  });

  it('is looked for by each other test once, but not by the one that compares the list with the tree', () => {
    expect(stagesOf({ suite: SUITE }, ['test/mutations.spec.ts'], [SUITE, 'far.spec.ts'])).toEqual([
      [SUITE],
      ['far.spec.ts'],
    ]);
  });

  it('is a line of the table, also when nobody notices it', () => {
    const noticed = { spec: SUITE, title: 'a | b' };
    expect(mutationRow({ mutation: ROUNDED, noticed, seconds: 3 })).toBe(
      `| src/money/money.ts | rounding | ${SUITE} | a \\| b | 3 |`,
    );
    expect(mutationRow({ mutation: ROUNDED, noticed: null, seconds: 3 })).toContain('| **nobody** |');
  });
});
