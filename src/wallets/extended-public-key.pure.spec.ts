import { createBase58check } from '@scure/base';
import { HDKey } from '@scure/bip32';
import { mnemonicToSeedSync } from '@scure/bip39';
import fc from 'fast-check';
import { sha256 } from '../platform/kernel/hmac.pure.js';
import { familyOf } from '../chains/chain-families.pure.js';
import { AddressChain, type AddressEncoding } from './address-chain.pure.js';
import { ExtendedKeyError, parseExtendedPublicKey } from './extended-public-key.pure.js';

const evmEncoding: AddressEncoding = (publicKey) =>
  familyOf('evm').addresses.ofPublicKey(publicKey, undefined, null);
const tronEncoding: AddressEncoding = (publicKey) =>
  familyOf('tron').addresses.ofPublicKey(publicKey, undefined, null);

const base58check = createBase58check(sha256);
const JUNK = HDKey.fromMasterSeed(
  mnemonicToSeedSync('test test test test test test test test test test test junk'),
);
const ABANDON_WORDS = `${'abandon '.repeat(11)}about`;
const ABANDON = HDKey.fromMasterSeed(mnemonicToSeedSync(ABANDON_WORDS));
const ACCOUNT = JUNK.derive("m/44'/60'/0'");
const XPUB = ACCOUNT.publicExtendedKey;

/** The key with some of its 78 bytes changed, and a valid checksum. */
function edited(text: string, change: (bytes: Uint8Array) => void): string {
  const bytes = base58check.decode(text);
  change(bytes);
  return base58check.encode(bytes);
}

function withVersion(version: number, text = XPUB): string {
  return edited(text, (bytes) => Buffer.from(bytes.buffer, bytes.byteOffset).writeUInt32BE(version));
}

function refusal(text: string): string {
  try {
    parseExtendedPublicKey(text, 'evm');
  } catch (error) {
    if (error instanceof ExtendedKeyError) return error.message;
    throw error;
  }
  throw new Error('was not refused');
}

function firstAddresses(account: HDKey, count: number): (string | undefined)[] {
  const chain = new AddressChain(
    parseExtendedPublicKey(account.publicExtendedKey, 'evm').node,
    evmEncoding,
    'm',
  );
  return Array.from({ length: count }, (_, i) => chain.derive(i)?.address);
}

