import { cellsOf, type Sheet, type SheetRow, SheetTotals } from './sheet.pure.js';
import { textsOf } from './i18n/texts.js';
import { sheetCsvLine, type SheetFormat, sheetFormatOf } from './sheet-format.pure.js';

const formatOf = (tag: string): SheetFormat => {
  const format = sheetFormatOf(tag);
  if (!format) throw new Error(`${tag} is no language`);
  return format;
};
const SHEET = {
  name: 'payments',
  columns: {
    'sheet.paid-at': 'instant',
    'sheet.reference': 'text',
    'sheet.currency': 'text',
    'sheet.amount': 'amount',
  },
  sums: [{ by: ['sheet.currency'], of: ['sheet.amount'] }],
} as const satisfies Sheet;
const row = (reference: string, amount: string | null, currency = 'EUR'): SheetRow<typeof SHEET.columns> => ({
  'sheet.paid-at': new Date('2026-11-30T23:30:00Z'),
  'sheet.reference': reference,
  'sheet.currency': currency,
  'sheet.amount': amount,
});
const line = (tag: string, timeZone: string, ...of: Parameters<typeof row>) =>
  sheetCsvLine(
    cellsOf(SHEET.columns, row(...of), { texts: textsOf(tag.slice(0, 2) as 'en'), timeZone }),
    formatOf(tag),
  );

it.each([
  ['en-US', 'UTC', '11/30/2026 23:30:00,Order 1,EUR,1250.50,\r\n'],
  ['de', 'Europe/Berlin', '01.12.2026 00:30:00;Order 1;EUR;1250,50;\r\n'],
  ['fr', 'America/New_York', '30/11/2026 18:30:00;Order 1;EUR;1250,50;\r\n'],
  ['ja', 'Asia/Kathmandu', '2026/12/01 05:15:00,Order 1,EUR,1250.50,\r\n'],
])('writes a line in %s on the clock of %s', (tag, timeZone, expected) => {
  expect(line(tag, timeZone, 'Order 1', '1250.50')).toBe(expected);
});

it.each([
  ['a formula', '=1+1', `'=1+1`],
  ['a formula behind the other separator', 'A;=1+1', `"'A;'=1+1"`],
  ['a formula of full width', '＝cmd()', `'＝cmd()`],
  ['a negative number', '-5', `'-5`],
  ['leading zeros', '00421', `'00421`],
  ['twenty digits', '12345678901234567890', `'12345678901234567890`],
  ['a date', '3-4', `'3-4`],
  ['quotes', 'say "hi", you', `"say ""hi"", you"`],
  ['a line break', 'a\r\n=b', `"a\r\n'=b"`],
  ['nothing unusual', 'Order 4711', 'Order 4711'],
])('keeps %s as a text', (_what, reference, expected) => {
  expect(line('en', 'UTC', reference, null)).toBe(`11/30/2026 23:30:00,${expected},EUR,,\r\n`);
});

it('writes an amount of more than fifteen digits as a text, in the marks of the language', () => {
  expect(line('de', 'UTC', 'Order 1', '1.000000000000000001')).toBe(
    `30.11.2026 23:30:00;Order 1;EUR;"'1,000000000000000001";"${textsOf('de').text('sheet.text-amounts')}"\r\n`,
  );
});

it('says a word in the language of the reader, and what a row is noted with', () => {
  const cells = cellsOf(
    { 'sheet.status': 'word' },
    { 'sheet.status': 'sheet.payment-paid', note: { text: 'sheet.small-transfers', values: { count: 3 } } },
    { texts: textsOf('de'), timeZone: 'UTC' },
  );
  expect(cells).toEqual([{ text: 'Bezahlt' }, { text: 'Kleine Eingänge zusammengezählt: 3' }]);
});

it('adds up exactly, each currency for itself, whatever their places and however long', () => {
  const totals = new SheetTotals(SHEET);
  for (const [amount, currency] of [
    ['0.1', 'EUR'],
    ['0.2', 'EUR'],
    ['12345678901234567890.000000000000000001', 'ETH'],
    ['1', 'ETH'],
    ['150', 'JPY'],
    [null, 'EUR'],
  ] as const)
    totals.add(row('x', amount, currency));
  expect(totals.rows()).toEqual([
    { 'sheet.currency': 'ETH', 'sheet.amount': '12345678901234567891.000000000000000001' },
    { 'sheet.currency': 'EUR', 'sheet.amount': '0.3' },
    { 'sheet.currency': 'JPY', 'sheet.amount': '150' },
  ]);
});

it('has no totals of nothing, nor of what has no currency', () => {
  const totals = new SheetTotals(SHEET);
  totals.add({ ...row('x', '5'), 'sheet.currency': null });
  expect(totals.rows()).toEqual([]);
});

it('has the totals of kinds in the order in which the file has them, whatever the language calls them', () => {
  const sums = [{ by: ['sheet.kind', 'sheet.currency'], of: ['sheet.amount'] }] as const;
  const totals = new SheetTotals({ sums });
  for (const [kind, currency] of [
    ['Received', 'USD'],
    ['Received', 'EUR'],
    ['Open: paid too much', 'USD'],
    ['Received', 'USD'],
    ['Open: customer owes', 'USD'],
  ] as const)
    totals.add({ 'sheet.kind': kind, 'sheet.currency': currency, 'sheet.amount': '1' });
  const named = (key: 'sheet.kind' | 'sheet.currency') => totals.rows().map((one) => one[key]);
  expect(named('sheet.kind')).toEqual(['Received', 'Received', 'Open: paid too much', 'Open: customer owes']);
  expect(named('sheet.currency')).toEqual(['EUR', 'USD', 'USD', 'USD']);
});
