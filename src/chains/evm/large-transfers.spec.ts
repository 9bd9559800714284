import type { ObservedTransfer } from '../chain-adapter.js';
import { findLarge, isSameTransfer } from './large-transfers.js';

const TOKEN = `0x${'aa'.repeat(20)}`;
const [US, OTHERS] = [Buffer.alloc(20, 1), Buffer.alloc(20, 2)];

function transfer(amount: bigint, changes: Partial<ObservedTransfer> = {}): ObservedTransfer {
  return { txHash: '0x1', ordinal: 'value', asset: 'native', key: US, amount, ...changes };
}

describe('findLarge', () => {
  const from = new Map([
    ['native', 10n],
    [TOKEN, 0n],
  ]);

  it.each<[string, ObservedTransfer[], number[]]>([
    ['the amount itself and above', [transfer(10n), transfer(11n, { txHash: '0x2' })], [0, 1]],
    ['nothing below it', [transfer(9n)], []],
    [
      'parts inside one transaction that make it together',
      [transfer(4n), transfer(6n, { ordinal: 'call:0' })],
      [0, 1],
    ],
    ['no sums over transactions', [transfer(4n), transfer(6n, { txHash: '0x2' })], []],
    ['no sums over recipients', [transfer(4n), transfer(6n, { key: OTHERS })], []],
    ['everything of an asset from 0', [transfer(1n, { asset: TOKEN })], [0]],
    ['nothing of an asset that is not listed', [transfer(99n, { asset: '0xbb' })], []],
  ])('finds %s', (_what, transfers, expected) => {
    expect(findLarge(transfers, from)).toEqual(expected.map((i) => transfers[i]));
  });

  it('finds nothing where nothing was set', () => {
    expect(findLarge([transfer(10n ** 30n)], undefined)).toEqual([]);
  });
});

describe('isSameTransfer', () => {
  it('compares everything that is credited', () => {
    expect(isSameTransfer(transfer(5n), transfer(5n, { key: Buffer.from(US) }))).toBe(true);
  });

  it.each<[Partial<ObservedTransfer>]>([
    [{ amount: 6n }],
    [{ txHash: '0x2' }],
    [{ ordinal: 'call:0' }],
    [{ asset: TOKEN }],
    [{ key: OTHERS }],
  ])('tells apart what differs in %j', (change) => {
    expect(isSameTransfer(transfer(5n), transfer(5n, change))).toBe(false);
  });
});
