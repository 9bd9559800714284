import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { ChainInconsistencyError } from '../chain-adapter.js';
import { parseBlock, parseHeader, parseTransaction } from './utxo-wire.js';

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
/** BIP143, "Native P2WPKH": signed, with a witness. */
const SEGWIT =
  '01000000000102fff7f7881a8099afa6940d42d1e7f6362bec38171ea3edf433541db4e4ad969f00000000494830450221008b9d1dc26b' +
  'a6a9cb62127b02742fa9d754cd3bebf337f7a55d114c8e5cdd30be022040529b194ba3f9281a99f2b1c0a19c0489bc22ede944ccf4ecb' +
  'ab4cc618ef3ed01eeffffffef51e1b804cc89d182d279655c3aa89e815b1b309fe287d9b2b55d57b90ec68a0100000000ffffffff02202c' +
  'b206000000001976a9148280b37df378db99f66f85c95a783a76ac7a6d5988ac9093510d000000001976a9143bde42dbee7e4dbe6a21b2' +
  'd50ce2f0167faa815988ac000247304402203609e17b84f6a7d30c80bfa610b5b4542f32a8a0d5447a12fb1366d7f01cc44a0220573a95' +
  '4c4518331561406f90300e8f3358f51928d43c212a8caed02de67eebee0121025476c2e83188368da1ff3e292e7acafcdb3566bb0ad253f' +
  '62fc70f07aeee635711000000';

const twice = (bytes: Buffer) =>
  createHash('sha256').update(createHash('sha256').update(bytes).digest()).digest();

/** A block of these raw transactions, with the Merkle root that one transaction has. */
function blockOf(transactions: string[], { version = '01000000', proof = '' } = {}): string {
  const root = twice(Buffer.from(transactions[0] ?? '', 'hex')).toString('hex');
  const count = transactions.length.toString(16).padStart(2, '0');
  return `${version}${'00'.repeat(32)}${root}29ab5f49ffff001d1dac2b7c${proof}${count}${transactions.join('')}`;
}

describe('a raw block', () => {
  it('is read and proved: Bitcoin’s first', () => {
    const { header, transactions } = parseBlock(GENESIS);
    expect(header).toEqual({
      hash: '000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f',
      parentHash: '00'.repeat(32),
      time: new Date('2009-01-03T18:15:05Z'),
    });
    expect(parseHeader(HEADER)).toEqual(header);
    expect(transactions).toMatchObject([{ txHash: TXID, inputs: [], outputs: [{ amount: 5_000_000_000n }] }]);
    expect(transactions[0]?.outputs[0]?.script.toString('hex')).toMatch(/^4104678afdb0.*ac$/);
  });

  it('may have something behind its transactions (LIP-3)', () => {
    expect(parseBlock(`${GENESIS}01ff`)).toEqual(parseBlock(GENESIS));
  });

  it('of a merge-mined chain is read past the other chain’s proof, and only there', () => {
    const proof = `${COINBASE}${'11'.repeat(32)}01${'22'.repeat(32)}0000000000${'00000000'}${'33'.repeat(80)}`;
    const raw = blockOf([COINBASE], { version: '02016200', proof });
    expect(parseBlock(raw, true).transactions.map(({ txHash }) => txHash)).toEqual([TXID]);
    expect(() => parseBlock(raw)).toThrow(ChainInconsistencyError);
    // Without the bit no proof follows.
    expect(parseBlock(blockOf([COINBASE]), true).transactions).toHaveLength(1);
  });

  it.each<[string, string, RegExp]>([
    ['another amount', GENESIS.replace('00f2052a01000000', '01f2052a01000000'), /not those of the block/],
    ['a transaction twice (CVE-2012-2459)', blockOf([COINBASE, COINBASE]), /not those of the block/],
    ['one transaction too many', `${HEADER}02${COINBASE}${SEGWIT}`, /not those of the block/],
    ['no transactions', `${HEADER}00`, /without transactions/],
    ['a count beyond its end', `${HEADER}ffffffffffffffffff`, /ends too early/],
    ['a missing end', GENESIS.slice(0, -2), /ends too early/],
    ['a header alone', HEADER, /ends too early/],
    [
      'an extension inside',
      `${HEADER}01${SEGWIT.replace('0001', '0009').slice(0, -8)}0111000000`,
      /brings its extension/,
    ],
    ['parts of an unknown kind', `${HEADER}01${SEGWIT.replace('0001', '0011')}`, /unknown parts/],
    [
      'an output of less than nothing',
      GENESIS.replace('00f2052a01000000', '00f2052a010000ff'),
      /less than nothing/,
    ],
    ['letters', 'no block', /ends too early/],
    ['nothing', '', /ends too early/],
  ])('is refused with %s', (_what, raw, message) => {
    expect(() => parseBlock(raw)).toThrow(ChainInconsistencyError);
    expect(() => parseBlock(raw)).toThrow(message);
  });

  it('is refused, whatever its bytes, with one kind of error', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => {
        const hex = Buffer.from(bytes).toString('hex');
        expect(() => parseBlock(hex, true)).toThrow(ChainInconsistencyError);
        expect(() => parseBlock(HEADER + hex)).toThrow(ChainInconsistencyError);
      }),
    );
  });
});

describe('a raw transaction', () => {
  it('is known by its hash without the witness (BIP141), and by what it spends', () => {
    const { txHash, inputs, outputs } = parseTransaction(SEGWIT);
    const stripped = SEGWIT.replace('0001', '').replace(/0002473044.*5711000000$/, '11000000');
    expect(txHash).toBe(twice(Buffer.from(stripped, 'hex')).reverse().toString('hex'));
    expect(inputs).toEqual([
      '9f96ade4b41d5433f4eda31e1738ec2b36f6e7d1420d94a6af99801a88f7f7ff:0',
      '8ac60eb9575db5b2d987e29f301b5b819ea83a5c6579d282d189cc04b8e151ef:1',
    ]);
    expect(outputs.map(({ amount }) => amount)).toEqual([112_340_000n, 223_450_000n]);
  });

  it('keeps its hash when an extension comes along (LIP-3)', () => {
    const { txHash } = parseTransaction(SEGWIT);
    const withExtension = `${SEGWIT.replace('0001', '0009').slice(0, -8)}01${'ab'.repeat(50)}11000000`;
    expect(parseTransaction(withExtension).txHash).toBe(txHash);
  });
});
