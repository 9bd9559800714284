import {
  auditBalance,
  auditDepth,
  type BalanceClaim,
  isCredited,
  type RecordedTransfer,
} from './transfer-audit.pure.js';

function transfer(changes: Partial<RecordedTransfer> = {}): RecordedTransfer {
  return {
    paymentId: 'p',
    chain: 'ethereum',
    txHash: '0xaa',
    ordinal: 'value',
    asset: 'native',
    currencyCode: 'ETH',
    decimals: 18,
    amount: 5n,
    state: 'confirmed',
    height: 100,
    blockHash: '0xbb',
    confirmationsRequired: 12,
    finalityRequired: null,
    awaitsAgreement: false,
    isMatched: true,
    address: '0xcc',
    key: Buffer.from('cc', 'hex'),
    ...changes,
  };
}

describe('which transfers add to a balance', () => {
  it.each([
    ['confirmed', {}, true],
    ['pending in a block', { state: 'pending' }, true],
    ['pending in the mempool', { state: 'pending', height: null, blockHash: null }, false],
    ['orphaned', { state: 'orphaned', height: null, blockHash: null }, false],
    ['dropped', { state: 'dropped', height: null, blockHash: null }, false],
    ['in an unmatched asset', { isMatched: false }, true],
  ])('%s', (_name, changes, counts) => {
    expect(isCredited(transfer(changes))).toBe(counts);
  });
});

describe('the depth of a transfer', () => {
  it.each<
    [
      name: string,
      changes: Partial<RecordedTransfer>,
      cursor: number,
      slack: number | null,
      expected: string | null,
    ]
  >([
    ['confirmed at the required depth', {}, 111, 0, null],
    ['confirmed one block too early', {}, 110, 0, 'pending until 12 confirmations'],
    ['confirmed before a reorg of one block', {}, 110, 1, null],
    ['confirmed long before any reorg could explain it', {}, 105, 1, 'pending until 12 confirmations'],
    ['pending one block before', { state: 'pending' }, 110, 0, null],
    ['pending at the required depth', { state: 'pending' }, 111, 0, 'confirmed'],
    ['pending at the required depth after a reorg', { state: 'pending' }, 111, 5, 'confirmed'],
    ['in the newest block', { state: 'pending' }, 100, 0, null],
    ['above the cursor', { state: 'pending' }, 99, 0, 'a block that was applied'],
    ['in no block', { state: 'pending', height: null, blockHash: null }, 500, 0, null],
    ['one confirmation is enough', { confirmationsRequired: 1 }, 100, 0, null],
    ['not final at the required depth', { state: 'pending', finalityRequired: 'safe' }, 150, 0, null],
    ['not agreed on at the required depth', { state: 'pending', awaitsAgreement: true }, 150, 0, null],
    ['final and deep enough', { finalityRequired: 'safe' }, 111, 0, null],
    ['final but not deep enough', { finalityRequired: 'safe' }, 110, 0, 'pending until 12 confirmations'],
    ['final sooner than usual', {}, 102, null, null],
    ['final later than usual', { state: 'pending' }, 150, null, null],
    ['final above the cursor', {}, 99, null, 'a block that was applied'],
  ])('%s', (_name, changes, height, slack, expected) => {
    const found = auditDepth(transfer(changes), { height, hash: '0x' }, slack);
    expect(found?.expected ?? null).toBe(expected);
  });
});

describe('the balance of an address', () => {
  const claim = (changes: Partial<BalanceClaim>): BalanceClaim => ({
    chain: 'ethereum',
    paymentId: 'p',
    address: '0xcc',
    asset: 'native',
    credited: 10n,
    held: 10n,
    isUnspent: true,
    isOfTreasury: false,
    flow: null,
    ...changes,
  });
  const token = '0xdd';

  it.each<[name: string, changes: Partial<BalanceClaim>, verdict: string]>([
    ['all credits are there', {}, 'ok'],
    ['nothing came and nothing is there', { credited: 0n, held: 0n }, 'ok'],
    ['coins were spent', { held: 3n, isUnspent: false }, 'spent'],
    ['coins were collected', { held: 0n, isOfTreasury: true }, 'spent'],
    ['coins were collected, and more came', { held: 3n, isOfTreasury: true }, 'spent'],
    ['tokens came and went', { asset: token, held: 4n, flow: { came: 10n, went: 6n } }, 'spent'],
    [
      'tokens went without a transaction of the address',
      { asset: token, held: 0n, flow: { came: 10n, went: 10n } },
      'spent',
    ],
  ])('%s: %s', (_name, changes, verdict) => {
    expect(auditBalance(claim(changes))).toEqual({ verdict });
  });

  it.each<[name: string, changes: Partial<BalanceClaim>, expected: string]>([
    ['a credit that is not there', { held: 7n }, '7, which it holds'],
    ['coins that were never credited', { held: 12n }, '12, which it holds'],
    ['coins of a treasury that were never credited', { held: 12n, isOfTreasury: true }, '12, which it holds'],
    [
      'tokens of a treasury whose log was not read',
      { asset: token, held: 9n, isOfTreasury: true },
      '9, which it holds',
    ],
    [
      'tokens that were never credited',
      { asset: token, held: 12n, flow: { came: 12n, went: 0n } },
      '12, which came',
    ],
    ['tokens that never came', { asset: token, held: 0n, flow: { came: 0n, went: 0n } }, '0, which came'],
    [
      'a balance that came and went do not explain',
      { asset: token, held: 9n, flow: { came: 10n, went: 0n } },
      '9 held after 10 came and 0 went',
    ],
    ['tokens whose log was not read', { asset: token, held: 9n, isUnspent: false }, '9, which it holds'],
  ])('finds %s', (_name, changes, expected) => {
    expect(auditBalance(claim(changes))).toEqual({
      difference: {
        check: 'balance',
        chain: 'ethereum',
        paymentId: 'p',
        subject: `${changes.asset ?? 'native'} at 0xcc`,
        expected,
        found: 'credited 10',
      },
    });
  });
});
