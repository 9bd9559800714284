import { parseTransaction, recoverTransactionAddress } from 'viem';
import { keysOf, readAccount } from './account-key.pure.js';
import { readPlan } from './plan.pure.js';
import { PHRASE, SAMPLE } from '../../../test/support/sample-plan.js';
import { type Choices, prepare, signAll } from './sign-plan.pure.js';
import { readSignedFile } from './signed-file.pure.js';
import { amountText, summaryOf } from './words.pure.js';

const plan = readPlan(JSON.stringify(SAMPLE));
const choices: Choices = {
  destination: '0x52908400098527886E0F7030069857D2E4169EE7',
  isContract: false,
  isLegacy: false,
  takesRest: false,
};
const shape = (of: Partial<Choices> = {}) =>
  prepare(plan, { ...choices, ...of }).transactions.map(({ kind, by, amount, fee, transfer }) => [
    kind,
    by,
    transfer.nonce,
    transfer.gasLimit,
    amount,
    fee,
  ]);

// 2 * 4 + 2 for a unit of gas.
const FUNDING = ['fee', null, 5n, 21_000n, 800_000n, 210_000n];
const TOKEN = ['token', 0, 3n, 80_000n, 2_500_000n, 800_000n];
const coin = (gas: bigint, fee: bigint) => ['coin', 1, 0n, gas, 10n ** 18n - fee, fee];

it.each<[string, Partial<Choices>, unknown[]]>([
  ['a destination', {}, [FUNDING, TOKEN, coin(21_000n, 210_000n)]],
  ['a contract', { isContract: true }, [FUNDING, TOKEN, coin(61_000n, 610_000n)]],
  [
    'the rest of the fees',
    { takesRest: true },
    [FUNDING, ['coin', null, 6n, 21_000n, 780_000n, 210_000n], TOKEN, coin(21_000n, 210_000n)],
  ],
  // 8 * 5 / 4 = 10, the same price.
  ['a price', { isLegacy: true }, [FUNDING, TOKEN, coin(21_000n, 210_000n)]],
])('prepares for %s', (_what, of, expected) => {
  expect(shape(of)).toEqual(expected);
});

it('says what is missing, and where nothing is sent from', () => {
  const poor = { ...plan, funding: { ...plan.funding, balance: 1_000_000n } };
  expect(prepare(poor, choices)).toMatchObject({ missing: 10_000n, idle: [SAMPLE.addresses[2]?.address] });
  expect(prepare(plan, choices).missing).toBe(0n);
});

it('signs each with the key of its address, and the file is read again', async () => {
  const keys = keysOf(readAccount(PHRASE, '', plan.accountPath), plan);
  const { transactions } = prepare(plan, choices);
  const file = signAll(plan, choices, transactions, keys);
  expect(readSignedFile(JSON.stringify(file))).toEqual(file);
  for (const { raw, from, nonce } of file.transactions) {
    const serializedTransaction = raw as `0x02${string}`;
    expect(await recoverTransactionAddress({ serializedTransaction })).toBe(from);
    expect(parseTransaction(serializedTransaction).nonce ?? 0).toBe(nonce);
  }
  const [funding] = transactions;
  if (!funding) throw new Error('no transaction');
  expect(() => signAll(plan, choices, [{ ...funding, by: 9 }], keys)).toThrow('not in the plan');
});

it('says it in words', () => {
  expect(summaryOf(plan, prepare(plan, choices), choices).split('\n')).toEqual([
    'Network:       polygon, chain 137',
    `Everything to: ${choices.destination}`,
    'Addresses:     3',
    'Transactions:  3',
    'Arrives:       2.5 USDC in 1 (token 0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359)',
    'Arrives:       0.99999999999979 POL in 1 (coin)',
    `For fees:      0.0000000000008 POL from ${SAMPLE.funding.address} to 1 addresses`,
    'Fees at most:  0.00000000000122 POL, at 0.00000001 gwei for each unit of gas',
    `Stays:         on 1 addresses, which hold less than it costs: ${SAMPLE.addresses[2]?.address}`,
    '',
  ]);
  const { transactions } = prepare(plan, choices);
  const one = { transactions: transactions.slice(1, 2), idle: [] };
  expect(summaryOf(plan, one, { ...choices, isContract: true })).toContain(
    `${choices.destination} (a contract)`,
  );
});

it.each([
  [0n, 6, '0 X'],
  [1n, 6, '0.000001 X'],
  [1_000_000n, 6, '1 X'],
  [1_230_000n, 6, '1.23 X'],
  [5n, 0, '5 X'],
  [10n ** 30n, 18, '1000000000000 X'],
])('%s with %s digits is %s', (amount, decimals, text) => {
  expect(amountText(amount, decimals, 'X')).toBe(text);
});
