import { readOptions, UsageError } from './command-line.pure.js';

const read = (...words: string[]) => readOptions(words, ['plan', 'to'], ['contract']);

it('reads options and flags in any order', () => {
  const { given, flags } = read('--contract', '--to', 'a', '--plan', 'b');
  expect([given, [...flags]]).toEqual([{ to: 'a', plan: 'b' }, ['contract']]);
});

it.each([
  ['a word', ['secret']],
  ['an unknown option', ['--secret', 'x']],
  ['no value', ['--to']],
  ['an option for a value', ['--to', '--plan']],
  ['one twice', ['--to', 'a', '--to', 'secret']],
])('refuses %s, and repeats none', (_what, words) => {
  expect(() => read(...words)).toThrow(UsageError);
  expect(() => read(...words)).not.toThrow(/secret/);
});
