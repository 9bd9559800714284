import { readTronAddress, toTronAddress } from './tron-address.pure.js';

/** Contracts as explorers show them, and the zero address, against their bytes (developers.tron.network). */
const KNOWN = [
  ['TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t', 'a614f803b6fd780986a42c78ec9c7f77e6ded13c'],
  ['TEkxiTehnzSmSe2XqrBj4w32RUN966rdz8', '3487b63d30b5b2c87fb7ffa8bcfade38eaac1abe'],
  ['T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb', '0000000000000000000000000000000000000000'],
] as const;

describe('Tron addresses', () => {
  it.each(KNOWN)('encode and decode %s as 0x41 followed by %s', (text, hex) => {
    expect(toTronAddress(Buffer.from(hex, 'hex'))).toBe(text);
    expect(readTronAddress(text)).toEqual(Buffer.from(hex, 'hex'));
  });

  it.each([
    ['nothing', '', 'malformed'],
    ['a digit too few', KNOWN[0][0].slice(0, -1), 'malformed'],
    ['a digit too many', `${KNOWN[0][0]}1`, 'malformed'],
    ['spaces around', ` ${KNOWN[0][0]}`, 'malformed'],
    ['a digit that base58 does not have', KNOWN[0][0].replace('R7', 'R0'), 'malformed'],
    ['hexadecimal', '41a614f803b6fd780986a42c78ec9c7f77e6ded13c', 'malformed'],
    ['an EVM address', '0xa614f803b6fd780986a42c78ec9c7f77e6ded13c', 'malformed'],
    ['a Bitcoin address', '1LqBGSKuX5yYUonjxT5qGfpUsXKYYWeabA', 'malformed'],
    ['a digit mistyped', KNOWN[0][0].replace('R7', 'R8'), 'checksum'],
    ['another case', KNOWN[0][0].replace('qj', 'Qj'), 'checksum'],
  ] as const)('reject %s', (_what, text, problem) => {
    expect(readTronAddress(text)).toBe(problem);
  });

  it.each([19, 21])('reject a hash of %i bytes', (length) => {
    expect(() => toTronAddress(Buffer.alloc(length))).toThrow('20 bytes');
  });
});
