import { POLYGON } from '../../../test/support/polygon-block.js';
import { isListOfHeader } from './transaction-list.pure.js';

const [FIRST, SECOND] = POLYGON.transactions;

it.each([
  ['all', [FIRST, SECOND], true],
  ['one left out', [FIRST], false],
  ['none', [], false],
  ['another order', [SECOND, FIRST], false],
  ['one twice', [FIRST, SECOND, SECOND], false],
  ['another amount under the same hash', [FIRST, { ...SECOND, value: '0x2' }], false],
  ['another recipient under the same hash', [{ ...FIRST, to: `0x${'70'.repeat(20)}` }, SECOND], false],
  ['one of a type that is not known, which nobody here can tell', [FIRST, { ...SECOND, type: '0x7f' }], true],
])('a header covers its transactions: %s', (_what, transactions, expected) => {
  expect(isListOfHeader({ transactions, transactionsRoot: POLYGON.root })).toBe(expected);
});

it.each([{}, { transactions: 'x', transactionsRoot: POLYGON.root }, { transactions: [FIRST] }])(
  'refuses %j',
  (block) => {
    expect(() => isListOfHeader(block)).toThrow();
  },
);