describe('an extended public key', () => {
  it('is parsed, with its masked form and fingerprint', () => {
    const key = parseExtendedPublicKey(`  ${XPUB}\n`, 'evm');
    expect(key.text).toBe(XPUB);
    expect(key.masked).toBe(`${XPUB.slice(0, 6)}...${XPUB.slice(-4)}`);
    expect(key.fingerprint).toBe(ACCOUNT.fingerprint.toString(16).padStart(8, '0'));
    expect(key.keyHash).toEqual(sha256(Buffer.concat([ACCOUNT.publicKey!, ACCOUNT.chainCode!])));
    expect(key.node.privateKey).toBeNull();
  });

  it.each([
    ['with its receiving branch', `${XPUB}/0/*`, XPUB],
    ['broken over lines', `${XPUB.slice(0, 50)}\r\n  ${XPUB.slice(50)}`, XPUB],
    ['in quotes', ` “${XPUB}”\n`, XPUB],
    ['with its origin', `[D34DB33F/44'/60'/0']${XPUB}`, `[d34db33f/44h/60h/0h]${XPUB}`],
  ])('is parsed %s, and stored without what stood around it', (_what, pasted, text) => {
    const key = parseExtendedPublicKey(pasted, 'evm');
    expect([key.text, key.expression]).toEqual([text, text]);
    expect(key.keyHash).toEqual(parseExtendedPublicKey(XPUB, 'evm').keyHash);
    expect(parseExtendedPublicKey(text, 'evm').text).toBe(text);
  });

  it('derives test vector 1 of BIP32 from public keys alone', () => {
    const master = HDKey.fromMasterSeed(Buffer.from('000102030405060708090a0b0c0d0e0f', 'hex'));
    const account = HDKey.fromExtendedKey(master.derive("m/0'").publicExtendedKey);
    expect(account.publicExtendedKey).toBe(
      'xpub68Gmy5EdvgibQVfPdqkBBCHxA5htiqg55crXYuXoQRKfDBFA1WEjWgP6LHhwBZeNK1VTsfTFUHCdrfp1bgwQ9xv5ski8PX9rL2dZXvgGDnw',
    );
    expect(account.deriveChild(1).publicExtendedKey).toBe(
      'xpub6ASuArnXKPbfEwhqN6e3mwBcDTgzisQN1wXN9BJcM47sSikHjJf3UFHKkNAWbWMiGj7Wf5uMash7SyYq527Hqck2AxYysAA7xmALppuCkwQ',
    );
  });

  it('derives the addresses that wallets show for two well-known mnemonics', () => {
    expect(firstAddresses(ACCOUNT, 2)).toEqual([
      '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
      '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
    ]);
    expect(firstAddresses(ABANDON.derive("m/44'/60'/0'"), 1)).toEqual([
      '0x9858EfFD232B4033E47d90003D41EC34EcaEda94',
    ]);
  });

  it("derives the addresses that Tron wallets show for a well-known mnemonic (m/44'/195'/0')", () => {
    const { publicExtendedKey } = ABANDON.derive("m/44'/195'/0'");
    const { node, scriptType } = parseExtendedPublicKey(publicExtendedKey, 'tron');
    const chain = new AddressChain(node, tronEncoding, 'm');
    expect([0, 1, 2].map((index) => chain.derive(index)?.address)).toEqual([
      'TUEZSdKsoDHQMeZwihtdoBiN46zxhGWYdH',
      'TSeJkUh4Qv67VNFwY8LaAxERygNdy6NQZK',
      'TYJPRrdB5APNeRs4R7fYZSwW3TcrTKw2gx',
    ]);
    expect(scriptType).toBeNull();
  });

  it('has the same 20 bytes on Tron as on EVM chains, but another hash', () => {
    const [evm, tron] = [parseExtendedPublicKey(XPUB, 'evm'), parseExtendedPublicKey(XPUB, 'tron')];
    const onTron = new AddressChain(tron.node, tronEncoding, 'm').derive(7);
    expect(onTron?.key).toEqual(new AddressChain(evm.node, evmEncoding, 'm').derive(7)?.key);
    expect(onTron?.address).toMatch(/^T[1-9A-HJ-NP-Za-km-z]{33}$/);
    expect(tron.keyHash).not.toEqual(evm.keyHash);
  });

  it('is refused with the path of the first account of its family when it is not an account key', () => {
    const master = ABANDON.publicExtendedKey;
    expect(() => parseExtendedPublicKey(master, 'tron')).toThrow("m/44'/195'/0'");
    expect(() => parseExtendedPublicKey('TUEZSdKsoDHQMeZwihtdoBiN46zxhGWYdH', 'tron')).toThrow(
      'not an address',
    );
  });

  it('derives the same addresses as the private key, for any seed, account and index', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ minLength: 16, maxLength: 64 }),
        fc.integer({ min: 0, max: 2 ** 31 - 1 }),
        fc.integer({ min: 0, max: 2 ** 31 - 1 }),
        (seed, number, index) => {
          const node = HDKey.fromMasterSeed(seed).derive(`m/44'/60'/${number}'`);
          const privately = new AddressChain(node, evmEncoding, 'm').derive(index);
          const { node: account } = parseExtendedPublicKey(node.publicExtendedKey, 'evm');
          const publicly = new AddressChain(account, evmEncoding, 'm').derive(index);
          expect(publicly).toEqual(privately);
        },
      ),
      { numRuns: 30 },
    );
  });

  it('returns null for an index without a valid key (BIP32)', () => {
    // Such an index is too rare to be found, so a stub returns the key of the next index, as the library does.
    const node = {
      deriveChild: (child: number) =>
        child === 0
          ? { deriveChild: (index: number) => ACCOUNT.deriveChild(index === 5 ? 6 : index) }
          : undefined,
    } as unknown as HDKey;
    const chain = new AddressChain(node, evmEncoding, 'm');
    expect(chain.derive(5)).toBeNull();
    expect(chain.derive(6)).not.toBeNull();
  });
});

