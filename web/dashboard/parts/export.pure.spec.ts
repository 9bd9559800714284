import { fileQuery, readersLocale } from './export.pure.js';

it.each([
  ['xlsx', { format: 'xlsx', locale: 'de-AT', timeZone: 'Europe/Vienna' }],
  ['sheet', { format: 'csv', locale: 'de-AT', timeZone: 'Europe/Vienna' }],
  ['csv', { format: 'csv' }],
  ['jsonl', { format: 'jsonl' }],
] as const)('asks for %s by %j', (format, expected) => {
  expect(fileQuery(format, 'de-AT', 'Europe/Vienna')).toEqual(expected);
});

it.each([
  ['de', ['de-AT', 'en'], 'de-AT'],
  ['de', ['en-US', 'de-CH'], 'de-CH'],
  ['de', ['en-US'], 'de'],
  ['en', ['en-GB'], 'en-GB'],
  ['pt-BR', ['pt-PT'], 'pt-PT'],
  ['zh-Hans', ['zh-TW'], 'zh-Hans'],
  ['zh-Hans', ['zh-CN'], 'zh-CN'],
  ['de', ['de-DE-1996', 'de-u-nu-latn', '*', ''], 'de'],
  ['de', [], 'de'],
])('in %s, a browser of %j reads %s', (language, accepted, expected) => {
  expect(readersLocale(language, accepted)).toBe(expected);
});
