import { HDKey } from '@scure/bip32';
import { mnemonicToSeedSync } from '@scure/bip39';
import type { AddressFamily } from '../chains/chain.pure.js';
import {
  addressChainOf,
  AddressQuestionError,
  type AddressQuestion,
  findAddressOfKey,
  readAccountKey,
  readingsOfKey,
} from './account-addresses.pure.js';
import { decodeExtendedKey, encodeExtendedKey, type KeyRefusal } from './extended-public-key.pure.js';
import { writeDescriptor } from './output-descriptor.pure.js';

const ROOT = HDKey.fromMasterSeed(mnemonicToSeedSync(`${'abandon '.repeat(11)}about`));
const xpub = (path: string) => ROOT.derive(path).publicExtendedKey;
const under = (version: number, text: string) => encodeExtendedKey(decodeExtendedKey(text), version);
const EVM = xpub("m/44'/60'/0'");
/** Test vector of BIP84. */
const ZPUB = under(0x04b24746, xpub("m/84'/0'/0'"));
const TPUB = under(0x043587cf, xpub("m/84'/1'/0'"));

describe('findAddressOfKey', () => {
  it.each<[string, AddressQuestion, object]>([
    [
      'an EVM address',
      { key: EVM, index: 0, address: '0x9858EfFD232B4033E47d90003D41EC34EcaEda94' },
      { family: 'evm', scriptType: null },
    ],
    [
      'an EVM address in lower case, with spaces around',
      { key: EVM, index: 0, address: ' 0x9858effd232b4033e47d90003d41ec34ecaeda94 ' },
      { address: '0x9858EfFD232B4033E47d90003D41EC34EcaEda94' },
    ],
    [
      'a segwit address of a zpub',
      { key: ZPUB, index: 0, address: 'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu' },
      { family: 'bitcoin', scriptType: 'p2wpkh' },
    ],
    [
      'a taproot address of an xpub (BIP86)',
      {
        key: xpub("m/86'/0'/0'"),
        index: 1,
        address: 'bc1p4qhjn9zdvkux4e44uhx8tc55attvtyu358kutcqkudyccelu0was9fqzwh',
      },
      { family: 'bitcoin', scriptType: 'p2tr' },
    ],
    [
      'a nested segwit address of a descriptor',
      {
        key: writeDescriptor('p2sh-p2wpkh', xpub("m/49'/0'/0'"), null),
        index: 0,
        address: '37VucYSaXLCAsxYyAPfbSi9eh4iEcbShgf',
      },
      { family: 'bitcoin', scriptType: 'p2sh-p2wpkh' },
    ],
    [
      'a legacy address',
      { key: xpub("m/44'/0'/0'"), index: 0, address: '1LqBGSKuX5yYUonjxT5qGfpUsXKYYWeabA' },
      { family: 'bitcoin', scriptType: 'p2pkh' },
    ],
    [
      'an address of the test network',
      { key: TPUB, index: 0, address: 'tb1q6rz28mcfaxtmd6v789l9rrlrusdprr9pqcpvkl' },
      { family: 'bitcoin', scriptType: 'p2wpkh' },
    ],
    [
      'a Litecoin address',
      { key: xpub("m/44'/2'/0'"), index: 0, address: 'LUWPbpM43E2p7ZSh8cyTBEkvpHmr3cB8Ez' },
      { family: 'litecoin', scriptType: 'p2pkh' },
    ],
    [
      'a Dogecoin address',
      { key: xpub("m/44'/3'/0'"), index: 0, address: 'DBus3bamQjgJULBJtYXpEzDWQRwF5iwxgC' },
      { family: 'dogecoin', scriptType: 'p2pkh' },
    ],
    [
      'a Bitcoin Cash address',
      {
        key: xpub("m/44'/145'/0'"),
        index: 0,
        address: 'bitcoincash:qqyx49mu0kkn9ftfj6hje6g2wfer34yfnq5tahq3q6',
      },
      { family: 'bitcoincash', scriptType: 'p2pkh' },
    ],
    [
      'a Tron address',
      { key: xpub("m/44'/195'/0'"), index: 0, address: 'TUEZSdKsoDHQMeZwihtdoBiN46zxhGWYdH' },
      { family: 'tron', scriptType: null },
    ],
  ])('recognizes %s', (_title, question, expected) => {
    const path = `0/${question.index}`;
    expect(findAddressOfKey(question)).toMatchObject({ path, ...expected });
    expect(findAddressOfKey({ ...question, index: question.index + 1 })).toBeNull();
  });

  it.each<[string, AddressQuestion]>([
    [
      'an address of another key',
      { key: EVM, index: 0, address: '0x52908400098527886E0F7030069857D2E4169EE7' },
    ],
    [
      'an address with another script type than the one that was asked for',
      {
        key: xpub("m/86'/0'/0'"),
        index: 0,
        address: 'bc1p5cyxnuxmeuwuvkwfem96lqzszd02n6xdcjrs20cac6yqjjwudpxqkedrcr',
        scriptType: 'p2wpkh',
      },
    ],
    [
      'the change address with the index',
      { key: ZPUB, index: 0, address: 'bc1q8c6fshw2dlwun7ekn9qwf37cu2rn755upcp6el' },
    ],
  ])('finds no derivation of %s', (_title, question) => {
    expect(findAddressOfKey(question)).toBeNull();
  });

  const VALID: AddressQuestion = {
    key: EVM,
    index: 0,
    address: '0x9858EfFD232B4033E47d90003D41EC34EcaEda94',
  };
  it.each<[string, Partial<AddressQuestion>, RegExp]>([
    ['a negative index', { index: -1 }, /^index: /],
    ['a hardened index', { index: 2 ** 31 }, /^index: /],
    ['an index with a fraction', { index: 0.5 }, /^index: /],
    ['no address', { address: '' }, /^address: /],
    ['a mistyped address', { address: '0x9858EfFD232B4033E47d90003D41EC34EcaEda95' }, /^address: /],
    ['an address of another family', { family: 'bitcoin' }, /^address: .*bitcoin/],
    ['an unknown family', { family: 'solana' as never }, /^family: .*evm, bitcoin/],
    ['an unknown network', { family: 'evm', network: 'moon' }, /^address: /],
    ['no key', { key: '' }, /^key: /],
    ['a master key', { key: ROOT.publicExtendedKey }, /^key: .*account key/],
    ['a private key', { key: ROOT.derive("m/44'/60'/0'").privateExtendedKey }, /^key: .*not a private key/],
    ['a key of Bitcoin for an EVM address', { key: ZPUB }, /^key: .*zpub/],
  ])('refuses %s', (_title, changes, message) => {
    const ask = () => findAddressOfKey({ ...VALID, ...changes });
    expect(ask).toThrow(AddressQuestionError);
    expect(ask).toThrow(message);
  });
});

