import { csvOf } from './csv.pure.js';

it.each<[string, string]>([
  ['plain', 'plain'],
  ['25.50', '25.50'],
  ['-1.5', '-1.5'],
  ['a,b', '"a,b"'],
  ['say "hi"', '"say ""hi"""'],
  ['two\nlines', '"two\nlines"'],
  ['=1+1', "'=1+1"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['-1+1', "'-1+1"],
  ['+49', "'+49"],
])('writes %j', (cell, expected) => {
  expect(csvOf([[cell]])).toBe(`${expected}\r\n`);
});

it('writes rows in their order', () => {
  expect(
    csvOf([
      ['day', 'amount'],
      ['2026-03-01', '1.00'],
    ]),
  ).toBe('day,amount\r\n2026-03-01,1.00\r\n');
});
