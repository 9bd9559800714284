import type { Transfer } from '../payments/payment.pure.js';
import { type Progress, progressOf } from './confirmations.pure.js';

const transfer = (confirmations: number, changes: Partial<Transfer> = {}) =>
  ({
    chain: 'bitcoin',
    state: 'pending',
    isMatched: true,
    confirmationsRequired: 6,
    confirmations,
    ...changes,
  }) as Transfer;
const confirmed = (confirmations: number, required = 6) =>
  transfer(confirmations, { state: 'confirmed', confirmationsRequired: required });

describe('progressOf', () => {
  it.each<[string, Transfer[], Progress]>([
    ['nothing came', [], { seen: 0, required: 3, waitsFor: 'funds', missing: 3 }],
    [
      'nothing that counts came',
      [
        transfer(1, { isMatched: false }),
        transfer(1, { chain: 'litecoin' }),
        transfer(0, { state: 'replaced' }),
        transfer(0, { state: 'orphaned' }),
      ],
      { seen: 0, required: 3, waitsFor: 'funds', missing: 3 },
    ],
    ['in no block yet', [transfer(0)], { seen: 0, required: 6, waitsFor: 'blocks', missing: 6 }],
    ['in a block', [transfer(1)], { seen: 1, required: 6, waitsFor: 'blocks', missing: 5 }],
    [
      'the one that waits longest, whatever it has seen',
      [transfer(5), transfer(20, { confirmationsRequired: 32 }), confirmed(7)],
      { seen: 20, required: 32, waitsFor: 'blocks', missing: 12 },
    ],
    [
      'deep enough and not final yet',
      [transfer(6)],
      { seen: 5, required: 6, waitsFor: 'blocks', missing: 0 },
    ],
    [
      'deeper than usual and not final',
      [transfer(90)],
      { seen: 5, required: 6, waitsFor: 'blocks', missing: 0 },
    ],
    [
      'all of it counts',
      [confirmed(6), confirmed(40)],
      { seen: 6, required: 6, waitsFor: 'done', missing: 0 },
    ],
    [
      'all of it, told differently',
      [confirmed(6), confirmed(9, 8)],
      { seen: 8, required: 8, waitsFor: 'done', missing: 0 },
    ],
  ])('%s', (_what, transfers, progress) => {
    expect(progressOf({ transfers }, 'bitcoin', 3)).toEqual(progress);
  });
});
