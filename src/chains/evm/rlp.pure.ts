/** Bytes, or a list of items (Ethereum Yellow Paper, appendix B). */
export type RlpItem = Uint8Array | readonly RlpItem[];

const STRING = 0x80;
const LIST = 0xc0;
/** Payloads up to this length have it in their first byte. */
const SHORT = 55;

export function encodeRlp(item: RlpItem): Buffer {
  if (!(item instanceof Uint8Array)) {
    const payload = Buffer.concat(item.map(encodeRlp));
    return Buffer.concat([prefix(payload.length, LIST), payload]);
  }
  const [first = STRING] = item;
  if (item.length === 1 && first < STRING) return Buffer.from(item);
  return Buffer.concat([prefix(item.length, STRING), item]);
}

/** A number without leading zeros; zero is no bytes. */
export function rlpNumber(value: bigint | number): Buffer {
  if (BigInt(value) === 0n) return Buffer.alloc(0);
  const digits = value.toString(16);
  return Buffer.from(digits.length % 2 === 0 ? digits : `0${digits}`, 'hex');
}

function prefix(length: number, kind: number): Buffer {
  if (length <= SHORT) return Buffer.from([kind + length]);
  const size = rlpNumber(length);
  return Buffer.concat([Buffer.from([kind + SHORT + size.length]), size]);
}
