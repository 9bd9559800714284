import { difficultyOf, findWorkProblem, targetOf } from './proof-of-work.pure.js';
import type { UtxoFamily } from './utxo-network.pure.js';

// Blocks 0 and 125552 of Bitcoin, and block 0 of Litecoin (chainparams.cpp: time, nonce, bits and Merkle root).
const GENESIS =
  '0100000000000000000000000000000000000000000000000000000000000000000000003ba3edfd7a7b12b27ac72c3e67768f61' +
  '7fc81bc3888a51323a9fb8aa4b1e5e4a29ab5f49ffff001d1dac2b7c';
const BLOCK_125552 =
  '0100000081cd02ab7e569e8bcd9317e2fe99f2de44d49ab2b8851ba4a308000000000000e320b6c2fffc8d750423db8b1eb942ae' +
  '710e951ed797f7affc8892b0f1fc122bc7f5d74df2b9441a42a14695';
const LITECOIN_GENESIS =
  '010000000000000000000000000000000000000000000000000000000000000000000000d9ced4ed1130f7b7faad9be25323ffaf' +
  'a33232a17c3edf6cfd97bee6bafbdd97b9aa8e4ef0ff0f1ecd513f7c';

/** A header with other bytes in the place of its target, or of its nonce. */
function changed(header: string, { bits, nonce }: { bits?: string; nonce?: string }): string {
  return header.slice(0, 144) + (bits ?? header.slice(144, 152)) + (nonce ?? header.slice(152));
}

describe('targetOf', () => {
  // From Bitcoin Core's arith_uint256_tests.cpp (bignum_SetCompact).
  it.each([
    [0x0000_0000, 0n],
    [0x0012_3456, 0n],
    [0x0100_3456, 0n],
    [0x0200_0056, 0n],
    [0x0112_3456, 0x12n],
    [0x0212_3456, 0x1234n],
    [0x0312_3456, 0x12_3456n],
    [0x0412_3456, 0x1234_5600n],
    [0x0500_9234, 0x9234_0000n],
    [0x2012_3456, 0x12_3456n << 232n],
    [0x1d00_ffff, 0xffffn << 208n],
    [0x207f_ffff, 0x7f_ffffn << 232n],
  ])('%d', (bits, target) => {
    expect(targetOf(bits)).toBe(target);
  });

  it.each([
    ['negative', 0x0492_3456],
    ['negative, and less than a byte', 0x01fe_dcba],
    ['too long', 0xff12_3456],
    ['a byte too long', 0x2300_0001 + 0xffff],
  ])('returns 0 for a target that is %s', (_what, bits) => {
    expect(targetOf(bits)).toBe(0n);
  });
});

describe('difficultyOf', () => {
  it.each([
    ['block 0', 0x1d00_ffff, 1],
    ['block 125552', 0x1a44_b9f2, 244_112.487_773_759_5],
    ['a private network', 0x207f_ffff, 4.656_542_373_906_925e-10],
  ])('matches the difficulty that nodes report for %s', (_which, bits, difficulty) => {
    expect(difficultyOf(targetOf(bits))).toBeCloseTo(difficulty, difficulty < 1 ? 20 : 5);
  });
});

describe('findWorkProblem', () => {
  it.each<[what: string, header: string, family: UtxoFamily, minDifficulty: number, problem: string | null]>([
    ['Bitcoin’s first block', GENESIS, 'bitcoin', 1, null],
    ['the same on Bitcoin Cash', GENESIS, 'bitcoincash', 1, null],
    ['block 125552', BLOCK_125552, 'bitcoin', 244_112, null],
    ['Litecoin’s first block', LITECOIN_GENESIS, 'litecoin', 0.000_244, null],
    [
      'less than the required difficulty',
      BLOCK_125552,
      'bitcoin',
      244_113,
      'has the difficulty 244112.48777433642, and not 244113 at least',
    ],
    ['another nonce', changed(GENESIS, { nonce: '1eac2b7c' }), 'bitcoin', 1, 'lacks the work that it names'],
    ['a harder target', changed(GENESIS, { bits: 'ffff001b' }), 'bitcoin', 1, 'lacks the work that it names'],
    [
      'an easier target',
      changed(GENESIS, { bits: 'ffff7f20' }),
      'bitcoin',
      1,
      'has the difficulty 4.6565423739069247e-10, and not 1 at least',
    ],
    ['no target', changed(GENESIS, { bits: '00000000' }), 'bitcoin', 0, 'names no target for its work'],
    ['a negative one', changed(GENESIS, { bits: 'ffff801d' }), 'bitcoin', 0, 'names no target for its work'],
    [
      'one that is too long',
      changed(GENESIS, { bits: 'ffff00ff' }),
      'bitcoin',
      0,
      'names no target for its work',
    ],
    ['work of another kind', GENESIS, 'litecoin', 1, 'lacks the work that it names'],
    ['the other way round', LITECOIN_GENESIS, 'bitcoin', 0.000_244, 'lacks the work that it names'],
    [
      'Litecoin with another nonce',
      changed(LITECOIN_GENESIS, { nonce: 'ce513f7c' }),
      'litecoin',
      0.000_244,
      'lacks the work that it names',
    ],
  ])('checks %s', async (_what, header, family, minDifficulty, problem) => {
    const block = { bytes: Buffer.from(header, 'hex'), mergeMining: null };
    expect(await findWorkProblem(block, family, minDifficulty)).toBe(problem);
  });
});
