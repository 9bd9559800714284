import { crc32, deflateSync } from 'node:zlib';
import { logoTypeOf, readLogo } from './logo.pure.js';
import { SIGNATURE } from './png-logo.pure.js';

function chunk(type: string, data: Buffer = Buffer.alloc(0), checksum?: number): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const out = Buffer.alloc(body.length + 8);
  out.writeUInt32BE(data.length);
  body.copy(out, 4);
  out.writeUInt32BE(checksum ?? crc32(body), body.length + 4);
  return out;
}

function header(width: number, height: number, [depth, color, interlace] = [8, 6, 0]): Buffer {
  const data = Buffer.alloc(13);
  data.writeUInt32BE(width);
  data.writeUInt32BE(height, 4);
  data.set([depth, color, 0, 0, interlace], 8);
  return chunk('IHDR', data);
}

const pixels = (bytes: number) => chunk('IDAT', deflateSync(Buffer.alloc(bytes)));
const END = chunk('IEND');
const png = (...chunks: Buffer[]) => Buffer.concat([SIGNATURE, ...chunks]);
/** Two by two pixels in red, green, blue and alpha. */
const GOOD = png(header(2, 2), pixels(18), END);
const read = async (bytes: Buffer) => {
  const logo = await readLogo(bytes);
  return 'reason' in logo ? logo.reason : logo.content;
};

it.each([
  ['colors with alpha', GOOD],
  [
    'interlaced',
    png(header(3, 3, [8, 0, 1]), pixels(1 + 1 + 0 + 0 + 1 + 1 + 2 + 2 + 1 + 1 + 1 + 3 + 1), END),
  ],
  ['a palette', png(header(9, 1, [1, 3, 0]), chunk('PLTE', Buffer.alloc(6)), pixels(3), END)],
  ['1,024 by 1,024', png(header(1024, 1024, [1, 0, 0]), pixels(1024 * 129), END)],
])('accepts %s', async (_what, bytes) => {
  expect(await read(bytes)).toEqual(expect.any(Buffer));
  expect(logoTypeOf(bytes)).toBe('image/png');
});

it('leaves out what is not the picture', async () => {
  const text = chunk('tEXt', Buffer.from('Comment\0<script>alert(1)</script>'));
  const camera = chunk('eXIf', Buffer.from('GPS'));
  const bytes = png(header(2, 2), text, camera, pixels(18), chunk('tIME', Buffer.alloc(7)), END);
  expect(await read(bytes)).toEqual(GOOD);
});

it.each([
  [
    'thousands of chunks',
    png(header(2, 2), ...Array.from({ length: 256 }, () => chunk('tEXt')), pixels(18), END),
    'more than 256 chunks',
  ],
  ['nothing but a signature', png(), 'does not begin with its header'],
  ['a header that comes later', png(pixels(18), header(2, 2), END), 'does not begin with its header'],
  ['a wide one', png(header(1025, 1), pixels(4101), END), '1025 by 1 pixels; at most 1024 by 1024'],
  ['one without height', png(header(2, 0), pixels(18), END), '2 by 0 pixels'],
  [
    'a color type that does not exist',
    png(header(2, 2, [8, 5, 0]), pixels(18), END),
    'values that PNG does not have',
  ],
  [
    'a depth that does not exist',
    png(header(2, 2, [4, 6, 0]), pixels(18), END),
    'values that PNG does not have',
  ],
  [
    'a wrong checksum',
    png(header(2, 2), chunk('IDAT', deflateSync(Buffer.alloc(18)), 1), END),
    'checksum of its chunk IDAT',
  ],
  ['one that is cut off', GOOD.subarray(0, -6), 'cut off'],
  ['one that ends within a chunk', GOOD.subarray(0, 60), 'cut off'],
  ['no end', png(header(2, 2), pixels(18)), 'has no end'],
  ['HTML after its end', Buffer.concat([GOOD, Buffer.from('<script>')]), 'something after its end'],
  ['no pixels', png(header(2, 2), END), 'pixels are missing'],
  ['too few pixels', png(header(2, 2), pixels(17), END), 'not as many as its header says'],
  ['many pixels in few bytes', png(header(2, 2), pixels(5_000_000), END), 'cannot be unpacked, or are more'],
  [
    'pixels that are not packed',
    png(header(2, 2), chunk('IDAT', Buffer.alloc(18)), END),
    'cannot be unpacked',
  ],
  [
    'pixels in two places',
    png(header(2, 2), pixels(18), chunk('tEXt'), chunk('IDAT'), END),
    'not in one place',
  ],
  ['two headers', png(header(2, 2), header(2, 2), pixels(18), END), 'twice'],
  ['no palette', png(header(2, 2, [8, 3, 0]), pixels(6), END), 'has no palette'],
  ['an animation', png(header(2, 2), chunk('acTL', Buffer.alloc(8)), pixels(18), END), 'animated'],
  ['an unknown part', png(header(2, 2), chunk('EVIL'), pixels(18), END), 'a chunk EVIL'],
  ['a chunk without a name', png(header(2, 2), chunk('<a>"'), pixels(18), END), 'chunk without a name'],
  ['a GIF', Buffer.from('GIF89a'), 'neither a PNG nor an SVG'],
  ['a JPEG', Buffer.from([0xff, 0xd8, 0xff, 0xe0]), 'neither a PNG nor an SVG'],
  ['nothing', Buffer.alloc(0), 'neither a PNG nor an SVG'],
])('refuses %s', async (_what, bytes, reason) => {
  expect(await read(bytes)).toContain(reason);
});
