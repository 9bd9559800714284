import { HDKey } from '@scure/bip32';
import { childKeys } from './child-keys.pure.js';

/** Test vectors 1 and 3 of BIP32: the master keys. */
const SEEDS = [
  '000102030405060708090a0b0c0d0e0f',
  '4b381541583be4423346c643850da4b320e46a87ae3d2a4e6da11eba819cd4acba45d239319ac14f863b8d5ab5a0d0c64d2e8a1e7d1457df2e5a3c51c73235be',
];
const INDEXES = [0, 1, 2, 3, 127, 255, 256, 65_535, 1_000_000, 2 ** 31 - 1];

describe('childKeys', () => {
  it.each(SEEDS)('derives the same keys as the library from seed %s', (seed) => {
    const { publicExtendedKey } = HDKey.fromMasterSeed(Buffer.from(seed, 'hex'));
    const parent = HDKey.fromExtendedKey(publicExtendedKey);
    const { publicKey, chainCode } = parent;
    if (!publicKey || !chainCode) throw new Error('the key is incomplete');
    const expected = INDEXES.map((index) => parent.deriveChild(index).publicKey);
    expect(childKeys({ publicKey, chainCode }, INDEXES)).toEqual(expected);
  });

  it('derives nothing from no indexes', () => {
    const { publicKey, chainCode } = HDKey.fromMasterSeed(Buffer.from(SEEDS[0] ?? '', 'hex'));
    if (!publicKey || !chainCode) throw new Error('the key is incomplete');
    expect(childKeys({ publicKey, chainCode }, [])).toEqual([]);
  });
});
