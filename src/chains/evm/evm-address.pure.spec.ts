import { evmAddressOfPublicKey, parseEvmAddress, toChecksumAddress } from './evm-address.pure.js';

/** The examples of EIP-55. */
const CHECKSUMMED = [
  '0x52908400098527886E0F7030069857D2E4169EE7',
  '0x8617E340B3D01FA5F11F306F4090FD50E238070D',
  '0xde709f2102306220921060314715629080e2fb77',
  '0x27b1fdb04752bbc536007a920d24acb045561c26',
  '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
  '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB',
  '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb',
];

describe('EVM addresses', () => {
  it.each(CHECKSUMMED)('formats %s with its EIP-55 checksum', (text) => {
    expect(toChecksumAddress(Buffer.from(text.slice(2), 'hex'))).toBe(text);
    expect(parseEvmAddress(text)?.toString('hex')).toBe(text.slice(2).toLowerCase());
    expect(parseEvmAddress(text.toLowerCase())?.toString('hex')).toBe(text.slice(2).toLowerCase());
  });

  it('parses upper case, which carries no checksum', () => {
    expect(parseEvmAddress(`0x${'AB'.repeat(20)}`)?.toString('hex')).toBe('ab'.repeat(20));
  });

  it.each([
    ['a wrong checksum', '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeD'],
    ['too short', '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAe'],
    ['too long', '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed0'],
    ['no prefix', '5aaeb6053f3e94c9b9a09f33669435e7ef1beaed'],
    ['an upper-case prefix', '0X5aaeb6053f3e94c9b9a09f33669435e7ef1beaed'],
    ['a wrong digit', '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaeg'],
    ['a line break', '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed\n'],
    ['no text', ''],
  ])('rejects an address with %s', (_why, text) => {
    expect(parseEvmAddress(text)).toBeNull();
  });

  it('requires 20 bytes', () => {
    expect(() => toChecksumAddress(Buffer.alloc(19))).toThrow('20 bytes');
  });

  it('derives the address of a compressed public key', () => {
    // The public key of private key 1, the curve's generator.
    const generator = Buffer.from(
      '0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798',
      'hex',
    );
    expect(toChecksumAddress(evmAddressOfPublicKey(generator))).toBe(
      '0x7E5F4552091A69125d5DfCb7b8C2659029395Bdf',
    );
  });
});
