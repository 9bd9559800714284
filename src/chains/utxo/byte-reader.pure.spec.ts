import { ChainInconsistencyError } from '../chain-adapter.pure.js';
import { ByteReader, malformed, readWhole, reversed, sha256Twice } from './byte-reader.pure.js';

const reader = (hex: string) => new ByteReader(Buffer.from(hex, 'hex'));
const hexOf = (bytes: Buffer) => bytes.toString('hex');
const ENDS_EARLY = malformed('it ends too early');

/** Eight bytes of a number, lowest first. */
const le64 = (value: bigint) => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(value);
  return hexOf(bytes);
};

describe('hashes', () => {
  it('sha256Twice hashes the hash', () => {
    // The header of Bitcoin's first block, whose hash is displayed reversed.
    const header =
      '0100000000000000000000000000000000000000000000000000000000000000000000003ba3edfd7a7b12b27ac72c3e67768f617fc8' +
      '1bc3888a51323a9fb8aa4b1e5e4a29ab5f49ffff001d1dac2b7c';
    expect(reversed(sha256Twice(Buffer.from(header, 'hex')))).toBe(
      '000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f',
    );
  });

  it('reversed leaves its input as it was', () => {
    const bytes = Buffer.from('010203', 'hex');
    expect(reversed(bytes)).toBe('030201');
    expect(hexOf(bytes)).toBe('010203');
  });
});

describe('malformed', () => {
  it('is an inconsistency of the node that names what is wrong', () => {
    expect(malformed('no lock time')).toBeInstanceOf(ChainInconsistencyError);
    expect(malformed('no lock time').message).toBe('the node sent malformed data: no lock time');
  });
});

describe('readWhole', () => {
  it.each([
    ['lower case', '00ab'],
    ['upper case', '00AB'],
  ])('reads %s', (_what, hex) => {
    expect(readWhole(hex, (from) => hexOf(from.take(2)))).toBe('00ab');
  });

  it('may leave bytes unread', () => {
    expect(readWhole('0001', (from) => from.take(1).length)).toBe(1);
  });

  it.each([
    ['no text', ''],
    ['half a byte at the end', '00a'],
    ['a letter that is no digit', '00ag'],
    ['other text behind valid digits', '00abxx'],
    ['other text before valid digits', 'xx00ab'],
    ['the prefix 0x', '0x00ab'],
    ['a space between bytes', '00 ab '],
    ['a line feed at the end', '00ab\n'],
    ['characters whose lowest byte is a digit', '\u0130\u0130'],
    ['one such character behind valid digits', '00a\u0162'],
    ['a letter with an accent', '00a\u00e9'],
    ['full-width digits', '\uff10\uff10'],
  ])('refuses %s', (_what, hex) => {
    expect(() => readWhole(hex, (from) => from.take(1))).toThrow(ENDS_EARLY);
  });
});

