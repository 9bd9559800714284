import { Keyring, UnsealError } from './keyring.js';

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

describe('unseal', () => {
  const sealed = ring.seal('secret', 'row-1', 'the secret');
  const [version = '', id = '', nonce = '', text = '', tag = ''] = sealed.split('.');
  const first = (part: string, bytes: number) =>
    Buffer.from(part, 'base64url').subarray(0, bytes).toString('base64url');

  it('returns what was sealed, also after another key became the newest', () => {
    expect(ring.unseal('secret', 'row-1', sealed)).toBe('the secret');
    expect(rotated.unseal('secret', 'row-1', sealed)).toBe('the secret');
    expect(ring.unseal('secret', 'row-1', ring.seal('secret', 'row-1', ''))).toBe('');
  });

  it.each([
    ...Array.from({ length: 16 }, (_none, bytes) => [
      `a tag of ${bytes} bytes`,
      [version, id, nonce, text, first(tag, bytes)].join('.'),
    ]),
    ['a tag of 17 bytes', [version, id, nonce, text, `${tag}AA`].join('.')],
    ['a nonce of 8 bytes', [version, id, first(nonce, 8), text, tag].join('.')],
    ['a nonce of 16 bytes', [version, id, `${nonce}AAAAAA`, text, tag].join('.')],
    ['another text', [version, id, nonce, first(text, 4), tag].join('.')],
    ['one part less', [version, id, nonce, text].join('.')],
    ['one part more', `${sealed}.AA`],
    ['another format', sealed.replace('v1', 'v2')],
    ['a key outside of the ring', sealed.replace('k1', 'k9')],
    ['nothing', ''],
  ])('refuses %s', (_what, changed) => {
    expect(() => ring.unseal('secret', 'row-1', changed)).toThrow(UnsealError);
  });

  it('refuses another purpose or row', () => {
    expect(() => ring.unseal('secrets', 'row-1', sealed)).toThrow(UnsealError);
    expect(() => ring.unseal('secret', 'row-2', sealed)).toThrow(UnsealError);
  });
});