/** Keys that Electrum 4.3.4 made (`electrum create`), with its first address. */
const ELECTRUM: [what: string, key: string, network: string, path: string, address: string][] = [
  [
    'segwit',
    'zpub6nQYu9sNxsU7nYKiE4Sk1GAqtcB67zLkNnLpbPCkWNXnBMmwJ7k3ZPuwKUWqPbqp6PXNN6BXVwX7EcicDajoJ6kDW6JNuFJNmL8UjL743Jh',
    'mainnet',
    "m/0'",
    'bc1qs5jard3xefrlvxeu7rel4q3d88y0tlc5w9dun0',
  ],
  [
    'standard',
    'xpub661MyMwAqRbcFv5ipDUkgVtRP9Q7XxS92zYTSzb9wRUm8Fq8emytLnp4z3fkg44wu7XhMr3jUxNMgd5x32crQ3WCLpgDi5yMgwo2QXuj2bu',
    'mainnet',
    'm',
    '17YyvHCjKTWSnf4zWphSgA3hKWS6PYmTjA',
  ],
  [
    'segwit on regtest',
    'vpub5VMH92ewU2Hh44HkdsDk6XW4u5uX18T6V9RUCNtJpysHSger5skm4Fdzbw7U7KEb1eikhF1nWiKawcdji6i2Zoz5MkSDgERvUretpis94QX',
    'regtest',
    "m/0'",
    'bcrt1qvv5w4x6eygf9kdwd8ccw7jmejz080ta8awdp36',
  ],
  [
    'standard on regtest',
    'tpubD6NzVbkrYhZ4YTsqRFAqVH3VZdL16rYPD7MVbCDyXyn3MrX15aBSYrBu5ptAe5BcwnhgZP5M26hY4Dkh3b2WwyoGZYkjM5MefTXi5MpjXHX',
    'regtest',
    'm',
    'mmhkBTJzXPtdJdDZxyZUhNmyxNR5A6pUuY',
  ],
  [
    'segwit on testnet',
    'vpub5UG4ZrKjCzRRWCrX2BCjLgN385MhRTQDfFYrbh2knbJ5xEk4emxQ4pE931y5M647aZJ4UnzBJZh5vA1Wbg7PcgRm7zPaZnsKVj1ygBA1Quh',
    'testnet',
    "m/0'",
    'tb1qwweejvqkxgvrf2eenzwevakcdsf8de5k9qt8k2',
  ],
  [
    'standard on testnet',
    'tpubD6NzVbkrYhZ4XFCun2fnrdVmh4SBvDYvELidaZKKMNsKxSQ5znF6XNEEBdd57mzTcdQZJadvPFuNMy3iqVRSN1NH4krspevhFcb3ywoimcZ',
    'testnet',
    'm',
    'myh5HS7oZsB5wtLixVQuP9RERGd1KWLGaK',
  ],
];

