import { HDKey } from '@scure/bip32';
import { mnemonicToSeedSync } from '@scure/bip39';
import { familyOf } from '../chains/chain-families.pure.js';
import { AddressChain, type AddressEncoding } from './address-chain.pure.js';

const WORDS = 'test test test test test test test test test test test junk';
const PRIVATE_ACCOUNT = HDKey.fromMasterSeed(mnemonicToSeedSync(WORDS)).derive("m/44'/60'/0'");
const ACCOUNT = HDKey.fromExtendedKey(PRIVATE_ACCOUNT.publicExtendedKey);
const HARDENED = 2 ** 31;

const ethereum: AddressEncoding = (publicKey) =>
  familyOf('evm').addresses.ofPublicKey(publicKey, undefined, null);
const hexadecimal: AddressEncoding = (publicKey) => ({
  key: Buffer.from(publicKey),
  address: Buffer.from(publicKey).toString('hex'),
});

/** An account whose receiving branch returns what a test says, since an invalid index is too rare to be found. */
function accountWith(deriveChild: (index: number) => Partial<HDKey>): HDKey {
  return { deriveChild: () => ({ deriveChild }) } as unknown as HDKey;
}

describe('AddressChain', () => {
  it.each([
    [0, '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'],
    [1, '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'],
    [2, '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'],
  ])('derives address %d of a well-known mnemonic as wallets show it', (index, address) => {
    expect(new AddressChain(ACCOUNT, ethereum, 'm').derive(index)?.address).toBe(address);
  });

  it.each([0, 1, 1_000_000, HARDENED - 1])(
    'encodes the compressed public key m/0/%d, which the wallet can spend from',
    (index) => {
      const derived = new AddressChain(ACCOUNT, hexadecimal, 'm').derive(index);
      const { publicKey } = PRIVATE_ACCOUNT.derive(`m/0/${index}`);
      expect(derived?.key).toHaveLength(33);
      expect(derived?.key).toEqual(Buffer.from(publicKey ?? []));
    },
  );

  it('returns the same address for the same index, in any order', () => {
    const chain = new AddressChain(ACCOUNT, ethereum, 'm');
    const [later, first] = [chain.derive(7), chain.derive(0)];
    expect([chain.derive(0), chain.derive(7)]).toEqual([first, later]);
  });

  it('derives no address of the change branch', () => {
    const change = PRIVATE_ACCOUNT.derive('m/1/0').publicKey;
    expect(new AddressChain(ACCOUNT, hexadecimal, 'm').derive(0)?.key).not.toEqual(Buffer.from(change ?? []));
  });

  it.each([
    ['an index without a valid key, where the library returns the next one', { index: 6 }],
    ['a child without a public key', { index: 5, publicKey: null }],
  ])('returns null for %s', (_what, changes) => {
    const { publicKey } = ACCOUNT;
    const chain = new AddressChain(
      accountWith(() => ({ publicKey, ...changes })),
      ethereum,
      'm',
    );
    expect(chain.derive(5)).toBeNull();
  });

  it.each([
    ['a negative index', -1],
    ['a fraction', 0.5],
    ['no number', Number.NaN],
    ['infinity', Number.POSITIVE_INFINITY],
    ['the first hardened index, which needs the private key', HARDENED],
    ['an index of more than 32 bits', 2 ** 32],
  ])('throws for %s', (_what, index) => {
    expect(() => new AddressChain(ACCOUNT, ethereum, 'm').derive(index)).toThrow();
  });
});
