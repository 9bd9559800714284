import { HDKey } from '@scure/bip32';
import { mnemonicToSeedSync } from '@scure/bip39';
import { decodeExtendedKey, encodeExtendedKey } from './extended-public-key.pure.js';
import type { KeyRefusal } from './key-refusal.pure.js';
import { descriptorChecksum } from './output-descriptor.pure.js';
import { type PastedAccount, pastedAccounts } from './pasted-account.pure.js';

const WORDS = `${'abandon '.repeat(11)}about`;
const ROOT = HDKey.fromMasterSeed(mnemonicToSeedSync(WORDS));
const xpub = (path: string) => ROOT.derive(path).publicExtendedKey;
const under = (version: number, text: string) => encodeExtendedKey(decodeExtendedKey(text), version);
const XPUB = xpub("m/84'/0'/0'");
const ZPUB = under(0x04b24746, XPUB);
const ORIGIN = { fingerprint: '73c5da0a', path: ['84h', '0h', '0h'] };
const ZEXP = `[73c5da0a/84'/0'/0']${ZPUB}`;
const checked = (body: string) => `${body}#${descriptorChecksum(body)}`;
const BODY = `wpkh([73c5da0a/84'/0'/0']${XPUB}/0/*)`;
const lines = (text: string, width: number, end = '\n') =>
  text.match(new RegExp(`.{1,${width}}`, 'g'))!.join(end);

const bare: PastedAccount = { key: ZPUB, origin: null, scriptType: null };
const placed: PastedAccount = { key: ZPUB, origin: ORIGIN, scriptType: null };
const described: PastedAccount = { key: XPUB, origin: ORIGIN, scriptType: 'p2wpkh' };

const section = (path: string, version: number, name: string) => ({
  xfp: 'DEADBEEF',
  deriv: path,
  xpub: xpub(path),
  ...(version !== 0 && { _pub: under(version, xpub(path)) }),
  desc: 'see the documentation',
  name,
  first: 'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu',
});
/** As Coldcard's "Generic JSON", with all labels that it has. */
const COLDCARD = {
  chain: 'BTC',
  xfp: '73C5DA0A',
  account: 0,
  xpub: ROOT.publicExtendedKey,
  bip44: section("m/44'/0'/0'", 0, 'p2pkh'),
  bip49: section("m/49'/0'/0'", 0x049d7cb2, 'p2sh-p2wpkh'),
  bip84: section("m/84'/0'/0'", 0x04b24746, 'p2wpkh'),
  bip48_1: section("m/48'/0'/0'/1'", 0, 'p2sh-p2wsh'),
  bip48_2: section("m/48'/0'/0'/2'", 0, 'p2wsh'),
  bip45: section("m/45'", 0, 'p2sh'),
};
/** As Electrum 4.3.4 stores a wallet from a key. */
const ELECTRUM = {
  keystore: {
    derivation: "m/0'",
    pw_hash_version: 1,
    root_fingerprint: '73c5da0a',
    seed: null,
    seed_type: 'segwit',
    type: 'bip32',
    xprv: null,
    xpub: under(0x04b24746, xpub("m/0'")),
  },
  seed_version: 50,
  wallet_type: 'standard',
  use_encryption: false,
  labels: {},
  spent_outpoints: { ['ab'.repeat(32)]: { '0': 'cd'.repeat(32) } },
};
const SETUP = `# BlueWallet Multisig setup file
# this file contains only public keys and is safe to
# distribute among cosigners
#
Name: The wallet of our small shop and its other things
Policy: 1 of 1
Derivation: m/84'/0'/0'
Format: P2WPKH

73C5DA0A: ${ZPUB}
`;