describe('a key that Electrum made itself', () => {
  it.each(ELECTRUM)(
    '%s: is read at its own path, with its first address',
    (_what, key, network, path, address) => {
      const reading = readingsOfKey(key, 'bitcoin', 1).find(
        (one) => one.network === network && one.addresses.includes(address),
      );
      const masterFingerprint =
        path === 'm' ? reading?.fingerprint : decodeExtendedKey(key).subarray(5, 9).toString('hex');
      expect(reading).toMatchObject({ accountPath: path, masterFingerprint });
      expect(findAddressOfKey({ key, index: 0, address, family: 'bitcoin' })).toMatchObject({
        path: '0/0',
        walletPath: `${path}/0/0`,
      });
    },
  );

  it.each(ELECTRUM)(
    '%s: keeps its path and first address once it is stored',
    (_what, key, network, path, address) => {
      const scriptType = path === 'm' ? 'p2pkh' : null;
      const { text } = readAccountKey(key, 'bitcoin', network, scriptType);
      const stored = addressChainOf(readAccountKey(text, 'bitcoin', network, null), 'bitcoin', network);
      expect([stored.accountPath, stored.derive(0)?.address]).toEqual([path, address]);
    },
  );

  it('and one of Electron Cash are read for Bitcoin Cash', () => {
    const [, standard] = ELECTRUM;
    const [reading] = readingsOfKey(standard?.[1] ?? '', 'bitcoincash', 1);
    // The same key hash as Electrum's address, in the other spelling.
    expect(reading).toMatchObject({
      accountPath: 'm',
      scriptType: 'p2pkh',
      addresses: ['bitcoincash:qpra62dtljnred0yyrdj4e5w6ne4uh52f5ugqdkqvl'],
    });
  });

  it('is refused where a master key has a parent, and where it is no Bitcoin wallet', () => {
    const [, standard] = ELECTRUM;
    const bytes = decodeExtendedKey(standard?.[1] ?? '');
    bytes[12] = 1;
    expect(() => readAccountKey(encodeExtendedKey(bytes, 0x0488b21e), 'bitcoin', 'mainnet', 'p2pkh')).toThrow(
      'that it has a parent',
    );
    for (const [, key] of ELECTRUM)
      for (const family of ['evm', 'tron'] as const)
        expect(() => readAccountKey(key, family, 'mainnet', null)).toThrow(/must be an/);
  });
});

