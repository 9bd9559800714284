import { HDKey } from '@scure/bip32';
import { mnemonicToSeedSync } from '@scure/bip39';
import fc from 'fast-check';
import { utxoAddress } from '../chains/utxo/utxo-address.pure.js';
import type { ScriptType } from '../chains/chain-family.pure.js';
import type { UtxoFamily, UtxoNetworkName } from '../chains/utxo/utxo-network.pure.js';
import { AddressChain } from './address-chain.pure.js';
import { decodeExtendedKey, encodeExtendedKey, ExtendedKeyError } from './extended-public-key.pure.js';
import { descriptorChecksum, parseDescriptor, writeDescriptor } from './output-descriptor.pure.js';
import { parseUtxoAccount, ScriptTypeError } from './utxo-account-key.pure.js';

const WORDS = `${'abandon '.repeat(11)}about`;
const ROOT = HDKey.fromMasterSeed(mnemonicToSeedSync(WORDS));
const account = (path: string) => ROOT.derive(path);
const xpub = (path: string) => account(path).publicExtendedKey;
const under = (version: number, text: string) => encodeExtendedKey(decodeExtendedKey(text), version);
const checked = (body: string) => `${body}#${descriptorChecksum(body) ?? ''}`;

/** Test vectors of BIP84 and BIP86. */
const ZPUB =
  'zpub6rFR7y4Q2AijBEqTUquhVz398htDFrtymD9xYYfG1m4wAcvPhXNfE3EfH1r1ADqtfSdVCToUG868RvUUkgDKf31mGDtKsAYz2oz2AGutZYs';
const ZPRV =
  'zprvAWgYBBk7JR8Gjrh4UJQ2uJdG1r3WNRRfURiABBE3RvMXYSrRJL62XuezvGdPvG6GFBZduosCc1YP5wixPox7zhZLfiUm8aunE96BBa4Kei5';
const XPUB_86 =
  'xpub6BgBgsespWvERF3LHQu6CnqdvfEvtMcQjYrcRzx53QJjSxarj2afYWcLteoGVky7D3UKDP9QyrLprQ3VCECoY49yfdDEHGCtMMj92pReUsQ';
/** Test vector of BIP49. */
const TPUB_49 =
  'tpubDD7tXK8KeQ3YY83yWq755fHY2JW8Ha8Q765tknUM5rSvjPcGWfUppDFMpQ1ScziKfW3ZNtZvAD7M3u7bSs7HofjTD3KP3YxPK7X6hwV8Rk2';
const [YPUB, LTUB, MTUB, DGUB, TPUB, UPUB, VPUB] = [
  0x049d7cb2, 0x019da462, 0x01b26ef6, 0x02facafd, 0x043587cf, 0x044a5262, 0x045f1cf6,
] as const;
const KEY_49 = under(YPUB, xpub("m/49'/0'/0'"));

function firstAddress(
  text: string,
  family: UtxoFamily,
  network: UtxoNetworkName,
  type: string | null = null,
) {
  const { node, scriptType } = parseUtxoAccount(text, family, network, type);
  return new AddressChain(node, (key) => utxoAddress(key, family, network, scriptType), 'm').derive(0)
    ?.address;
}

