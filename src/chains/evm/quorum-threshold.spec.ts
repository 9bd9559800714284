import type { ObservedTransfer } from '../chain-adapter.pure.js';
import { findLarge, showsAll } from './quorum-threshold.js';

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
    ['transfers of at least the amount', [transfer(10n), transfer(11n, { txHash: '0x2' })], [0, 1]],
    ['no transfers below the amount', [transfer(9n)], []],
    [
      'parts inside one transaction that make it together',
      [transfer(4n), transfer(6n, { ordinal: 'call:0' })],
      [0, 1],
    ],
    ['no sums over several transactions', [transfer(4n), transfer(6n, { txHash: '0x2' })], []],
    ['no sums over several recipients', [transfer(4n), transfer(6n, { key: OTHERS })], []],
    ['every transfer of an asset with amount 0', [transfer(1n, { asset: TOKEN })], [0]],
    ['no transfers of an asset that is not listed', [transfer(99n, { asset: '0xbb' })], []],
  ])('finds %s', (_what, transfers, expected) => {
    expect(findLarge(transfers, from)).toEqual(expected.map((i) => transfers[i]));
  });

  it('finds nothing when no amounts are configured', () => {
    expect(findLarge([transfer(10n ** 30n)], undefined)).toEqual([]);
  });
});

describe('showsAll', () => {
  it.each<[string, ObservedTransfer[], ObservedTransfer[]]>([
    ['the same transfers', [transfer(5n, { key: Buffer.from(US) })], [transfer(5n)]],
    [
      'the same at another place of the trace',
      [transfer(5n, { ordinal: 'call:0' })],
      [transfer(5n, { ordinal: 'call:1' })],
    ],
    [
      'two alike, at other places',
      [transfer(5n, { ordinal: 'call:0' }), transfer(5n, { ordinal: 'call:2' })],
      [transfer(5n, { ordinal: 'call:4' }), transfer(5n, { ordinal: 'call:1' })],
    ],
    ['the same of one that names no sender', [transfer(5n)], [transfer(5n, { sender: OTHERS })]],
    ['additional transfers', [transfer(5n), transfer(6n)], [transfer(5n)]],
    ['no transfers when none are expected', [], []],
  ])('accepts %s', (_what, shown, asked) => {
    expect(showsAll(shown, asked)).toBe(true);
  });

  it.each<[Partial<ObservedTransfer>]>([
    [{ amount: 6n }],
    [{ txHash: '0x2' }],
    [{ asset: TOKEN }],
    [{ key: OTHERS }],
  ])('rejects a difference in %j', (change) => {
    expect(showsAll([transfer(5n, change)], [transfer(5n)])).toBe(false);
  });

  it('rejects another sender', () => {
    const own = [transfer(5n, { sender: Buffer.from(US) })];
    const foreign = [transfer(5n, { sender: OTHERS })];
    expect([showsAll(own, own), showsAll(foreign, own)]).toEqual([true, false]);
  });

  it('counts equal transfers', () => {
    const two = [transfer(5n, { ordinal: 'call:0' }), transfer(5n, { ordinal: 'call:1' })];
    expect(showsAll([transfer(5n, { ordinal: 'call:0' })], two)).toBe(false);
    expect(showsAll(two, two)).toBe(true);
  });
});