const REFUSED: [what: string, text: string, message: RegExp][] = [
  ['an xprv', ACCOUNT.privateExtendedKey, /not a private key/],
  ['a mistyped xprv', `${ACCOUNT.privateExtendedKey.slice(0, -1)}1`, /not a private key/],
  ['a cut-off xprv', ACCOUNT.privateExtendedKey.slice(0, 50), /not a private key/],
  ['a yprv', withVersion(0x049d7878, ACCOUNT.privateExtendedKey), /not a private key/],
  ['a zprv', withVersion(0x04b2430c, ACCOUNT.privateExtendedKey), /not a private key/],
  ['a tprv', withVersion(0x04358394, ACCOUNT.privateExtendedKey), /not a private key/],
  [
    'a private key under a public prefix',
    withVersion(0x0488b21e, ACCOUNT.privateExtendedKey),
    /not a private key/,
  ],
  [
    'a private key under an unknown prefix',
    withVersion(0x01020304, ACCOUNT.privateExtendedKey),
    /not a private key/,
  ],
  ['a descriptor with an xprv', `wpkh([d34db33f/84h]${ACCOUNT.privateExtendedKey}/0/*)`, /not a private key/],
  [
    'a raw private key',
    'ac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80',
    /not a private key/,
  ],
  ['a raw private key with 0x', `0x${'AB'.repeat(32)}`, /not a private key/],
  ['a raw seed', 'ab'.repeat(64), /not a private key/],
  ['a WIF key', '5HueCGU8rMjxEXxiPuD5BDku4MkFqeZyd4dZ1jvhTVqvbTLvyTJ', /not a private key/],
  ['a compressed WIF key', 'KwdMAjGmerYanjeui5SHS7JkmpZvVipYvB2LJGU1ZxJwYvP98617', /not a private key/],
  ['a PEM key', '-----BEGIN EC PRIVATE KEY-----\nMHQ=\n-----END EC PRIVATE KEY-----', /not a private key/],
  ['12 seed words', ABANDON_WORDS, /not a recovery phrase/],
  ['24 seed words on lines', `${'zoo\n'.repeat(23)}vote`, /not a recovery phrase/],
  [
    'seed words in upper case with numbers',
    ABANDON_WORDS.split(' ')
      .map((w, i) => `${i + 1}. ${w.toUpperCase()}`)
      .join(', '),
    /not a recovery phrase/,
  ],
  ['Japanese seed words', 'あいこくしん　'.repeat(12), /not a recovery phrase/],
  ['seed words with one missing', 'abandon '.repeat(11), /not a recovery phrase/],
  ['an address', '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266', /not an address/],
  ['nothing', '', /and nothing else/],
  ['some words', 'my wallet key', /and nothing else/],
  ['a key with the change branch', `${XPUB}/1/*`, /receiving branch/],
  ['a key with its address', `${XPUB}/0/7`, /receiving branch/],
  ['a descriptor', `pkh(${XPUB}/0/*)`, /descriptors.*are for Bitcoin/],
  ['an origin of Bitcoin', `[d34db33f/44'/0'/0']${XPUB}`, /coin in its origin.*must be 60', not 0'/],
  ['an origin of a test network', `[d34db33f/44'/1'/0']${XPUB}`, /must be 60', not 1'/],
  ['an origin of another account', `[d34db33f/44'/60'/5']${XPUB}`, /last steps differ/],
  ['an origin of another depth', `[d34db33f/44'/60']${XPUB}`, /differ in depth/],
  ['an origin that is not hardened', `[d34db33f/44'/60/0']${XPUB}`, /must be hardened/],
  ['a mistyped letter', `${XPUB.slice(0, 40)}${XPUB[40] === 'a' ? 'b' : 'a'}${XPUB.slice(41)}`, /checksum/],
  ['a missing letter', XPUB.slice(0, -1), /checksum/],
  ['other bytes in base58', base58check.encode(new Uint8Array(76).fill(7)), /must be an extended public key/],
  ['a ypub', withVersion(0x049d7cb2), /a ypub is for Bitcoin/],
  ['a zpub', withVersion(0x04b24746), /a zpub is for Bitcoin/],
  ['a Zpub', withVersion(0x02aa7ed3), /a Zpub is for Bitcoin/],
  ['a tpub', withVersion(0x043587cf), /a tpub is for Bitcoin's test network/],
  ['a vpub', withVersion(0x045f1cf6), /a vpub is for Bitcoin's test network/],
  ['a Litecoin key', withVersion(0x019da462), /another network/],
  ['the master key', JUNK.publicExtendedKey, /depth 3.*not the wallet's master key/],
  ['a purpose key', JUNK.derive("m/44'").publicExtendedKey, /not a key of depth 1/],
  ['a receiving branch', ACCOUNT.derive('m/0').publicExtendedKey, /not a key of depth 4/],
  ['an address key', ACCOUNT.derive('m/0/0').publicExtendedKey, /not a key of depth 5/],
  ['an account that is not hardened', JUNK.derive("m/44'/60'/0").publicExtendedKey, /hardened/],
  ['a point off the curve', edited(XPUB, (bytes) => bytes.fill(5, 46)), /not on the curve/],
  ['a key of no known form', edited(XPUB, (bytes) => bytes.fill(4, 45, 46)), /not on the curve/],
];

describe('an extended public key is refused when it is', () => {
  it.each(REFUSED)('%s', (_what, text, message) => {
    expect(refusal(text)).toMatch(message);
  });

  it('with a message that contains no part of it', () => {
    for (const [, text] of REFUSED) {
      const message = refusal(text);
      for (const piece of text.match(/\w{7,}/g) ?? []) expect(message).not.toContain(piece);
    }
  });

  it('any other text, with an ExtendedKeyError and no other error', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
        expect(refusal(text)).not.toBe('');
      }),
    );
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 78, maxLength: 78 }), (bytes) => {
        expect(refusal(base58check.encode(bytes))).not.toBe('');
      }),
    );
  });
});
