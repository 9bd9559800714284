import { ByteReader, sha256Twice } from './byte-reader.pure.js';
import { findMergeMiningProblem, type MergeMining, readMergeMining } from './merge-mining.pure.js';
import { findWorkProblem } from './proof-of-work.pure.js';
import { parseBlock, parseHeader } from './utxo-wire.pure.js';

/** Dogecoin's block 5462519: its header, */
const DOGECOIN_HEADER =
  '040162005e840cdf3fec777d0d634c8e9c92f6a2ea8930fd8b48a0dbb5f2357a9f4f1de657c1358bd1f89e699d7c07dcc44de34c7bf1' +
  'a27ea28edd2d6cb884f7d15288e2dae73667d901011a00000000';
/** and what Litecoin's miners put behind it: their coinbase, two branches, their header. */
const DOGECOIN_PROOF =
  '01000000010000000000000000000000000000000000000000000000000000000000000000ffffffff6403f6992a2cfabe6d6dd81f39' +
  '88043c35815286caf34112119f102a40f5254b38ccd8a26034e20a5b0208000000f09f909f092f4632506f6f6c2f6100000000000000' +
  '000000000000000000000000000000000000000000000000000000000500db3784010000000002a62e8f25000000001976a914f2910e' +
  'caf7bb8d18ed71f0904e0e7456f29ce18288ac0000000000000000266a24aa21a9ed801e68db7a74fb3b4d488c0434637c970f57e7f1' +
  '63928f7f70379e8105cbc97e2d571a42601f1e481b6c99ed95f6fe403cd27fbbc50946e730b79e64e30000000000000008b464254251' +
  '342ff2fde346bc0cd59c9b2408d80a445b939d88c38b04f68e6f156f898d3a5f1d581764292bf9627aa94d3610bda497d085ce5e724d' +
  '37218511f677afd5410d3d222bb16e3c9f6812bc99033358e80ab5e34c635c524af1b4c27136f4be10555a7994fc90e0c014840e50dc' +
  '26466ccff91ce2882ebe3fa0a6c307092a3b4cd9ffcef9f5c4d662a18b54ddad38a8384888ece87bc0244dadffbbcad0f02d09a1155e' +
  'a29b3c93afadd8341a23452966d43af767876ace612015e7b1ef572ff80f874d6f1b8fe9debbbc9bff2f82b45336c1df916400cd08e6' +
  '817e2612653f629a170b856a787a1dd4f4de70c44905760cf2287bee56fda72472118e00000000031fe0dfb97e716ec277ac600ff9c4' +
  '85831f2ef52a4478a797704b06dfb838192f4bd17ef3ab1e19336a217f754ef38b3e96b9da39c79bfce6b51e9d42ce34bbd1e8c100c2' +
  '1e0533acf748e8372ca702edea7ce12e4a5ec5067f4587b05963e3df0000000014000020914f47f57dbd460a348179763e195fbae410' +
  '90f7e87a1836e60b9f876e32a6ea4093045657cce77921dcb897ea71bbeff7fa6ace8e7c4020b9f3b7caf3be35cb11e83667db555c19' +
  '5945a9ff';

/** No transaction of that block. */
const OTHER = `01000000010${'1'.repeat(63)}0000000000ffffffff01e803000000000000015100000000`;

const header = Buffer.from(DOGECOIN_HEADER, 'hex');
const hash = sha256Twice(header);
const read = (): MergeMining => readMergeMining(new ByteReader(Buffer.from(DOGECOIN_PROOF, 'hex')));
/** Where the magic, the root, the size of the tree and the nonce stand in that coinbase's script. */
const MAGIC = 5;
const ROOT = MAGIC + 4;
const SIZE = ROOT + 32;
const NONCE = SIZE + 4;

/** Bytes with others in their place. */
function changed(bytes: Buffer, at: number, hex: string): Buffer {
  const other = Buffer.from(bytes);
  other.write(hex, at, 'hex');
  return other;
}

/** The published proof with another script. */
const scripted = (change: (script: Buffer) => Buffer): MergeMining => {
  const mining = read();
  return { ...mining, coinbaseScript: change(mining.coinbaseScript) };
};

