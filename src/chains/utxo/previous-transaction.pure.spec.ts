import { Transaction } from '@scure/btc-signer';
import { checkedPrevious } from './previous-transaction.pure.js';
import { withoutWitness } from './raw-transaction.pure.js';

const transaction = new Transaction();
transaction.addInput({ txid: Buffer.alloc(32, 1), index: 0 });
transaction.addOutput({ script: Buffer.from(`0014${'ab'.repeat(20)}`, 'hex'), amount: 5n });
const BARE = Buffer.from(transaction.unsignedTx);
const hex = BARE.toString('hex');
const { txHash } = withoutWitness(hex);
/** Version, a flag of the given bits, the body, what comes with the flag, lock time. */
const flagged = (flag: string, extra: string) =>
  `${hex.slice(0, 8)}00${flag}${hex.slice(8, -8)}${extra}${hex.slice(-8)}`;

it.each([
  ['as it is', hex],
  ['with a witness', flagged('01', '0101ff')],
  ['of an extension block', flagged('08', '00')],
  ['with both', flagged('09', '0101ff01abcd')],
])('a transaction %s is read without what its hash leaves out', (_what, raw) =>
  expect(checkedPrevious(raw, txHash)).toEqual(BARE),
);

it.each<[string, unknown]>([
  ['nothing', null],
  ['a refusal', new Error('no such transaction')],
  ['another transaction', hex.replace('abab', 'abac')],
  ['a cut one', hex.slice(0, -2)],
  ['no hexadecimal', 'xyz'],
  ['an empty text', ''],
])('%s is none', (_what, raw) => expect(checkedPrevious(raw, txHash)).toBeNull());