describe('readingsOfKey', () => {
  it('reads a key of an EVM account in one way', () =>
    expect(readingsOfKey(EVM, 'evm', 1)).toEqual([
      {
        network: 'mainnet',
        scriptType: null,
        fingerprint: expect.stringMatching(/^[0-9a-f]{8}$/),
        masterFingerprint: null,
        accountPath: "m/44'/60'/0'",
        key: EVM,
        addresses: ['0x9858EfFD232B4033E47d90003D41EC34EcaEda94'],
      },
    ]));

  it.each<[string, string, string[]]>([
    ['a zpub', ZPUB, ['mainnet p2wpkh']],
    ['a descriptor', writeDescriptor('p2sh-p2wpkh', xpub("m/49'/0'/0'"), null), ['mainnet p2sh-p2wpkh']],
    [
      'an xpub, which leaves the type open',
      xpub("m/84'/0'/0'"),
      ['mainnet p2pkh', 'mainnet p2sh-p2wpkh', 'mainnet p2wpkh', 'mainnet p2tr'],
    ],
  ])('lists what %s can be', (_what, key, readings) =>
    expect(
      readingsOfKey(key, 'bitcoin', 1)
        .map(({ network, scriptType }) => `${network} ${scriptType}`)
        .toSorted(),
    ).toEqual(readings.toSorted()),
  );

  it('lists both networks that a tpub can be of', () =>
    expect(new Set(readingsOfKey(TPUB, 'bitcoin', 1).map(({ network }) => network))).toEqual(
      new Set(['testnet', 'regtest']),
    ));

  it.each([
    ['an address', '0x9858EfFD232B4033E47d90003D41EC34EcaEda94'],
    ['a private key', ROOT.derive("m/44'/60'/0'").privateExtendedKey],
    ['a key that is too deep', xpub("m/44'/60'/0'/0")],
    ['nothing', ''],
  ])('refuses %s without repeating it', (_what, key) => {
    const reading = () => readingsOfKey(key, 'evm', 3);
    expect(reading).toThrow(AddressQuestionError);
    if (key !== '') expect(reading).not.toThrow(key);
  });

  it.each<[KeyRefusal, string, AddressFamily, string]>([
    ['secret', 'a private key', 'evm', ROOT.derive("m/44'/60'/0'").privateExtendedKey],
    ['secret', 'a recovery phrase', 'bitcoin', 'abandon '.repeat(11) + 'about'],
    ['form', 'an address', 'evm', '0x9858EfFD232B4033E47d90003D41EC34EcaEda94'],
    ['form', 'nothing', 'bitcoin', ''],
    ['typo', 'a mistyped key', 'evm', EVM.replace(/.$/, (last) => (last === '1' ? '2' : '1'))],
    [
      'typo',
      'a mistyped key of Bitcoin',
      'bitcoin',
      ZPUB.replace(/.$/, (last) => (last === '1' ? '2' : '1')),
    ],
    ['other-kind', 'a zpub on an EVM chain', 'evm', ZPUB],
    ['other-kind', 'a tpub on an EVM chain', 'evm', TPUB],
    ['other-kind', 'a zpub on Dogecoin', 'dogecoin', ZPUB],
    ['account', 'a master key', 'evm', ROOT.publicExtendedKey],
    ['account', 'a key that is too deep', 'bitcoin', xpub("m/84'/0'/0'/0")],
    [
      'account',
      'a key of a test network that is too deep',
      'bitcoin',
      under(0x043587cf, xpub("m/84'/1'/0'/0")),
    ],
    ['signers', 'a Zpub', 'bitcoin', under(0x02aa7ed3, xpub("m/48'/0'/0'"))],
    ['account', 'a key of depth 2', 'bitcoin', under(0x04b24746, xpub("m/84'/0'"))],
    ['account', 'a key of depth 2 whose type is open', 'bitcoin', xpub("m/84'/0'")],
    ['account', 'a child of the master key that is not hardened', 'bitcoin', xpub('m/0')],
    ['account', 'a key of depth 1', 'evm', xpub("m/0'")],
    ['other-network', 'an account of test networks', 'bitcoin', `[73c5da0a/84'/1'/0']${ZPUB}`],
    ['other-kind', 'an account of Litecoin', 'bitcoin', `[73c5da0a/84'/2'/0']${TPUB}`],
    ['signers', 'a descriptor of several', 'bitcoin', `wsh(multi(1,${ZPUB}/0/*,${ZPUB}/0/*))`],
    ['typo', 'a descriptor with a wrong checksum', 'bitcoin', `wpkh(${ZPUB}/0/*)#qqqqqqqq`],
    ['descriptor', 'a change branch', 'bitcoin', `wpkh(${ZPUB}/1/*)`],
    ['descriptor', 'an origin of another depth', 'bitcoin', `[73c5da0a/0']${ZPUB}`],
  ])('gives the reason %s for %s', (refusal, _what, family, key) => {
    expect(() => readingsOfKey(key, family, 3)).toThrow(expect.objectContaining({ refusal }) as Error);
  });
});
