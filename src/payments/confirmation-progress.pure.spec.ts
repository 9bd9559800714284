import type { Chain } from '../chains/chain.pure.js';
import type { Transfer } from './payment.pure.js';
import { type Progress, progressOf } from './confirmation-progress.pure.js';

const CHAIN = {
  slug: 'bitcoin',
  confirmationsRequired: 3,
  blocksToFinality: { safe: 20, finalized: 90 },
} as unknown as Chain;

const transfer = (confirmations: number, changes: Partial<Transfer> = {}) =>
  ({
    chain: 'bitcoin',
    state: 'pending',
    isMatched: true,
    confirmationsRequired: 6,
    finalityRequired: null,
    confirmations,
    ...changes,
  }) as Transfer;
const confirmed = (confirmations: number, required = 6) =>
  transfer(confirmations, { state: 'confirmed', confirmationsRequired: required });

describe('progressOf', () => {
  it.each<[string, Transfer[], Progress]>([
    [
      'no transfer: waits for funds',
      [],
      { seen: 0, required: 3, finality: null, waitsFor: 'funds', missing: 3 },
    ],
    [
      'only transfers that do not count: waits for funds',
      [
        transfer(1, { isMatched: false }),
        transfer(1, { chain: 'litecoin' }),
        transfer(0, { state: 'replaced' }),
        transfer(0, { state: 'orphaned' }),
      ],
      { seen: 0, required: 3, finality: null, waitsFor: 'funds', missing: 3 },
    ],
    [
      'an unmined transfer: waits for all blocks',
      [transfer(0)],
      { seen: 0, required: 6, finality: null, waitsFor: 'blocks', missing: 6 },
    ],
    [
      'a mined transfer: counts its block',
      [transfer(1)],
      { seen: 1, required: 6, finality: null, waitsFor: 'blocks', missing: 5 },
    ],
    [
      'several pending transfers: shows the one with the most blocks to go',
      [transfer(5), transfer(20, { confirmationsRequired: 32 }), confirmed(7)],
      { seen: 20, required: 32, finality: null, waitsFor: 'blocks', missing: 12 },
    ],
    [
      'deep enough but not final: waits for the last block',
      [transfer(6)],
      { seen: 5, required: 6, finality: null, waitsFor: 'blocks', missing: 0 },
    ],
    [
      'deeper than required but not final: waits for the last block',
      [transfer(90)],
      { seen: 5, required: 6, finality: null, waitsFor: 'blocks', missing: 0 },
    ],
    [
      'a transfer that waits for a tag: shows the usual number of blocks',
      [transfer(6, { finalityRequired: 'finalized' }), transfer(1, { finalityRequired: 'safe' })],
      { seen: 6, required: 90, finality: 'finalized', waitsFor: 'blocks', missing: 84 },
    ],
    [
      'longer than usual without the tag: waits for the last block',
      [transfer(21, { finalityRequired: 'safe' })],
      { seen: 19, required: 20, finality: 'safe', waitsFor: 'blocks', missing: 0 },
    ],
    [
      'final sooner than usual: done, with the usual number',
      [confirmed(7), transfer(7, { state: 'confirmed', finalityRequired: 'safe' })],
      { seen: 20, required: 20, finality: 'safe', waitsFor: 'done', missing: 0 },
    ],
    [
      'all transfers confirmed: done',
      [confirmed(6), confirmed(40)],
      { seen: 6, required: 6, finality: null, waitsFor: 'done', missing: 0 },
    ],
    [
      'confirmed transfers with different requirements: shows the highest',
      [confirmed(6), confirmed(9, 8)],
      { seen: 8, required: 8, finality: null, waitsFor: 'done', missing: 0 },
    ],
  ])('%s', (_what, transfers, progress) => {
    expect(progressOf({ transfers }, CHAIN, { confirmations: 3, finality: null })).toEqual(progress);
  });
});