describe('pastedAccounts', () => {
  it.each<[string, string, PastedAccount[]]>([
    ['a key', ZPUB, [bare]],
    ['a key in quotes', `"${ZPUB}"`, [bare]],
    ['a key in other quotes', ` „${ZPUB}“\n`, [bare]],
    ['a key in lines', lines(ZPUB, 40), [bare]],
    ['a key in lines of Windows, indented', lines(ZPUB, 60, '\r\n   '), [bare]],
    ['a key in soft lines of a mail', lines(ZPUB, 75, '=\r\n'), [bare]],
    ['a key in a quoted mail', `> ${lines(ZPUB, 50, '\n> ')}`, [bare]],
    ['a key in groups of four', lines(ZPUB, 4, ' '), [bare]],
    ['a key with invisible marks', `\uFEFF${ZPUB.slice(0, 9)}\u200B${ZPUB.slice(9)}`, [bare]],
    ['a key with its branch', `${ZPUB}/0/*`, [bare]],
    ['a key with both branches', `${ZPUB}/<0;1>/*`, [bare]],
    ['a key with both branches, short', `${ZPUB}/**`, [bare]],
    ['a key with its origin', ZEXP, [placed]],
    ['a key with its origin, spaces inside', `[73c5da0a / 84' / 0' / 0'] ${ZPUB}`, [placed]],
    ['a key with its origin, in curly marks', ZEXP.replaceAll("'", '’'), [placed]],
    ['a key with its origin in other letters', `[73C5DA0A/84h/0H/0']${ZPUB}/**`, [placed]],
    [
      'a master key with its origin',
      `[73c5da0a]${ZPUB}`,
      [{ ...bare, origin: { fingerprint: '73c5da0a', path: [] } }],
    ],
    ['a descriptor', checked(BODY), [described]],
    ['a descriptor without its checksum', BODY, [described]],
    ['a descriptor in lines', lines(checked(BODY), 30), [described]],
    ['a descriptor of both branches', BODY.replace('/0/*', '/<0;1>/*'), [described]],
    ['a descriptor of a wallet policy', BODY.replace('/0/*', '/**'), [described]],
    [
      'a descriptor behind comments, and that of its change',
      `# Receive\n${checked(BODY)}\n\n# Change\n${checked(BODY.replace('/0/*', '/1/*'))}\n`,
      [described],
    ],
    ['a name and a key', `My wallet\n${ZEXP}`, [placed]],
    [
      'JSON of Sparrow and Specter',
      JSON.stringify({ label: 'Till', blockheight: 1, descriptor: BODY, devices: [] }),
      [described],
    ],
    ['JSON in lines', lines(JSON.stringify({ label: 'Till', descriptor: BODY }), 40), [described]],
    [
      'JSON of Bitcoin Core',
      JSON.stringify({
        wallet_name: 'w',
        descriptors: [
          { desc: checked(BODY), internal: false },
          { desc: checked(BODY.replace('/0/*', '/1/*')), internal: true },
        ],
      }),
      [described],
    ],
    [
      'JSON of Electrum',
      JSON.stringify(ELECTRUM, null, 4),
      [{ key: ELECTRUM.keystore.xpub, origin: { fingerprint: '73c5da0a', path: ['0h'] }, scriptType: null }],
    ],
    [
      'JSON of Electrum’s keystore',
      JSON.stringify({ ...ELECTRUM.keystore, derivation: null, root_fingerprint: null }),
      [{ key: ELECTRUM.keystore.xpub, origin: null, scriptType: null }],
    ],
    [
      'JSON of BlueWallet and Wasabi',
      JSON.stringify({ ExtPubKey: ZPUB, MasterFingerprint: '73C5DA0A', AccountKeyPath: "84'/0'/0'" }),
      [placed],
    ],
    ['JSON of an expression', JSON.stringify({ xpub: ZEXP }), [placed]],
    ['a setup file', SETUP, [{ ...placed, scriptType: 'p2wpkh' }]],
    ['a setup file without policy and format', `Derivation: m/84'/0'/0'\n73C5DA0A: ${ZPUB}`, [placed]],
  ])('reads %s', (_what, text, accounts) => expect(pastedAccounts(text)).toEqual(accounts));

  it('reads each account of an export of several, without the keys of cosigners and the master key', () => {
    const read = pastedAccounts(JSON.stringify(COLDCARD, null, 2));
    expect(read.map(({ scriptType, key, origin }) => [scriptType, key.slice(0, 4), origin?.path[0]])).toEqual(
      [
        ['p2pkh', 'xpub', '44h'],
        ['p2sh-p2wpkh', 'ypub', '49h'],
        ['p2wpkh', 'zpub', '84h'],
      ],
    );
    expect(new Set(read.map(({ origin }) => origin?.fingerprint))).toEqual(new Set(['73c5da0a']));
  });

  const keystore = (change: object) =>
    JSON.stringify({ ...ELECTRUM, keystore: { ...ELECTRUM.keystore, ...change } });
  it.each<[KeyRefusal, string, string]>([
    ['secret', 'Electrum with its words', keystore({ seed: WORDS })],
    ['secret', 'Electrum with encrypted words', keystore({ seed: 'nAVj5Q8mTAjBvYxm6hQIcQ==' })],
    ['secret', 'Electrum with a private key', keystore({ xprv: ROOT.privateExtendedKey })],
    ['secret', 'Electrum with an encrypted private key', keystore({ xprv: 'nAVj5Q8mTAjBvYxm6hQIcQ==' })],
    [
      'secret',
      'Electrum with imported keys',
      JSON.stringify({ keystore: { type: 'imported', keypairs: { '02ab': 'x' } } }),
    ],
    ['secret', 'an export with a list of words', JSON.stringify({ ...COLDCARD, note: WORDS.split(' ') })],
    ['secret', 'a name that stands twice', `{"xpub":"${ROOT.privateExtendedKey}","xpub":"${XPUB}"}`],
    ['secret', 'a file with words that is cut off', keystore({ seed: WORDS }).slice(0, -9)],
    ['secret', 'words below a key', `${ZPUB}\n${WORDS}`],
    [
      'secret',
      'numbered words below a key',
      `${ZPUB}\n${WORDS.split(' ')
        .map((word, at) => `${at + 1}. ${word}`)
        .join('\n')}`,
    ],
    ['secret', 'Japanese words below a key', `${ZPUB}\n${'あいこくしん　'.repeat(12)}`],
    ['secret', 'a private key in lines', lines(ROOT.privateExtendedKey, 3)],
    ['secret', 'a setup file with words', `${SETUP}\nseed: ${WORDS}`],
    [
      'signers',
      'Electrum with cosigners',
      JSON.stringify({ 'x1/': ELECTRUM.keystore, 'x2/': ELECTRUM.keystore }),
    ],
    [
      'signers',
      'an export of cosigners only',
      JSON.stringify({ xfp: '73C5DA0A', bip48_2: COLDCARD.bip48_2 }),
    ],
    ['signers', 'a setup of two of three', SETUP.replace('1 of 1', '2 of 3')],
    ['signers', 'a setup of two keys', `${SETUP}\nDEADBEEF: ${ZPUB}`],
    ['signers', 'a setup of a script', SETUP.replace('P2WPKH', 'P2WSH')],
    ['signers', 'a descriptor of two of three', `wsh(sortedmulti(2,${XPUB}/0/*,${XPUB}/0/*))`],
    ['typo', 'a wrong checksum', `${BODY}#qqqqqqqq`],
    ['descriptor', 'a change branch', BODY.replace('/0/*', '/1/*')],
    ['descriptor', 'no branch', BODY.replace('/0/*', '')],
    [
      'descriptor',
      'a path that cannot be read',
      JSON.stringify({ xpub: ZPUB, xfp: '73C5DA0A', deriv: 'm/…' }),
    ],
    [
      'descriptor',
      'a fingerprint that cannot be read',
      JSON.stringify({ xpub: ZPUB, xfp: '73C5', deriv: "m/84'/0'/0'" }),
    ],
    ['form', 'an empty object', '{}'],
    ['form', 'a file that is cut off', `${JSON.stringify(ELECTRUM.keystore).slice(0, -9)}`],
    ['form', 'an export without a key', JSON.stringify({ keystore: {} })],
    ['form', 'two keys', `${ZPUB}\n${under(0x04b24746, xpub("m/84'/0'/1'"))}`],
    ['form', 'an origin with a step that is too large', `[73c5da0a/2147483648h/0h/0h]${ZPUB}`],
    ['form', 'an origin without its fingerprint', `[84'/0'/0']${ZPUB}`],
    ['form', 'an address in groups', '0xf39Fd6e51aad88F6 F4ce6aB8827279cffFb92266'],
    ['form', 'nothing', ''],
    ['form', 'quotes', '""'],
  ])('refuses as %s %s', (refusal, _what, text) =>
    expect(() => pastedAccounts(text)).toThrow(expect.objectContaining({ refusal }) as Error),
  );
});