describe('ByteReader', () => {
  it('take returns the next bytes and advances', () => {
    const from = reader('010203');
    expect([from.take(1), from.take(0), from.take(2)].map(hexOf)).toEqual(['01', '', '0203']);
    expect(from.position).toBe(3);
  });

  it('peek returns the next byte and stays', () => {
    const from = reader('0102');
    expect([from.peek(), from.peek(), from.position]).toEqual([1, 1, 0]);
  });

  it('since returns the bytes from a position up to the current one', () => {
    const from = reader('01020304');
    from.take(1);
    const start = from.position;
    from.take(2);
    expect(hexOf(from.since(start))).toBe('0203');
  });

  it.each<[string, string, number, number, string]>([
    ['skips everything before the last bytes', '0102030405', 0, 2, '0405'],
    ['skips nothing when exactly the last bytes are left', '0102030405', 3, 2, '0405'],
    ['does not go back when fewer bytes are left', '0102030405', 4, 2, '05'],
    ['skips everything for none', '0102030405', 0, 0, ''],
  ])('skipToLast %s', (_what, hex, taken, count, rest) => {
    const from = reader(hex);
    from.take(taken);
    from.skipToLast(count);
    expect(hexOf(from.take(5 - from.position))).toBe(rest);
  });

  it.each<[string, bigint]>([
    ['zero', 0n],
    ['the coins of Bitcoin', 2_100_000_000_000_000n],
    ['more than a float holds exactly', 2n ** 53n + 1n],
    ['the largest number', 2n ** 63n - 1n],
    ['a negative number', -1n],
    ['the smallest number', -(2n ** 63n)],
  ])('int64 reads %s', (_what, value) => {
    const from = reader(`${le64(BigInt.asUintN(64, value))}ff`);
    expect(from.int64()).toBe(value);
    expect(from.position).toBe(8);
  });

  it.each<[string, string, bigint]>([
    ['zero', '00', 0n],
    ['the largest of one byte', 'fc', 252n],
    ['the smallest of three bytes', 'fdfd00', 253n],
    ['the largest of three bytes', 'fdffff', 65_535n],
    ['the smallest of five bytes', 'fe00000100', 65_536n],
    ['the largest of five bytes', 'feffffffff', 2n ** 32n - 1n],
    ['the smallest of nine bytes', `ff${le64(2n ** 32n)}`, 2n ** 32n],
    ['the largest of nine bytes', `ff${'ff'.repeat(8)}`, 2n ** 64n - 1n],
  ])('compactSize reads %s', (_what, hex, value) => {
    const from = reader(`${hex}aa`);
    expect(from.compactSize()).toBe(value);
    expect(hexOf(from.take(1))).toBe('aa');
  });

  it.each<[string, string, number]>([
    ['none', '00', 0],
    ['two', '02aaaa', 2],
    ['252, the most with a length of one byte', `fc${'aa'.repeat(252)}`, 252],
    ['253, the fewest with a length of three bytes', `fdfd00${'aa'.repeat(253)}`, 253],
    ['65536, the fewest with a length of five bytes', `fe00000100${'aa'.repeat(65_536)}`, 65_536],
  ])('bytes and list read %s', (_what, hex, count) => {
    const from = reader(`${hex}bb`);
    expect(hexOf(from.bytes())).toBe('aa'.repeat(count));
    expect(hexOf(from.take(1))).toBe('bb');
    const items = reader(`${hex}bb`);
    expect(items.list((item) => item.take(1).readUInt8())).toEqual(Array(count).fill(0xaa));
    expect(hexOf(items.take(1))).toBe('bb');
  });

  it('list reads items in order, each as long as it says', () => {
    expect(reader('030101020202000000').list((item) => hexOf(item.bytes()))).toEqual(['01', '0202', '']);
  });

  it.each<[string, string, (from: ByteReader) => unknown]>([
    ['a byte after the end', '', (from) => from.take(1)],
    ['more bytes than there are', '0102', (from) => from.take(3)],
    ['more bytes than are left', '0102', (from) => [from.take(1), from.take(2)]],
    ['a look after the end', '', (from) => from.peek()],
    ['a look after the last byte', '01', (from) => [from.take(1), from.peek()]],
    ['a 64-bit number of seven bytes', '01'.repeat(7), (from) => from.int64()],
    ['a 64-bit number of which seven bytes are left', '01'.repeat(8), (from) => [from.take(1), from.int64()]],
    ['a size after the end', '', (from) => from.compactSize()],
    ['a size of three bytes that has two', 'fdff', (from) => from.compactSize()],
    ['a size of five bytes that has four', 'feffffff', (from) => from.compactSize()],
    ['a size of nine bytes that has eight', `ff${'ff'.repeat(7)}`, (from) => from.compactSize()],
    ['a length after the end', '', (from) => from.bytes()],
    ['a length that is cut off', 'fdff', (from) => from.bytes()],
    ['a length one beyond the bytes', '03aaaa', (from) => from.bytes()],
    ['a length of three bytes one beyond the bytes', `fdfe00${'aa'.repeat(253)}`, (from) => from.bytes()],
    ['the largest length', `ff${'ff'.repeat(8)}aa`, (from) => from.bytes()],
    ['items after the end', '', (from) => from.list((item) => item.take(1))],
    ['an item that is cut off', '0201', (from) => from.list((item) => item.bytes())],
  ])('refuses %s', (_what, hex, read) => {
    expect(() => read(reader(hex))).toThrow(ENDS_EARLY);
  });

  it.each([
    ['one more than the bytes that are left', '03aaaa'],
    ['the most of three bytes', 'fdffffaa'],
    ['the most of nine bytes', `ff${'ff'.repeat(8)}aa`],
  ])('refuses a count of items before it reads one: %s', (_what, hex) => {
    let items = 0;
    expect(() => reader(hex).list(() => ++items)).toThrow(ENDS_EARLY);
    expect(items).toBe(0);
  });
});
