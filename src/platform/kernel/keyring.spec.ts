import { Keyring } from './keyring.js';

const OLD = { id: 'k1', key: Buffer.alloc(32, 1) };
const NEW = { id: 'k2', key: Buffer.alloc(32, 2) };
const ring = new Keyring([OLD]);
const rotated = new Keyring([NEW, OLD]);
const FIELDS = ['wallet-1', null, 'evm'];

describe('mac', () => {
  it('is accepted for the same purpose and fields, also after another key became the newest', () => {
    const mac = ring.mac('wallet', FIELDS);
    expect(mac).toMatch(/^m1\.k1\.[\w-]{43}$/);
    expect(ring.isMacOf('wallet', FIELDS, mac)).toBe(true);
    expect(rotated.isMacOf('wallet', FIELDS, mac)).toBe(true);
    expect(rotated.mac('wallet', FIELDS)).toMatch(/^m1\.k2\./);
  });

  it.each<[string, string, (string | null)[], string | null]>([
    ['another field', 'wallet', ['wallet-2', null, 'evm'], ring.mac('wallet', FIELDS)],
    ['an empty field instead of none', 'wallet', ['wallet-1', '', 'evm'], ring.mac('wallet', FIELDS)],
    ['another purpose', 'address', FIELDS, ring.mac('wallet', FIELDS)],
    [
      'another key under the same id',
      'wallet',
      FIELDS,
      new Keyring([{ ...NEW, id: 'k1' }]).mac('wallet', FIELDS),
    ],
    ['a key outside of the ring', 'wallet', FIELDS, new Keyring([NEW]).mac('wallet', FIELDS)],
    ['a shortened MAC', 'wallet', FIELDS, ring.mac('wallet', FIELDS).slice(0, -1)],
    ['another format', 'wallet', FIELDS, ring.mac('wallet', FIELDS).replace('m1', 'm2')],
    ['no MAC', 'wallet', FIELDS, null],
    ['an empty MAC', 'wallet', FIELDS, ''],
  ])('is refused for %s', (_what, purpose, fields, mac) => {
    expect(ring.isMacOf(purpose, fields, mac)).toBe(false);
  });
});

describe('digests', () => {
  it('has one digest per key, newest first, different for each purpose', () => {
    const [newest, older] = rotated.digests('client token', 'secret');
    expect(rotated.digests('client token', 'secret')).toHaveLength(2);
    expect(ring.digests('client token', 'secret')).toEqual([older]);
    expect(newest?.equals(older ?? Buffer.alloc(0))).toBe(false);
    expect(ring.digests('recovery code', 'secret')).not.toEqual([older]);
  });

  it('can be made by one key of the ring, and by no other', () => {
    const [newest, older] = rotated.digests('client token', 'secret');
    expect(rotated.digestBy('k2', 'client token', 'secret')).toEqual(newest);
    expect(rotated.digestBy('k1', 'client token', 'secret')).toEqual(older);
    expect(ring.digestBy('k2', 'client token', 'secret')).toBeNull();
  });
});
