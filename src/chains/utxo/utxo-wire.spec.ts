import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { ChainInconsistencyError } from '../chain-adapter.js';
import { parseTransaction } from './raw-transaction.js';
import { parseBlock, parseHeader } from './utxo-wire.js';

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

  it('may have something behind its transactions (LIP-3)', () => {
    expect(parseBlock(`${GENESIS}01ff`, 'litecoin')).toEqual(parseBlock(GENESIS, 'litecoin'));
  });

  it('of a merge-mined chain is read past the other chain’s proof, and only there', () => {
    const proof = `${COINBASE}${'11'.repeat(32)}01${'22'.repeat(32)}0000000000${'00000000'}${'33'.repeat(80)}`;
    const raw = blockOf([COINBASE], { version: '02016200', proof });
    expect(parseBlock(raw, 'dogecoin').transactions.map(({ txHash }) => txHash)).toEqual([TXID]);
    expect(() => parseBlock(raw, 'bitcoin')).toThrow(ChainInconsistencyError);
    // Without the bit no proof follows.
    expect(parseBlock(blockOf([COINBASE]), 'dogecoin').transactions).toHaveLength(1);
  });

  it('keeps amounts beyond 2^53 to the unit', () => {
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
    expect(() => parseBlock(raw, 'bitcoin')).toThrow(ChainInconsistencyError);
    expect(() => parseBlock(raw, 'bitcoin')).toThrow(message);
  });

  it('is refused, whatever its bytes, with one kind of error', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => {
        const hex = Buffer.from(bytes).toString('hex');
        expect(() => parseBlock(hex, 'dogecoin')).toThrow(ChainInconsistencyError);
        expect(() => parseBlock(HEADER + hex, 'bitcoin')).toThrow(ChainInconsistencyError);
      }),
    );
  });
});

describe('a raw transaction', () => {
  it('is known by its hash without the witness (BIP141), and by what it spends', () => {
    const { txHash, inputs, outputs } = parseTransaction(SEGWIT, 'litecoin');
    const stripped = SEGWIT.replace('0001', '').replace(/0002473044.*5711000000$/, '11000000');
    expect(txHash).toBe(twice(Buffer.from(stripped, 'hex')).reverse().toString('hex'));
    expect(inputs).toEqual([
      '9f96ade4b41d5433f4eda31e1738ec2b36f6e7d1420d94a6af99801a88f7f7ff:0',
      '8ac60eb9575db5b2d987e29f301b5b819ea83a5c6579d282d189cc04b8e151ef:1',
    ]);
    expect(outputs.map(({ amount }) => amount)).toEqual([112_340_000n, 223_450_000n]);
  });

  it('keeps its hash when an extension comes along (LIP-3)', () => {
    const { txHash } = parseTransaction(SEGWIT, 'litecoin');
    const withExtension = `${SEGWIT.replace('0001', '0009').slice(0, -8)}01${'ab'.repeat(50)}11000000`;
    expect(parseTransaction(withExtension, 'litecoin').txHash).toBe(txHash);
  });
});

describe('an output of Bitcoin Cash with tokens (CHIP-2022-02)', () => {
  const LOCK = '76a91476a04053bda0a88bda5177b86a15c3b29f55987388ac';
  const CATEGORY = 'bb'.repeat(32);

  /** The script that remains of an output of a raw transaction. */
  function scriptOf(script: string, family: 'bitcoincash' | 'bitcoin' = 'bitcoincash'): string | undefined {
    const length = (script.length / 2).toString(16).padStart(2, '0');
    const raw = `02000000010${'1'.repeat(63)}0000000000ffffffff01e803000000000000${length}${script}00000000`;
    const { outputs, txHash } = parseTransaction(raw, family);
    expect(outputs[0]?.amount).toBe(1_000n);
    // What is cut off belongs to the transaction all the same.
    expect(txHash).toBe(twice(Buffer.from(raw, 'hex')).reverse().toString('hex'));
    return outputs[0]?.script.toString('hex');
  }

  // The specification's examples of encodings, section "Token Prefix Encoding".
  it.each([
    ['a fungible token', `10${'01'}`],
    ['252 of them', '10fc'],
    ['253 of them', '10fdfd00'],
    ['as many as there can be', '10ffffffffffffffff7f'],
    ['an immutable token', '20'],
    ['an immutable token and one fungible', '3001'],
    ['a commitment', '6001cc'],
    ['a commitment of 40 bytes and 65535 fungible', `7028${'cc'.repeat(40)}fdffff`],
    ['a mutable token', '21'],
    ['a minting token with a commitment', '6201cc'],
    ['a minting token with both', '7202ccccfc'],
  ])('that hold %s pays the script behind them', (_what, prefix) => {
    expect(scriptOf(`ef${CATEGORY}${prefix}${LOCK}`)).toBe(LOCK);
    expect(scriptOf(`ef${CATEGORY}${prefix}${LOCK}`, 'bitcoin')).toBe(`ef${CATEGORY}${prefix}${LOCK}`);
  });

  // The same, section "Invalid Token Prefix Encoding" and rules.
  it.each([
    ['a reserved bit', `ef${CATEGORY}90fc`],
    ['no token at all', `ef${CATEGORY}00`],
    ['a capability without a token', `ef${CATEGORY}1101`],
    ['an unknown capability', `ef${CATEGORY}23`],
    ['a commitment without a token', `ef${CATEGORY}5001cc01`],
    ['an empty commitment', `ef${CATEGORY}6000`],
    ['a commitment beyond its end', `ef${CATEGORY}60ff`],
    ['an amount of zero', `ef${CATEGORY}1000`],
    ['too large an amount', `ef${CATEGORY}10ff0000000000000080`],
    ['half a category', `ef${'bb'.repeat(4)}`],
    ['another first byte', `ee${CATEGORY}1001`],
  ])('is left as it is with %s', (_what, prefix) => {
    const script = prefix.length < 20 ? prefix : `${prefix}${LOCK}`;
    expect(scriptOf(script)).toBe(script);
  });

  it('is found in a block, too', () => {
    const lock = `ef${CATEGORY}1001${LOCK}`;
    const raw = `0100000001${'00'.repeat(32)}ffffffff0151ffffffff01e803000000000000${(lock.length / 2).toString(16)}${lock}00000000`;
    const { transactions } = parseBlock(blockOf([raw]), 'bitcoincash');
    expect(transactions[0]?.outputs[0]?.script.toString('hex')).toBe(LOCK);
  });
});
