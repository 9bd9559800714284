import { LOCALES } from '../../../src/platform/kernel/i18n/locale.pure.js';
import { formatMoney } from '../i18n/format.pure.js';
import { readAmount } from './read-amount.pure.js';

/** Smallest units; null: refused; two: refused as ambiguous between them. */
type Expected = string | null | readonly [string, string];

function read(text: string, locale: string, decimals = 2): Expected {
  const result = readAmount(text, { locale, decimals });
  if (result.kind === 'wrong') return null;
  return result.kind === 'amount' ? result.atomic : result.atomics;
}

it.each<[text: string, locale: string, decimals: number, expected: Expected]>([
  ['12,50', 'de', 2, '1250'],
  ['12.50', 'de', 2, '1250'],
  ['1.250', 'de', 2, '125000'],
  ['1.250,00', 'de', 2, '125000'],
  ['1,250.00', 'de', 2, '125000'],
  ['1,250', 'de', 2, ['125', '125000']],
  ['1.250.000', 'de', 2, '125000000'],
  ['1.250', 'de', 0, '1250'],
  ['1.250', 'de', 3, ['1250', '1250000']],
  ['1,250', 'de', 3, '1250'],
  ['0.001', 'de', 8, '100000'],
  ['0,001', 'de', 8, '100000'],
  ['12.50', 'en', 2, '1250'],
  ['12,50', 'en', 2, '1250'],
  ['1,250', 'en', 2, '125000'],
  ['1.250', 'en', 2, ['125', '125000']],
  ['1.250', 'en', 0, null],
  ['1.250', 'en', 3, '1250'],
  ['1,250', 'en', 3, ['1250', '1250000']],
  ['1,250.5', 'en', 2, '125050'],
  ['1.250', 'fr', 2, ['125', '125000']],
  ['1 250', 'fr', 2, '125000'],
  ['1\u{202f}250,50', 'fr', 2, '125050'],
  ['1\u{a0}250,50', 'ru', 2, '125050'],
  ['1 250,50', 'pl', 2, '125050'],
  ["1'250.50", 'it', 2, '125050'],
  ['1’250,50', 'de', 2, '125050'],
  ['١٢٫٥٠', 'ar', 2, '1250'],
  ['١٬٢٥٠٫٥', 'ar', 2, '125050'],
  ['\u{200f}١٬٢٥٠', 'ar', 2, '125000'],
  ['۱۲٫۵', 'fa', 2, '1250'],
  ['۱٬۲۵۰', 'fa', 2, '125000'],
  ['१२.५०', 'hi', 2, '1250'],
  ['१२,५०,०००', 'hi', 2, '125000000'],
  ['12,50,000', 'hi', 2, '125000000'],
  ['12,50,000', 'en', 2, null],
  ['１２．５０', 'ja', 2, '1250'],
  ['１，２５０', 'zh-Hans', 2, '125000'],
  ['25', 'en', 2, '2500'],
  [' 25 ', 'en', 2, '2500'],
  ['25.505', 'en', 2, null],
  ['25.5000', 'en', 2, '2550'],
  ['0.500', 'en', 2, '50'],
  ['1.5', 'en', 0, null],
  ['123456789012345678901.5', 'en', 18, '123456789012345678901500000000000000000'],
  ...[
    '',
    '.',
    ',',
    '-1',
    '+1',
    '1e3',
    '0x10',
    '1_250',
    '1D5',
    '½',
    '5 EUR',
    '²',
    'Ⅴ',
    '.5',
    '5.',
    '5,',
    '1..2',
    '1.2,3.4',
    '12 50',
    '1 25.00',
    '€5',
    '٫٥',
  ].map((text) => [text, 'en', 2, null] as [string, string, number, null]),
])('"%s" in %s with %d decimals is %s', (text, locale, decimals, expected) => {
  expect(read(text, locale, decimals)).toEqual(expected);
});

describe.each(LOCALES)('in %s', (locale) => {
  it.each([
    ['EUR', 2, '125050'],
    ['EUR', 2, '125000'],
    ['JPY', 0, '1250'],
    ['KWD', 3, '1250500'],
    ['USD', 2, '999'],
    ['USD', 2, '123456789'],
  ])('an amount of %s is read as it is shown', (code, decimals, atomic) => {
    const shown = formatMoney({ atomic, decimals, currency: { code } }, locale);
    // What stands beside the number: symbols, codes and the spaces before them.
    const number = shown.replace(/^[^\d]+|[^\d]+$/g, '');
    expect(read(number, locale, decimals)).toEqual(atomic);
  });

  it('never takes "1.250" for 1.25 where it may be 1250', () => {
    expect(read('1.250', locale)).not.toBe('125');
    expect(read('1,250', locale)).not.toBe('125');
  });
});