describe('an account key of a UTXO chain', () => {
  it.each<[string, string, UtxoFamily, UtxoNetworkName, ScriptType | null, string]>([
    ['BIP84’s zpub', ZPUB, 'bitcoin', 'mainnet', null, 'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu'],
    [
      'the same with its type',
      ZPUB,
      'bitcoin',
      'mainnet',
      'p2wpkh',
      'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu',
    ],
    [
      'BIP86’s xpub',
      XPUB_86,
      'bitcoin',
      'mainnet',
      'p2tr',
      'bc1p5cyxnuxmeuwuvkwfem96lqzszd02n6xdcjrs20cac6yqjjwudpxqkedrcr',
    ],
    ['BIP49’s tpub', TPUB_49, 'bitcoin', 'testnet', 'p2sh-p2wpkh', '2Mww8dCYPUpKHofjgcXcBCEGmniw9CoaiD2'],
    [
      'BIP49’s key as upub',
      under(UPUB, TPUB_49),
      'bitcoin',
      'testnet',
      null,
      '2Mww8dCYPUpKHofjgcXcBCEGmniw9CoaiD2',
    ],
    ['a ypub', KEY_49, 'bitcoin', 'mainnet', null, '37VucYSaXLCAsxYyAPfbSi9eh4iEcbShgf'],
    [
      'an xpub for BIP44',
      xpub("m/44'/0'/0'"),
      'bitcoin',
      'mainnet',
      'p2pkh',
      '1LqBGSKuX5yYUonjxT5qGfpUsXKYYWeabA',
    ],
    [
      'an Ltub',
      under(LTUB, xpub("m/84'/2'/0'")),
      'litecoin',
      'mainnet',
      'p2wpkh',
      'ltc1qjmxnz78nmc8nq77wuxh25n2es7rzm5c2rkk4wh',
    ],
    [
      'a dgub',
      under(DGUB, xpub("m/44'/3'/0'")),
      'dogecoin',
      'mainnet',
      null,
      'DBus3bamQjgJULBJtYXpEzDWQRwF5iwxgC',
    ],
    [
      'a descriptor',
      checked(`wpkh([73c5da0a/84h/0'/0H]${under(0x0488b21e, ZPUB)}/0/*)`),
      'bitcoin',
      'mainnet',
      null,
      'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu',
    ],
    [
      'a descriptor of both branches (BIP389)',
      checked(`tr(${XPUB_86}/<0;1>/*)`),
      'bitcoin',
      'mainnet',
      'p2tr',
      'bc1p5cyxnuxmeuwuvkwfem96lqzszd02n6xdcjrs20cac6yqjjwudpxqkedrcr',
    ],
    [
      'a nested descriptor',
      checked(`sh(wpkh(${TPUB_49}/0/*))`),
      'bitcoin',
      'testnet',
      null,
      '2Mww8dCYPUpKHofjgcXcBCEGmniw9CoaiD2',
    ],
    [
      'a legacy descriptor',
      checked(`pkh(${xpub("m/44'/0'/0'")}/0/*)`),
      'bitcoin',
      'mainnet',
      null,
      '1LqBGSKuX5yYUonjxT5qGfpUsXKYYWeabA',
    ],
  ])('is parsed: %s', (_what, text, family, network, type, address) => {
    expect(firstAddress(` ${text}\n`, family, network, type)).toBe(address);
  });

  it('is stored as the same descriptor for a zpub and a descriptor of it, and parsed back', () => {
    const [a, b] = [ZPUB, checked(`wpkh(${under(0x0488b21e, ZPUB)}/0/*)`)].map((text) =>
      parseUtxoAccount(text, 'bitcoin', 'mainnet'),
    );
    expect(a?.text).toBe(b?.text);
    expect(a?.keyHash).toEqual(b?.keyHash);
    expect(a?.masked).toBe('zpub6r...tZYs');
    const again = parseUtxoAccount(a?.text ?? '', 'bitcoin', 'mainnet');
    expect(again).toMatchObject({ text: a?.text, scriptType: 'p2wpkh', fingerprint: a?.fingerprint });
    expect(again.keyHash).toEqual(a?.keyHash);
  });

  it('has another hash for each family and script type', () => {
    const hash = (family: UtxoFamily, type: ScriptType) =>
      parseUtxoAccount(XPUB_86, family, 'mainnet', type).keyHash.toString('hex');
    const hashes = [hash('bitcoin', 'p2tr'), hash('bitcoin', 'p2wpkh'), hash('litecoin', 'p2tr')];
    expect(new Set(hashes).size).toBe(3);
  });
});

