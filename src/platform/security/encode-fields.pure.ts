/**
 * A text as its length in bytes (four, big-endian) and its UTF-8; null as the length 2^32 - 1. No two lists of texts
 * have the same encoding, so what is hashed or authenticated this way cannot move from one field to the next.
 */
export function encodeFields(fields: readonly (string | null)[]): Buffer {
  return Buffer.concat(fields.map(encodeField));
}

function encodeField(value: string | null): Buffer {
  const length = Buffer.alloc(4);
  if (value === null) {
    length.writeUInt32BE(0xffff_ffff);
    return length;
  }
  const text = Buffer.from(value, 'utf8');
  length.writeUInt32BE(text.length);
  return Buffer.concat([length, text]);
}
