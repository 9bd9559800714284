import { LOCALES } from './i18n/locale.pure.js';
import {
  isSheetNumber,
  looksLikeValue,
  sheetDate,
  sheetFormatOf,
  workbookDates,
} from './sheet-format.pure.js';

const formatOf = (tag: string) => {
  const format = sheetFormatOf(tag);
  if (!format) throw new Error(`${tag} is no language`);
  return format;
};

it.each([
  ['en', ',', '.', '11/29/2026 08:32:33'],
  ['en-US', ',', '.', '11/29/2026 08:32:33'],
  ['en-GB', ',', '.', '29/11/2026 08:32:33'],
  ['de', ';', ',', '29.11.2026 08:32:33'],
  ['de-CH', ';', '.', '29.11.2026 08:32:33'],
  ['fr', ';', ',', '29/11/2026 08:32:33'],
  ['fr-CA', ';', ',', '2026-11-29 08:32:33'],
  ['es', ';', ',', '29/11/2026 08:32:33'],
  ['es-MX', ',', '.', '29/11/2026 08:32:33'],
  ['pt-BR', ';', ',', '29/11/2026 08:32:33'],
  ['it', ';', ',', '29/11/2026 08:32:33'],
  ['nl', ';', ',', '29-11-2026 08:32:33'],
  ['pl', ';', ',', '29.11.2026 08:32:33'],
  ['ru', ';', ',', '29.11.2026 08:32:33'],
  ['tr', ';', ',', '29.11.2026 08:32:33'],
  ['ar', ';', '.', '29/11/2026 08:32:33'],
  ['ar-EG', ';', '.', '29/11/2026 08:32:33'],
  ['hi', ',', '.', '29/11/2026 08:32:33'],
  ['id', ';', ',', '29/11/2026 08:32:33'],
  ['ja', ',', '.', '2026/11/29 08:32:33'],
  ['zh-Hans', ',', '.', '2026/11/29 08:32:33'],
])('writes in %s with %j between cells, the mark %j, and %s', (tag, separator, decimalMark, date) => {
  const format = formatOf(tag);
  expect(format).toMatchObject({ separator, decimalMark });
  expect(sheetDate(new Date('2026-11-29T08:32:33.999Z'), format)).toBe(date);
});

it.each(LOCALES)(
  'has in %s a separator that is not the decimal mark, and a whole date of the common calendar',
  (tag) => {
    const format = formatOf(tag);
    expect(format.separator).not.toBe(format.decimalMark);
    expect(format.datePattern.replace(/[./-]/g, ' ').split(' ').toSorted()).toEqual(['DD', 'MM', 'YYYY']);
    expect(workbookDates(format)).toMatch(/^[dmy./-]{10} hh:mm:ss$/);
  },
);

it.each(['', 'd', 'deutsch', 'de_DE', 'de-DE-1996', 'de-u-nu-arab', 'en;', "en'", 'zh-Hant-TW-x', '12'])(
  'takes %j for no language',
  (tag) => {
    expect(sheetFormatOf(tag)).toBeNull();
  },
);

it.each<[string, boolean]>([
  ['0', true],
  ['12.50', true],
  ['999999999999999', true],
  ['1000000000000000', false],
  ['0.000000000000000001', true],
  ['0.123456789012345', true],
  ['0.1234567890123456', false],
  ['1.234567890123450000', true],
  ['12345678.12345678', false],
  ['', false],
  ['-1', false],
  ['1e5', false],
  ['1.', false],
  ['.5', false],
])('%j is a number of a spreadsheet: %s', (decimal, isOne) => {
  expect(isSheetNumber(decimal)).toBe(isOne);
  if (isOne) expect(BigInt(Number(decimal).toFixed(20).replace('.', '')) >= 0n).toBe(true);
});

it('writes every number that it takes with the same digits', () => {
  for (const text of ['0.29719449', '1234567.89012345', '0.000000000000000001', '999999999999.999', '100.00'])
    expect(Number(Number(text).toPrecision(15))).toBe(Number(text));
});

it.each<[string, string]>([
  ['twenty digits', '12345678901234567890'],
  ['leading zeros', '000421'],
  ['a date', '2026-11-29'],
  ['a day of a month', '3-4'],
  ['a fraction', '1/2'],
  ['a decimal', '12.05'],
  ['a German decimal', '1.250,00'],
  ['an exponent', '1E5'],
  ['a small exponent', '12e-3'],
  ['a time', '10:30'],
  ['a time of twelve hours', '10:30 PM'],
  ['a share', '5 %'],
  ['money', '$ 5'],
  ['money by its code', 'EUR 12'],
  ['a negative in brackets', '(5)'],
  ['a phone number', '+49 30 1234'],
  ['a month', 'MAR1'],
  ['a month beside a year', 'Nov 2026'],
  ['an instant', '2026-11-29T07:32:33Z'],
  ['Arabic digits', '٤٢١'],
  ['a logical value', 'TRUE'],
  ['a Japanese date', '2026年11月29日'],
])('%s looks like a value: %s', (_what, text) => {
  expect(looksLikeValue(text, formatOf('en'))).toBe(true);
});

it.each<[string, string]>([
  ['de', '5. Mai'],
  ['de', 'WAHR'],
  ['fr', '3 févr. 2026'],
  ['pl', '29 listopada'],
  ['ru', '29 ноября 2026'],
  ['es', 'VERDADERO'],
])('in %s, %s looks like a value', (tag, text) => {
  expect(looksLikeValue(text, formatOf(tag))).toBe(true);
});

it.each([
  'Order 4711',
  'WC-2026-4711',
  'Müller & Söhne',
  '',
  '—',
  'May I?',
  'True Coffee',
  '0x9f3c1e7a5b2d4c6e',
  '550e8400-e29b-41d4-a716-446655440000',
  "m/44'/60'/0'/0/5 of my wallet",
])('%j looks like none', (text) => {
  for (const locale of LOCALES) expect(looksLikeValue(text, formatOf(locale))).toBe(false);
});
