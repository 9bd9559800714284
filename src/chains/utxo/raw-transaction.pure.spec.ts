import { sha256Twice } from './byte-reader.pure.js';
import { parseTransaction } from './raw-transaction.pure.js';

/** BIP143, "Native P2WPKH": signed, with a witness. */
const SEGWIT =
  '01000000000102fff7f7881a8099afa6940d42d1e7f6362bec38171ea3edf433541db4e4ad969f00000000494830450221008b9d1dc26b' +
  'a6a9cb62127b02742fa9d754cd3bebf337f7a55d114c8e5cdd30be022040529b194ba3f9281a99f2b1c0a19c0489bc22ede944ccf4ecb' +
  'ab4cc618ef3ed01eeffffffef51e1b804cc89d182d279655c3aa89e815b1b309fe287d9b2b55d57b90ec68a0100000000ffffffff02202c' +
  'b206000000001976a9148280b37df378db99f66f85c95a783a76ac7a6d5988ac9093510d000000001976a9143bde42dbee7e4dbe6a21b2' +
  'd50ce2f0167faa815988ac000247304402203609e17b84f6a7d30c80bfa610b5b4542f32a8a0d5447a12fb1366d7f01cc44a0220573a95' +
  '4c4518331561406f90300e8f3358f51928d43c212a8caed02de67eebee0121025476c2e83188368da1ff3e292e7acafcdb3566bb0ad253f' +
  '62fc70f07aeee635711000000';

const hashOf = (raw: string) => sha256Twice(Buffer.from(raw, 'hex')).reverse().toString('hex');

describe('parseTransaction', () => {
  it('reads the hash without the witness (BIP141), and the spent outpoints', () => {
    const { txHash, inputs, outputs } = parseTransaction(SEGWIT, 'litecoin');
    const stripped = SEGWIT.replace('0001', '').replace(/0002473044.*5711000000$/, '11000000');
    expect(txHash).toBe(hashOf(stripped));
    expect(inputs).toEqual([
      '9f96ade4b41d5433f4eda31e1738ec2b36f6e7d1420d94a6af99801a88f7f7ff:0',
      '8ac60eb9575db5b2d987e29f301b5b819ea83a5c6579d282d189cc04b8e151ef:1',
    ]);
    expect(outputs.map(({ amount }) => amount)).toEqual([112_340_000n, 223_450_000n]);
  });

  it('ignores an extension in the hash (LIP-3)', () => {
    const { txHash } = parseTransaction(SEGWIT, 'litecoin');
    const withExtension = `${SEGWIT.replace('0001', '0009').slice(0, -8)}01${'ab'.repeat(50)}11000000`;
    expect(parseTransaction(withExtension, 'litecoin').txHash).toBe(txHash);
  });
});

describe('Bitcoin Cash outputs with tokens (CHIP-2022-02)', () => {
  const LOCK = '76a91476a04053bda0a88bda5177b86a15c3b29f55987388ac';
  const CATEGORY = 'bb'.repeat(32);

  /** The script that remains of an output of a raw transaction. */
  function scriptOf(script: string, family: 'bitcoincash' | 'bitcoin' = 'bitcoincash'): string | undefined {
    const length = (script.length / 2).toString(16).padStart(2, '0');
    const raw = `02000000010${'1'.repeat(63)}0000000000ffffffff01e803000000000000${length}${script}00000000`;
    const { outputs, txHash } = parseTransaction(raw, family);
    expect(outputs[0]?.amount).toBe(1_000n);
    // What is cut off belongs to the transaction all the same.
    expect(txHash).toBe(hashOf(raw));
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
  ])('with %s pay the script after the prefix', (_what, prefix) => {
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
  ])('with %s are left unchanged', (_what, prefix) => {
    const script = prefix.length < 20 ? prefix : `${prefix}${LOCK}`;
    expect(scriptOf(script)).toBe(script);
  });
});
