import { PlanError } from './plan.pure.js';
import { readSignedFile, SIGNED_FORM } from './signed-file.pure.js';
import { signTransfer } from './transaction.pure.js';

const A = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const cap = { price: 5n, tip: null };
const transfer = { chainId: 1n, nonce: 0n, gasLimit: 21_000n, cap, to: A, value: 1n, data: new Uint8Array() };
const ONE = {
  kind: 'coin',
  from: A,
  to: A,
  nonce: 0,
  amount: '1',
  currencyCode: 'ETH',
  decimals: 18,
  ...signTransfer(transfer, new Uint8Array(32).fill(1)),
};
const FILE = {
  form: SIGNED_FORM,
  blockchain: 'ethereum',
  chainId: 1,
  destination: A,
  isContract: false,
  transactions: [ONE],
};

it('reads what was written', () => {
  expect(readSignedFile(JSON.stringify(FILE))).toEqual(FILE);
});

it.each<[field: string, change: object]>([
  ['form', { form: 'signing-plan-1' }],
  ['blockchain', { blockchain: 1 }],
  ['chainId', { chainId: '1' }],
  ['destination', { destination: null }],
  ['transactions', { transactions: null }],
  ['transactions\\[0\\]', { transactions: [null] }],
  ...[
    ['kind', 'other'],
    ['from', '0x'],
    ['to', '0x'],
    ['nonce', -1],
    ['amount', 1],
    ['currencyCode', '\u001b'],
    ['decimals', 99],
    ['hash', `0x${'0'.repeat(64)}`],
    ['raw', `${ONE.raw}0`],
  ].map(([field, value]): [string, object] => [
    `transactions\\[0\\].${field}`,
    { transactions: [{ ...ONE, [String(field)]: value }] },
  ]),
])('names %s', (field, change) => {
  const read = () => readSignedFile(JSON.stringify({ ...FILE, ...change }));
  expect(read).toThrow(PlanError);
  expect(read).toThrow(new RegExp(`^${field}: `));
});
