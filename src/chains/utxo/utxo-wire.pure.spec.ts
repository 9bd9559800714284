import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { ChainInconsistencyError } from '../chain-adapter.pure.js';
import { parseBlock, parseHeader } from './utxo-wire.pure.js';

const ROOT = '3ba3edfd7a7b12b27ac72c3e67768f617fc81bc3888a51323a9fb8aa4b1e5e4a';
/** Bitcoin's first block. */
const HEADER = `01000000${'00'.repeat(32)}${ROOT}29ab5f49ffff001d1dac2b7c`;
const COINBASE =
  '01000000010000000000000000000000000000000000000000000000000000000000000000ffffffff4d04ffff001d0104455468652054' +
  '696d65732030332f4a616e2f32303039204368616e63656c6c6f72206f6e206272696e6b206f66207365636f6e64206261696c6f7574' +
  '20666f722062616e6b73ffffffff0100f2052a01000000434104678afdb0fe5548271967f1a67130b7105cd6a828e03909a67962e0ea' +
  '1f61deb649f6bc3f4cef38c4f35504e51ec112de5c384df7ba0b8d578a4c702b6bf11d5fac00000000';
const GENESIS = `${HEADER}01${COINBASE}`;
const TXID = '4a5e1e4baab89f3a32518a88c31bc87f618f76673e2cc77ab2127b7afdeda33b';
const twice = (bytes: Buffer) =>
  createHash('sha256').update(createHash('sha256').update(bytes).digest()).digest();

/** The Merkle root of transactions: the last one of an odd number is paired with itself. */
function rootOf(hashes: readonly Buffer[]): Buffer {
  const [only = Buffer.alloc(0), ...others] = hashes;
  if (others.length === 0) return only;
  const left = hashes.filter((_, at) => at % 2 === 0);
  return rootOf(left.map((hash, pair) => twice(Buffer.concat([hash, hashes[2 * pair + 1] ?? hash]))));
}

/** A block of these raw transactions. @param committed those that its Merkle root is made of; the first one only */
function blockOf(
  transactions: string[],
  { version = '01000000', proof = '', committed = transactions.slice(0, 1) } = {},
): string {
  const root = rootOf(committed.map((raw) => twice(Buffer.from(raw, 'hex')))).toString('hex');
  const count = transactions.length.toString(16).padStart(2, '0');
  return `${version}${'00'.repeat(32)}${root}29ab5f49ffff001d1dac2b7c${proof}${count}${transactions.join('')}`;
}

/** That coinbase with other amounts. */
const THREE = ['00f2', '01f2', '02f2'].map((start) => COINBASE.replace('00f2052a', `${start}052a`));

/** That coinbase with a marker (BIP144), an empty witness, and what comes behind it. */
function marked(flags: string, behind = ''): string {
  return `0100000000${flags}${COINBASE.slice(8, -8)}00${behind}00000000`;
}

