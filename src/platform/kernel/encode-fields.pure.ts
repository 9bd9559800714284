const NULL = 0xffff_ffff;
const LENGTH_BYTES = 4;
/** UTF-8 of one UTF-16 code unit. */
const MOST_BYTES_PER_UNIT = 3;

/**
 * A text as its length in bytes (four, big-endian) and its UTF-8; null as the length 2^32 - 1. No two lists of texts
 * have the same encoding, so what is hashed or authenticated this way cannot move from one field to the next.
 */
export function encodeFields(fields: readonly (string | null)[]): Buffer {
  const units = fields.reduce((sum, field) => sum + (field?.length ?? 0), 0);
  const encoded = Buffer.allocUnsafe(LENGTH_BYTES * fields.length + MOST_BYTES_PER_UNIT * units);
  let end = 0;
  for (const field of fields) {
    const start = end + LENGTH_BYTES;
    const length = field === null ? 0 : encoded.write(field, start, 'utf8');
    encoded.writeUInt32BE(field === null ? NULL : length, end);
    end = start + length;
  }
  return encoded.subarray(0, end);
}
