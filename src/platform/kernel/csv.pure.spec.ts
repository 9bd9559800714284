import { csvField, csvLine, type ExportValue } from './csv.pure.js';

it.each<[string, ExportValue, string]>([
  ['plain text', 'ORDER-1', 'ORDER-1'],
  ['nothing', null, ''],
  ['empty text', '', ''],
  ['a flag', true, 'true'],
  ['a comma', 'a,b', '"a,b"'],
  ['a quote', 'a "b"', '"a ""b"""'],
  ['a line break', 'a\nb', '"a\nb"'],
  ['a carriage return inside', 'a\rb', '"a\rb"'],
  ['a space at the end', 'a ', '"a "'],
  ['an amount', '10000.00', '10000.00'],
  [
    'more digits than a double holds',
    '115792089237316195423570985008687907853',
    '115792089237316195423570985008687907853',
  ],
  ['a negative number', '-5.25', '-5.25'],
  ['a number with a plus', '+4912345', '+4912345'],
  ['a formula with =', '=HYPERLINK("https://evil.example")', `"'=HYPERLINK(""https://evil.example"")"`],
  ['a formula with +', '+1+cmd|calc', `'+1+cmd|calc`],
  ['a formula with -', '-2+3', `'-2+3`],
  ['a formula with @', '@SUM(A1)', `'@SUM(A1)`],
  ['a formula after a tab', '\t=1', `"\t'=1"`],
  ['a formula after a carriage return', '\r=1', `"\r'=1"`],
  ['a formula after a line break', 'a\n=1', `"a\n'=1"`],
  ['a formula after a semicolon', 'A;=1+1', `A;'=1+1`],
  ['a formula after a pipe', 'A|@SUM(A1)', `A|'@SUM(A1)`],
  ['a formula after a comma', 'A,=1+1', `"A,'=1+1"`],
  ['a formula after a separator and spaces', 'A; \u00a0=1', `A;' \u00a0=1`],
  ['a formula after a separator and quotes', 'A;"=1"', `"A;'""=1"""`],
  ['a formula after quotes', '""=1', `"'""""=1"`],
  ['formulas after all of them', '=1;+a|-a\t@a', `'=1;'+a|'-a\t'@a`],
  ['a full-width formula after a semicolon', 'A;\uFF1D1', `A;'\uFF1D1`],
  ['numbers with signs between separators', '-1;+2', '-1;+2'],
  ['a dash in a text', 'Coffee - large', 'Coffee - large'],
  ['a full-width formula', '\uFF1D1+1', `'\uFF1D1+1`],
  ['a sign in the middle', 'a=b', 'a=b'],
])('a field with %s', (_what, value, written) => {
  expect(csvField(value)).toBe(written);
});

it('ends every line with CR LF', () => {
  expect(csvLine(['a', null, 'b,c'])).toBe('a,,"b,c"\r\n');
});