describe('parseBlock', () => {
  it('reads and verifies the first block of Bitcoin', () => {
    const { header, transactions } = parseBlock(GENESIS, 'bitcoin');
    expect(header).toEqual({
      hash: '000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f',
      parentHash: '00'.repeat(32),
      time: new Date('2009-01-03T18:15:05Z'),
      bytes: Buffer.from(HEADER, 'hex'),
      mergeMining: null,
    });
    expect(parseHeader(HEADER)).toEqual(header);
    expect(transactions).toMatchObject([{ txHash: TXID, inputs: [], outputs: [{ amount: 5_000_000_000n }] }]);
    expect(transactions[0]?.outputs[0]?.script.toString('hex')).toMatch(/^4104678afdb0.*ac$/);
  });

  it('verifies an odd number of transactions', () => {
    expect(parseBlock(blockOf(THREE, { committed: THREE }), 'bitcoin').transactions).toHaveLength(3);
  });

  it('ignores bytes after the transactions (LIP-3)', () => {
    expect(parseBlock(`${GENESIS}01ff`, 'litecoin')).toEqual(parseBlock(GENESIS, 'litecoin'));
  });

  it('skips a merge-mining proof on merge-mined chains only', () => {
    const proof = `${COINBASE}${'11'.repeat(32)}01${'22'.repeat(32)}0000000000${'00000000'}${'33'.repeat(80)}`;
    const raw = blockOf([COINBASE], { version: '02016200', proof });
    expect(parseBlock(raw, 'dogecoin').transactions.map(({ txHash }) => txHash)).toEqual([TXID]);
    expect(() => parseBlock(raw, 'bitcoin')).toThrow(ChainInconsistencyError);
    // Without the bit no proof follows.
    expect(parseBlock(blockOf([COINBASE]), 'dogecoin').transactions).toHaveLength(1);
  });

  it('reads amounts beyond 2^53 exactly', () => {
    // The largest that Dogecoin's nodes allow in one output: ten thousand million.
    const amounts = [2n ** 53n + 1n, 10n ** 18n - 1n, 10n ** 18n];
    for (const amount of amounts) {
      const bytes = Buffer.alloc(8);
      bytes.writeBigInt64LE(amount);
      const paying = COINBASE.replace('00f2052a01000000', bytes.toString('hex'));
      const { transactions } = parseBlock(blockOf([paying]), 'dogecoin');
      expect(transactions[0]?.outputs[0]?.amount).toBe(amount);
    }
  });

  it.each<[string, string, RegExp]>([
    ['another amount', GENESIS.replace('00f2052a01000000', '01f2052a01000000'), /not those of the block/],
    [
      'its last transaction twice, which leaves the Merkle root as it is (CVE-2012-2459)',
      blockOf([...THREE, ...THREE.slice(2)], { committed: THREE }),
      /not those of the block/,
    ],
    [
      'one transaction too many',
      blockOf([COINBASE, COINBASE.replace('00f2', '01f2')]),
      /not those of the block/,
    ],
    ['no transactions', `${HEADER}00`, /without transactions/],
    ['a count beyond its end', `${HEADER}ffffffffffffffffff`, /ends too early/],
    ['a missing end', GENESIS.slice(0, -2), /ends too early/],
    ['a header alone', HEADER, /ends too early/],
    ['an extension inside', `${HEADER}01${marked('09', '01')}`, /brings its extension/],
    ['parts of an unknown kind', `${HEADER}01${marked('11')}`, /unknown parts/],
    [
      'an output of less than nothing',
      GENESIS.replace('00f2052a01000000', '00f2052a010000ff'),
      /less than nothing/,
    ],
    ['letters', 'no block', /ends too early/],
    ['nothing', '', /ends too early/],
  ])('rejects a block with %s', (_what, raw, message) => {
    expect(() => parseBlock(raw, 'bitcoin')).toThrow(ChainInconsistencyError);
    expect(() => parseBlock(raw, 'bitcoin')).toThrow(message);
  });

  it('reads the script after tokens on Bitcoin Cash (CHIP-2022-02)', () => {
    const script = `76a914${'44'.repeat(20)}88ac`;
    const lock = `ef${'bb'.repeat(32)}1001${script}`;
    const raw = `0100000001${'00'.repeat(32)}ffffffff0151ffffffff01e803000000000000${(lock.length / 2).toString(16)}${lock}00000000`;
    const { transactions } = parseBlock(blockOf([raw]), 'bitcoincash');
    expect(transactions[0]?.outputs[0]?.script.toString('hex')).toBe(script);
  });

  it('rejects arbitrary bytes with ChainInconsistencyError', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => {
        const hex = Buffer.from(bytes).toString('hex');
        expect(() => parseBlock(hex, 'dogecoin')).toThrow(ChainInconsistencyError);
        expect(() => parseBlock(HEADER + hex, 'bitcoin')).toThrow(ChainInconsistencyError);
      }),
    );
  });
});