const PRIVATE = account("m/84'/0'/0'").privateExtendedKey;
const REFUSED: [what: string, text: string, family: UtxoFamily, network: UtxoNetworkName, message: RegExp][] =
  [
    ['an xprv', PRIVATE, 'bitcoin', 'mainnet', /not a private key/],
    ['BIP84’s zprv', ZPRV, 'bitcoin', 'mainnet', /not a private key/],
    ['a descriptor of an xprv', checked(`wpkh(${PRIVATE}/0/*)`), 'bitcoin', 'mainnet', /not a private key/],
    ['seed words', WORDS, 'bitcoin', 'mainnet', /not a recovery phrase/],
    ['an address', 'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu', 'bitcoin', 'mainnet', /no address/],
    ['a child of m', under(0x04b24746, xpub('m/0')), 'bitcoin', 'mainnet', /hardened/],
    [
      'a purpose key below a child',
      under(0x04b24746, xpub("m/84'/0'")),
      'bitcoin',
      'mainnet',
      /m and m\/0'\), not a key of depth 2/,
    ],
    ['nothing', '', 'bitcoin', 'mainnet', /must be an extended public key/],
    ['a mistyped key', `${ZPUB.slice(0, -1)}1`, 'bitcoin', 'mainnet', /checksum/],
    ['a key with the change branch', `${ZPUB}/1/*`, 'bitcoin', 'mainnet', /receiving branch/],
    ['a test key on the main network', TPUB_49, 'bitcoin', 'mainnet', /of the main network: a tpub/],
    [
      'a vpub on the main network',
      under(VPUB, TPUB_49),
      'litecoin',
      'mainnet',
      /of the main network: a vpub/,
    ],
    ['a zpub on a test network', ZPUB, 'bitcoin', 'testnet', /of a test network.*: a zpub/],
    ['an xpub on regtest', XPUB_86, 'litecoin', 'regtest', /of a test network.*: an xpub/],
    ['an Ltub for Bitcoin', under(LTUB, XPUB_86), 'bitcoin', 'mainnet', /prefix is of another network/],
    ['an Mtub for Bitcoin', under(MTUB, XPUB_86), 'bitcoin', 'mainnet', /prefix is of another network/],
    ['a zpub for Dogecoin', ZPUB, 'dogecoin', 'mainnet', /prefix is of another network/],
    ['an unknown prefix', under(0x01020304, ZPUB), 'bitcoin', 'mainnet', /prefix is of another network/],
    ['a multisig key', under(0x02aa7ed3, ZPUB), 'bitcoin', 'mainnet', /a Zpub is one of several/],
    ['a receiving branch', under(0x04b24746, xpub("m/84'/0'/0'/0")), 'bitcoin', 'mainnet', /depth 4/],
    [
      'an unhardened account',
      under(0x04b24746, xpub("m/84'/0'/0")),
      'bitcoin',
      'mainnet',
      /hardened \(m\/84'\/0'\/0'\)/,
    ],
    [
      'a descriptor with a wrong one',
      `wpkh(${XPUB_86}/0/*)#qqqqqqqq`,
      'bitcoin',
      'mainnet',
      /checksum .* matches/,
    ],
    [
      'a descriptor with a checksum cut off',
      `${checked(`wpkh(${XPUB_86}/0/*)`).slice(0, -1)}`,
      'bitcoin',
      'mainnet',
      /checksum .* matches/,
    ],
    [
      'a descriptor with two',
      `${checked(`wpkh(${XPUB_86}/0/*)`)}#qqqqqqqq`,
      'bitcoin',
      'mainnet',
      /checksum .* matches/,
    ],
    ['a change branch', checked(`wpkh(${XPUB_86}/1/*)`), 'bitcoin', 'mainnet', /receiving branch/],
    ['a hardened branch', checked(`wpkh(${XPUB_86}/0/*h)`), 'bitcoin', 'mainnet', /receiving branch/],
    ['one address', checked(`wpkh(${XPUB_86}/0/7)`), 'bitcoin', 'mainnet', /receiving branch/],
    [
      'a tree of scripts',
      checked(`tr(${XPUB_86}/0/*,pk(${XPUB_86}/0/*))`),
      'bitcoin',
      'mainnet',
      /receiving branch/,
    ],
    ['a script hash', checked(`wsh(pk(${XPUB_86}/0/*))`), 'bitcoin', 'mainnet', /of one key: pkh/],
    ['several signers', checked(`sh(multi(1,${XPUB_86}/0/*))`), 'bitcoin', 'mainnet', /one signer/],
    [
      'several sorted signers',
      `wsh(sortedmulti(2,${XPUB_86}/0/*,${XPUB_86}/0/*))`,
      'bitcoin',
      'mainnet',
      /one signer/,
    ],
    [
      'an origin elsewhere',
      checked(`tr([73c5da0a/86h]${XPUB_86}/0/*)`),
      'bitcoin',
      'mainnet',
      /differ in depth/,
    ],
    ['a descriptor unlike its key', checked(`tr(${ZPUB}/0/*)`), 'bitcoin', 'mainnet', /fits its key/],
    [
      'segregated witness on Dogecoin',
      checked(`wpkh(${XPUB_86}/0/*)`),
      'dogecoin',
      'mainnet',
      /no segregated/,
    ],
  ];

describe('an account key of a UTXO chain is refused when it is', () => {
  it.each(REFUSED)('%s', (_what, text, family, network, message) => {
    expect(() => parseUtxoAccount(text, family, network, null)).toThrow(ExtendedKeyError);
    expect(() => parseUtxoAccount(text, family, network, null)).toThrow(message);
  });

  it('with a message that contains no part of it', () => {
    for (const [, text, family, network] of REFUSED) {
      let message = '';
      try {
        parseUtxoAccount(text, family, network);
      } catch (error) {
        message = String(error);
      }
      for (const piece of text.match(/\w{12,}/g) ?? []) expect(message).not.toContain(piece);
    }
  });

  it('any other text, with an ExtendedKeyError and no other error', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
        expect(() => parseUtxoAccount(text, 'bitcoin', 'mainnet')).toThrow(ExtendedKeyError);
        expect(() => parseUtxoAccount(`wpkh(${text})#aaaaaaaa`, 'bitcoin', 'mainnet')).toThrow(
          ExtendedKeyError,
        );
      }),
    );
  });
});

describe('a script type', () => {
  it.each<[string, string, UtxoFamily, string | null, RegExp]>([
    [
      'missing beside an xpub',
      XPUB_86,
      'bitcoin',
      null,
      /is needed for an xpub.*p2pkh, p2sh-p2wpkh, p2wpkh, p2tr/,
    ],
    ['missing beside an Ltub', under(LTUB, XPUB_86), 'litecoin', null, /is needed for an Ltub/],
    ['unknown', XPUB_86, 'bitcoin', 'p2wsh', /must be one of/],
    ['in other letters', XPUB_86, 'bitcoin', 'P2TR', /must be one of/],
    ['against the prefix', ZPUB, 'bitcoin', 'p2tr', /must be p2wpkh or left out: that is what a zpub/],
    [
      'against the descriptor',
      checked(`tr(${XPUB_86}/0/*)`),
      'bitcoin',
      'p2wpkh',
      /what the descriptor is for/,
    ],
    ['that the chain does not have', XPUB_86, 'dogecoin', 'p2wpkh', /must be one of: p2pkh$/],
  ])('is refused when %s', (_what, text, family, type, message) => {
    expect(() => parseUtxoAccount(text, family, 'mainnet', type)).toThrow(ScriptTypeError);
    expect(() => parseUtxoAccount(text, family, 'mainnet', type)).toThrow(message);
  });

  it('is not required when the prefix allows only one', () => {
    expect(parseUtxoAccount(XPUB_86, 'dogecoin', 'mainnet').scriptType).toBe('p2pkh');
    expect(parseUtxoAccount(under(TPUB, XPUB_86), 'bitcoincash', 'regtest').scriptType).toBe('p2pkh');
  });
});

describe('a descriptor checksum', () => {
  // BIP380, test vectors.
  it.each([['raw(deadbeef)', '89f8spxm']])('of %s is %s', (body, checksum) => {
    expect(descriptorChecksum(body)).toBe(checksum);
  });

  it('is null for characters outside of the allowed set', () => {
    expect(descriptorChecksum('raw(Ü)')).toBeNull();
  });

  it.each<ScriptType>(['p2pkh', 'p2sh-p2wpkh', 'p2wpkh', 'p2tr'])(
    'ends the descriptor that is written for %s',
    (scriptType) => {
      const key = XPUB_86;
      for (const origin of [null, { fingerprint: '73c5da0a', path: ['86h', '0h', '7h'] }])
        expect(parseDescriptor(writeDescriptor(scriptType, key, origin))).toEqual({
          scriptType,
          key,
          origin,
        });
    },
  );
});
