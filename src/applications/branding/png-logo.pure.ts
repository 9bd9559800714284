import { promisify } from 'node:util';
import { crc32, inflate } from 'node:zlib';

/** Why a logo is refused, as the rest of a sentence after "because". */
export class LogoProblem extends Error {}

export const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const MAX_SIDE = 1_024;
/** Encoders write some kilobytes into one; a file of thousands would hold up other requests. */
const MAX_CHUNKS = 256;
/** On a thread of its own: 8 MB of pixels fit into a file of 11 kB. */
const unpack = promisify(inflate);

/** Bits of a pixel's sample by color type, and samples of a pixel. */
const COLOR_TYPES: Readonly<Record<number, { depths: readonly number[]; samples: number }>> = {
  0: { depths: [1, 2, 4, 8, 16], samples: 1 },
  2: { depths: [8, 16], samples: 3 },
  3: { depths: [1, 2, 4, 8], samples: 1 },
  4: { depths: [8, 16], samples: 2 },
  6: { depths: [8, 16], samples: 4 },
};
/** What the picture looks like; texts, times, camera data and the like are left out. */
const KEPT = new Set(['IHDR', 'PLTE', 'tRNS', 'gAMA', 'cHRM', 'sRGB', 'sBIT', 'IDAT', 'IEND']);
/** First column and row of the seven passes of an interlaced picture, and the distance to the next ones. */
const PASSES = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const;

interface Chunk {
  type: string;
  data: Buffer;
}

interface Header {
  width: number;
  height: number;
  bitsOfPixel: number;
  isIndexed: boolean;
  isInterlaced: boolean;
}

function chunksOf(bytes: Buffer): Chunk[] {
  const chunks: Chunk[] = [];
  for (let at = SIGNATURE.length; at < bytes.length;) {
    if (at + 12 > bytes.length) throw new LogoProblem('its last chunk is cut off');
    if (chunks.length === MAX_CHUNKS) throw new LogoProblem(`it has more than ${MAX_CHUNKS} chunks`);
    const length = bytes.readUInt32BE(at);
    const type = bytes.toString('latin1', at + 4, at + 8);
    const end = at + 12 + length;
    if (!/^[A-Za-z]{4}$/.test(type)) throw new LogoProblem('it has a chunk without a name');
    if (end > bytes.length) throw new LogoProblem(`its chunk ${type} is cut off`);
    if (crc32(bytes.subarray(at + 4, end - 4)) !== bytes.readUInt32BE(end - 4))
      throw new LogoProblem(`the checksum of its chunk ${type} is wrong`);
    chunks.push({ type, data: bytes.subarray(at + 8, end - 4) });
    if (type === 'IEND' && end < bytes.length) throw new LogoProblem('there is something after its end');
    at = end;
  }
  return chunks;
}

function headerOf(chunk: Chunk | undefined): Header {
  if (chunk?.type !== 'IHDR' || chunk.data.length !== 13)
    throw new LogoProblem('it does not begin with its header');
  const [width, height] = [chunk.data.readUInt32BE(0), chunk.data.readUInt32BE(4)];
  const [depth = 0, color = 0, compression, filter, interlace = 0] = chunk.data.subarray(8);
  const form = COLOR_TYPES[color];
  if (!form?.depths.includes(depth) || compression !== 0 || filter !== 0 || interlace > 1)
    throw new LogoProblem('its header has values that PNG does not have');
  if (width < 1 || height < 1 || width > MAX_SIDE || height > MAX_SIDE)
    throw new LogoProblem(
      `it has ${width} by ${height} pixels; at most ${MAX_SIDE} by ${MAX_SIDE} are allowed`,
    );
  return {
    width,
    height,
    bitsOfPixel: depth * form.samples,
    isIndexed: color === 3,
    isInterlaced: interlace === 1,
  };
}

/** Bytes of all rows, each after one byte that names its filter. */
function sizeOf({ width, height, bitsOfPixel, isInterlaced }: Header): number {
  const rows = (columns: number, count: number) =>
    columns === 0 ? 0 : count * (1 + Math.ceil((columns * bitsOfPixel) / 8));
  if (!isInterlaced) return rows(width, height);
  const sizes = PASSES.map(([x, y, dx, dy]) =>
    rows(Math.max(0, Math.ceil((width - x) / dx)), Math.max(0, Math.ceil((height - y) / dy))),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

function checkOrder(chunks: readonly Chunk[], { isIndexed }: Header): void {
  const types = chunks.map(({ type }) => type);
  const count = (wanted: string) => types.filter((type) => type === wanted).length;
  if (types.at(-1) !== 'IEND') throw new LogoProblem('it has no end');
  if (types.includes('acTL')) throw new LogoProblem('it is animated');
  const unknown = types.find((type) => /^[A-Z]/.test(type) && !KEPT.has(type));
  if (unknown !== undefined) throw new LogoProblem(`it has a chunk ${unknown}, which PNG does not have`);
  if (count('IHDR') > 1 || count('PLTE') > 1) throw new LogoProblem('it has a header or a palette twice');
  if (isIndexed && !types.includes('PLTE')) throw new LogoProblem('it has no palette');
  const first = types.indexOf('IDAT');
  const isTogether = types.slice(first, first + count('IDAT')).every((type) => type === 'IDAT');
  if (first === -1 || !isTogether) throw new LogoProblem('its pixels are missing or not in one place');
  if (types.indexOf('PLTE') > first) throw new LogoProblem('its palette comes after its pixels');
}

async function checkPixels(chunks: readonly Chunk[], header: Header): Promise<void> {
  const size = sizeOf(header);
  const packed = Buffer.concat(chunks.filter(({ type }) => type === 'IDAT').map(({ data }) => data));
  let length: number;
  try {
    // In one piece: in pieces of 16 kB, each comes back to this thread.
    const chunkSize = Math.max(64, size + 1);
    ({ length } = await unpack(packed, { maxOutputLength: size + 1, chunkSize }));
  } catch {
    throw new LogoProblem('its pixels cannot be unpacked, or are more than its header says');
  }
  if (length !== size) throw new LogoProblem('its pixels are not as many as its header says');
}

function packed({ type, data }: Chunk): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const ends = [Buffer.alloc(4), Buffer.alloc(4)] as const;
  ends[0].writeUInt32BE(data.length);
  ends[1].writeUInt32BE(crc32(body));
  return Buffer.concat([ends[0], body, ends[1]]);
}

/**
 * A PNG picture of at most 1,024 by 1,024 pixels, without what a camera or an editor put beside them.
 * @param bytes that begin with {@link SIGNATURE}
 * @throws LogoProblem
 */
export async function cleanPng(bytes: Buffer): Promise<Buffer> {
  const chunks = chunksOf(bytes);
  const header = headerOf(chunks[0]);
  checkOrder(chunks, header);
  await checkPixels(chunks, header);
  return Buffer.concat([SIGNATURE, ...chunks.filter(({ type }) => KEPT.has(type)).map(packed)]);
}
