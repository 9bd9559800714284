import { readConfirmations } from './confirmations.pure.js';

it.each<[[string, string][], object]>([
  [[], {}],
  [[['bitcoin', '3']], { bitcoin: 3 }],
  [
    [
      ['bitcoin', ' 3 '],
      ['ethereum', ''],
      ['base', '  '],
    ],
    { bitcoin: 3 },
  ],
  [[['bitcoin', 'many']], { bitcoin: Number.NaN }],
  [[['bitcoin', '0']], { bitcoin: 0 }],
])('reads %j as %j', (fields, numbers) => expect(readConfirmations(fields)).toEqual(numbers));
