import type { Transfer } from '../payment.pure.js';
import { misjudged } from './dust.pure.js';

const transfer = (amount: bigint, changes: Partial<Transfer> = {}) =>
  ({
    chain: 'ethereum',
    asset: 'native',
    amount,
    floor: 100n,
    isMatched: false,
    state: 'confirmed',
    isDust: true,
    ...changes,
  }) as Transfer;
const NONE = { dust: new Set<string>(), isCompletedByDust: false };

it.each<[string, Transfer[], Parameters<typeof misjudged>[1], boolean[]]>([
  ['one below its floor', [transfer(99n)], NONE, [true]],
  ['one at its floor', [transfer(100n)], NONE, [false]],
  ['two that reach it together', [transfer(60n), transfer(40n)], NONE, [false, false]],
  ['a large one does not lift a small one', [transfer(500n), transfer(99n)], NONE, [false, true]],
  ['two of different assets', [transfer(60n), transfer(40n, { asset: '0x1' })], NONE, [true, true]],
  ['asked for and not', [transfer(60n), transfer(40n, { isMatched: true })], NONE, [true, true]],
  [
    'one that is gone keeps what it was',
    [transfer(60n), transfer(40n, { state: 'orphaned' })],
    NONE,
    [true, true],
  ],
  [
    'all of an asset that does not matter',
    [transfer(500n, { isMatched: true })],
    { ...NONE, dust: new Set(['ethereum native']) },
    [true],
  ],
  [
    'what completes the price',
    [transfer(1n, { isMatched: true })],
    { ...NONE, isCompletedByDust: true },
    [false],
  ],
])('%s: dust or not', (_what, transfers, funds, expected) => {
  for (const isDust of [true, false]) {
    const given = transfers.map((one) => (one.state === 'confirmed' ? { ...one, isDust } : one));
    const wrong = new Set(misjudged(given, funds));
    expect(given.map((one) => one.isDust !== wrong.has(one))).toEqual(expected);
  }
});
