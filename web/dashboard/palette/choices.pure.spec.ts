import { type Choice, choicesOf } from './choices.pure.js';

const choice = (text: string): Choice => ({ path: `/${text}`, text, hint: '' });
const known = {
  screens: [choice('Home'), choice('Payments'), choice('Refunds')],
  applications: [choice('Payday shop'), choice('Other shop')],
  payments: [choice('ORDER-1')],
};

it.each<[string, Record<string, string[]>]>([
  ['', { 'palette.screens': ['Home', 'Payments', 'Refunds'] }],
  ['  ', { 'palette.screens': ['Home', 'Payments', 'Refunds'] }],
  ['p', { 'palette.screens': ['Payments'], 'nav.applications': ['Payday shop', 'Other shop'] }],
  [
    'PAY',
    { 'palette.screens': ['Payments'], 'nav.applications': ['Payday shop'], 'nav.payments': ['ORDER-1'] },
  ],
  ['0xabc', { 'nav.payments': ['ORDER-1'] }],
])('for "%s" offers %j', (input, expected) => {
  const offered = choicesOf(input, known).map(({ title, items }) => [title, items.map(({ text }) => text)]);
  expect(Object.fromEntries(offered)).toEqual(expected);
});

it('offers nothing where nothing fits', () => {
  expect(choicesOf('zzz', { ...known, payments: [] })).toEqual([]);
});
