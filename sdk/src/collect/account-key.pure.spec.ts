import { isOfAccount, KeyError, keysOf, readAccount } from './account-key.pure.js';
import { readPlan } from './plan.pure.js';
import { PHRASE, SAMPLE } from '../../../test/support/sample-plan.js';

const plan = readPlan(JSON.stringify(SAMPLE));
const account = readAccount(PHRASE, '', plan.accountPath);

it('derives what wallets show', () => {
  const { funding, addresses } = keysOf(account, plan);
  expect([funding, ...addresses].map(({ address }) => address)).toEqual([
    SAMPLE.funding.address,
    ...SAMPLE.addresses.map(({ address }) => address),
  ]);
});

it.each([
  ['spaces and capitals', `  ${PHRASE.toUpperCase().replace(' ', '   ')} `],
  ['the key of the account', account.privateExtendedKey],
])('takes %s', (_what, secret) => {
  expect(readAccount(secret, '', plan.accountPath).publicExtendedKey).toBe(account.publicExtendedKey);
});

it('takes the master key to the account', () => {
  const master = readAccount(PHRASE, '', 'm').privateExtendedKey;
  expect(readAccount(master, '', plan.accountPath).publicExtendedKey).toBe(account.publicExtendedKey);
});

it.each([
  ['nothing', ' ', /No key/],
  ['a wrong checksum of words', PHRASE.replace('junk', 'test'), /no recovery phrase/],
  ['eleven words', PHRASE.replace(' junk', ''), /no recovery phrase/],
  [
    'another language',
    'abaco abbaglio abbinato abete abisso abolire abrasivo abrogato accadere accenno accusato acetone',
    /no recovery phrase/,
  ],
  ['a public key', account.publicExtendedKey, /public key/],
  ['a mistyped key', account.privateExtendedKey.replace(/.$/, (end) => (end === '1' ? '2' : '1')), /neither/],
  ['a key of one address', '0x'.padEnd(66, '1'), /neither/],
])('refuses %s, and repeats nothing of it', (_what, secret, says) => {
  const read = () => readAccount(secret, '', plan.accountPath);
  expect(read).toThrow(KeyError);
  expect(read).toThrow(says);
  if (secret.trim() !== '') expect(read).not.toThrow(secret.slice(0, 12));
});

it.each([
  ['a passphrase', readAccount(PHRASE, 'x', plan.accountPath), plan, /3 of 3/],
  ['another account', readAccount(PHRASE, '', "m/44'/60'/1'"), plan, /3 of 3/],
  [
    'another funding account',
    account,
    { ...plan, funding: { ...plan.funding, address: SAMPLE.addresses[0]?.address ?? '' } },
    /The plan was changed/,
  ],
])('%s is not of the plan', (_what, key, of, says) => {
  expect(() => keysOf(key, of)).toThrow(says);
});

it('knows its own addresses', () => {
  expect(isOfAccount(account, plan, SAMPLE.addresses[2]?.address ?? '')).toBe(true);
  expect(isOfAccount(account, plan, SAMPLE.funding.address)).toBe(false);
});
