import { HDKey } from '@scure/bip32';
import type { AddressFamily } from '../chains/chain.pure.js';
import { type KeyOrigin, originOf } from './key-origin.pure.js';

const ROOT = HDKey.fromMasterSeed(Buffer.alloc(32, 7));
const FINGERPRINT = ROOT.fingerprint.toString(16).padStart(8, '0');
const node = (path: string) => HDKey.fromExtendedKey(ROOT.derive(path).publicExtendedKey);
const from = (...path: string[]): KeyOrigin => ({ fingerprint: FINGERPRINT, path });

describe('originOf', () => {
  it.each<[string, string, KeyOrigin | null, AddressFamily, string, KeyOrigin | null]>([
    ['the master key says it', 'm', null, 'bitcoin', 'mainnet', from()],
    ['a key below it names it', "m/0'", null, 'bitcoin', 'mainnet', from('0h')],
    ['another key below it', "m/44'", null, 'bitcoin', 'mainnet', from('44h')],
    ['an account does not know it', "m/84'/0'/0'", null, 'bitcoin', 'mainnet', null],
    ['the master key with it', 'm', from(), 'bitcoin', 'mainnet', from()],
    [
      'an account with it',
      "m/84'/0'/5'",
      from('84h', '0h', '5h'),
      'bitcoin',
      'mainnet',
      from('84h', '0h', '5h'),
    ],
    [
      'an account of a purpose of its own',
      "m/1852'/9'/0'",
      from('1852h', '9h', '0h'),
      'bitcoin',
      'mainnet',
      from('1852h', '9h', '0h'),
    ],
    [
      'an account of test networks',
      "m/84'/1'/0'",
      from('84h', '1h', '0h'),
      'litecoin',
      'regtest',
      from('84h', '1h', '0h'),
    ],
    [
      'a test network with the coin',
      "m/84'/2'/0'",
      from('84h', '2h', '0h'),
      'litecoin',
      'regtest',
      from('84h', '2h', '0h'),
    ],
  ])('%s', (_what, path, stated, family, network, origin) =>
    expect(originOf(node(path), stated, family, network)).toEqual(origin),
  );

  it('does not invent the master key of a key of depth 1 that leaves it out', () => {
    const key = node("m/0'");
    const bare = new HDKey({
      publicKey: key.publicKey!,
      chainCode: key.chainCode!,
      depth: 1,
      index: key.index,
    });
    expect(originOf(bare, null, 'bitcoin', 'mainnet')).toBeNull();
    expect(originOf(bare, from('0h'), 'bitcoin', 'mainnet')).toEqual(from('0h'));
  });

  const OTHER = { fingerprint: '00000001' };
  it.each<[string, string, KeyOrigin, AddressFamily, string, object]>([
    ['too short', "m/84'/0'/0'", from('84h', '0h'), 'bitcoin', 'mainnet', { refusal: 'descriptor' }],
    ['too long', "m/0'", from('84h', '0h', '0h'), 'bitcoin', 'mainnet', { refusal: 'descriptor' }],
    [
      'of another account',
      "m/84'/0'/0'",
      from('84h', '0h', '1h'),
      'bitcoin',
      'mainnet',
      { refusal: 'descriptor' },
    ],
    ['of another master key', 'm', { ...from(), ...OTHER }, 'bitcoin', 'mainnet', { refusal: 'descriptor' }],
    [
      'of another parent',
      "m/0'",
      { ...from('0h'), ...OTHER },
      'bitcoin',
      'mainnet',
      { refusal: 'descriptor' },
    ],
    ['not hardened', "m/84'/0'/0'", from('84h', '0', '0h'), 'bitcoin', 'mainnet', { refusal: 'account' }],
    [
      'of another coin',
      "m/84'/2'/0'",
      from('84h', '2h', '0h'),
      'bitcoin',
      'mainnet',
      { refusal: 'other-kind' },
    ],
    [
      'of another coin on a test network',
      "m/84'/2'/0'",
      from('84h', '2h', '0h'),
      'bitcoin',
      'regtest',
      { refusal: 'other-kind' },
    ],
    [
      'of test networks',
      "m/49'/1'/0'",
      from('49h', '1h', '0h'),
      'bitcoin',
      'mainnet',
      { refusal: 'other-network' },
    ],
    [
      'of Bitcoin for Tron',
      "m/44'/0'/0'",
      from('44h', '0h', '0h'),
      'tron',
      'mainnet',
      { refusal: 'other-kind' },
    ],
  ])('refuses one that is %s', (_what, path, stated, family, network, error) =>
    expect(() => originOf(node(path), stated, family, network)).toThrow(
      expect.objectContaining(error) as Error,
    ),
  );
});