describe('merge-mined Dogecoin blocks', () => {
  it('are read past the merge-mining proof', () => {
    const raw = DOGECOIN_HEADER + DOGECOIN_PROOF;
    expect(parseHeader(raw)).toMatchObject({
      hash: '26e1a3ef7e6e34ece7bb9e09324dca34678af1bcfcdb7a810e53cb12249c0a6a',
      parentHash: 'e61d4f9f7a35f2b5dba0488bfd3089eaa2f6929c8e4c630d7d77ec3fdf0c845e',
      time: new Date('2024-11-15T06:19:06Z'),
      mergeMining: null,
    });
    // Its own transactions are not at hand: behind the proof others are found, and found to be others.
    expect(() => parseBlock(`${raw}01${OTHER}`, 'dogecoin')).toThrow(/not those of the block/);
    expect(() => parseBlock(raw, 'dogecoin')).toThrow(/ends too early/);
  });

  it('have the work of Litecoin’s miners', async () => {
    expect(findMergeMiningProblem(hash, read())).toBeNull();
    // Ten million and more; the least that the catalog asks for is two.
    expect(await findWorkProblem({ bytes: header, mergeMining: read() }, 'dogecoin', 10e6)).toBeNull();
  });

  it('have no work of their own, nor any that the other header lacks', async () => {
    expect(await findWorkProblem({ bytes: header, mergeMining: null }, 'dogecoin', 1)).toBe(
      'lacks the work that it names',
    );
    const spoiled = read();
    spoiled.header = changed(spoiled.header, 76, '00000000');
    expect(await findWorkProblem({ bytes: header, mergeMining: spoiled }, 'dogecoin', 1)).toBe(
      'lacks the work that it names',
    );
    const foreign = { bytes: changed(header, 76, '01000000'), mergeMining: read() };
    expect(await findWorkProblem(foreign, 'dogecoin', 1)).toBe('is not the one that the work was done for');
  });

  it.each<[what: string, mining: () => MergeMining, problem: RegExp]>([
    [
      'a block of its own chain did the work',
      () => ({ ...read(), header: changed(read().header, 2, '6200') }),
      /of its own chain/,
    ],
    [
      'the coinbase is another’s',
      () => ({ ...read(), coinbaseHash: Buffer.alloc(32, 1) }),
      /another coinbase/,
    ],
    [
      'another transaction than the coinbase names it',
      () => ({ ...read(), toHeader: { ...read().toHeader, index: 1 } }),
      /another coinbase/,
    ],
    [
      'a hash on the way to the header is another',
      () => ({ ...read(), toHeader: { hashes: read().toHeader.hashes.slice(1), index: 0 } }),
      /another coinbase/,
    ],
    [
      'a hash on the way to the coinbase is another',
      () => ({ ...read(), toCoinbase: { hashes: read().toCoinbase.hashes.toReversed(), index: 0 } }),
      /not the one/,
    ],
    [
      'it claims another place',
      () => ({ ...read(), toCoinbase: { ...read().toCoinbase, index: 1 } }),
      /not the one/,
    ],
    [
      'the tree is higher than any',
      () => ({ ...read(), toCoinbase: { hashes: Array<Buffer>(31).fill(Buffer.alloc(32)), index: 0 } }),
      /too many/,
    ],
    ['the root is another', () => scripted((script) => changed(script, ROOT, '00')), /not the one/],
    [
      'the coinbase names two',
      () => scripted((script) => Buffer.concat([script, script.subarray(MAGIC, ROOT)])),
      /not the only one/,
    ],
    [
      'something stands between mark and root',
      () =>
        scripted((script) =>
          Buffer.concat([script.subarray(0, ROOT), Buffer.alloc(1), script.subarray(ROOT)]),
        ),
      /not the only one/,
    ],
    [
      'the root comes late and without a mark',
      () => scripted((script) => Buffer.concat([Buffer.alloc(21), script.subarray(ROOT)])),
      /not the only one/,
    ],
    [
      'the tree is of another size',
      () => scripted((script) => changed(script, SIZE, '10')),
      /right to its place/,
    ],
    [
      'the place is another’s',
      () => scripted((script) => changed(script, NONCE, 'f1')),
      /right to its place/,
    ],
    [
      'the script ends too early',
      () => scripted((script) => script.subarray(0, NONCE + 3)),
      /right to its place/,
    ],
  ])('are rejected when %s', (_what, mining, problem) => {
    expect(findMergeMiningProblem(hash, mining())).toMatch(problem);
  });

  it('may be named without a mark early in the script', () => {
    for (const before of [0, 20])
      expect(
        findMergeMiningProblem(
          hash,
          scripted((script) => Buffer.concat([Buffer.alloc(before), script.subarray(ROOT)])),
        ),
      ).toBeNull();
  });

  it('are checked without modifying their hash', () => {
    const asked = Buffer.from(hash);
    findMergeMiningProblem(asked, { ...read(), toCoinbase: { hashes: [], index: 0 } });
    expect(asked.equals(hash)).toBe(true);
  });
});
