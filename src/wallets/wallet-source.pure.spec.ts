import { COLLECTOR_FACTORY, depositAddressOf, type Treasury } from './treasury/treasury-address.pure.js';
import { findTreasury, isSameTreasury, sourceOfTreasury, TreasuryAddresses } from './wallet-source.pure.js';

const TREASURY: Treasury = {
  address: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  factory: COLLECTOR_FACTORY,
  kind: 'passing',
  namespace: '00112233445566778899aabbccddeeff',
};
const OTHERS: readonly (readonly [string, Partial<Treasury>, boolean])[] = [
  ['another namespace', { namespace: 'f'.repeat(32) }, true],
  ['another address', { address: '0x52908400098527886E0F7030069857D2E4169EE7' }, false],
  ['another factory', { factory: '0x52908400098527886E0F7030069857D2E4169EE7' }, false],
];

describe('the source of a treasury', () => {
  const source = sourceOfTreasury(TREASURY);

  it('is read back from what is shown of it, and from what is sealed', () => {
    expect(findTreasury(source.masked)).toEqual(TREASURY);
    expect(findTreasury(source.text)).toEqual(TREASURY);
    expect(source.fingerprint).toMatch(/^[0-9a-f]{8}$/);
    expect(source.keyHash).toHaveLength(32);
  });

  it.each(OTHERS)(
    'with %s has another hash, and is the same treasury only there: %p',
    (_what, change, isSame) => {
      const other = sourceOfTreasury({ ...TREASURY, ...change });
      expect(other.keyHash.equals(source.keyHash)).toBe(false);
      expect(isSameTreasury(source.masked, other.masked)).toBe(isSame);
      expect(source.fingerprint === other.fingerprint).toBe(isSame);
    },
  );

  it.each([['xpub6C...9f2A'], ['']])('is not that of the key %p', (masked) => {
    expect(findTreasury(masked)).toBeNull();
    expect(isSameTreasury(masked, masked)).toBe(false);
    expect(isSameTreasury(masked, source.masked)).toBe(false);
  });

  it('is none where a wallet is removed', () => {
    expect(findTreasury(null)).toBeNull();
    expect(isSameTreasury(null, source.masked)).toBe(false);
  });

  it.each([
    ['another kind', source.text.replace('passing', 'lasting')],
    [
      'an address without its checksum',
      source.text.replace(TREASURY.address, TREASURY.address.toLowerCase()),
    ],
    ['a namespace that is cut off', source.text.replace(/.\)$/, ')')],
    ['something behind it', `${source.text} `],
    ['nothing in it', 'treasury()'],
  ])('is never read from a text with %s', (_what, text) => {
    expect(findTreasury(text)).toBeNull();
  });
});

it('the addresses of a treasury are those of its factory, one by one and together', () => {
  const addresses = new TreasuryAddresses(TREASURY);
  const indexes = [0, 1, 2 ** 31];
  expect(addresses.deriveEach(indexes)).toEqual(
    indexes.map((index) => ({ ...depositAddressOf(TREASURY, index), publicKey: null })),
  );
  expect(addresses.derive(1)).toEqual(depositAddressOf(TREASURY, 1));
  expect(addresses).toMatchObject({ accountPath: null, masterFingerprint: null, treasury: TREASURY });
});
