import { readCashAddress, toCashAddress } from './cash-address.pure.js';

const HASH = '76a04053bda0a88bda5177b86a15c3b29f559873';
const ADDRESS = 'bitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a';
const TOKEN_AWARE = 'bitcoincash:zpm2qsznhks23z7629mms6s4cwef74vcwvrqekrq9w';

describe('cash addresses', () => {
  // Test vectors of the CashAddr specification, section "Examples of address translation".
  it.each<[string, 'p2pkh' | 'p2sh', string]>([
    [ADDRESS, 'p2pkh', HASH],
    [
      'bitcoincash:qr95sy3j9xwd2ap32xkykttr4cvcu7as4y0qverfuy',
      'p2pkh',
      'cb481232299cd5743151ac4b2d63ae198e7bb0a9',
    ],
    ['bitcoincash:ppm2qsznhks23z7629mms6s4cwef74vcwvn0h829pq', 'p2sh', HASH],
    [
      'bitcoincash:pr95sy3j9xwd2ap32xkykttr4cvcu7as4yc93ky28e',
      'p2sh',
      'cb481232299cd5743151ac4b2d63ae198e7bb0a9',
    ],
    [
      'bitcoincash:pqq3728yw0y47sqn6l2na30mcw6zm78dzq5ucqzc37',
      'p2sh',
      '011f28e473c95f4013d7d53ec5fbc3b42df8ed10',
    ],
  ])('parses %s with its prefix, without it, and in capitals', (address, kind, hash) => {
    const expected = { kind, hash: Buffer.from(hash, 'hex'), address };
    expect(readCashAddress('bitcoincash', address)).toEqual(expected);
    expect(readCashAddress('bitcoincash', address.slice(12))).toEqual(expected);
    expect(readCashAddress('bitcoincash', address.toUpperCase())).toEqual(expected);
  });

  it('accepts a hash of 32 bytes for a script, but not for a key', () => {
    // Section "Larger test vectors".
    const hash = '3173ef6623c6b48ffd1a3dcc0cc6489b0a07bb47a37f47cfef4fe69de825c060';
    const script = 'bchtest:pvch8mmxy0rtfrlarg7ucrxxfzds5pamg73h7370aa87d80gyhqxq7fqng6m6';
    expect(readCashAddress('bchtest', script)).toEqual({
      kind: 'p2sh',
      hash: Buffer.from(hash, 'hex'),
      address: script,
    });
    const key = 'bitcoincash:qvch8mmxy0rtfrlarg7ucrxxfzds5pamg73h7370aa87d80gyhqxq5nlegake';
    expect(readCashAddress('bitcoincash', key)).toBe('malformed');
  });

  it('reads a token-aware address as the same script, in the usual spelling', () => {
    expect(readCashAddress('bitcoincash', TOKEN_AWARE)).toMatchObject({ kind: 'p2pkh', address: ADDRESS });
  });

  it('writes what it reads on every network', () => {
    for (const prefix of ['bitcoincash', 'bchtest', 'bchreg']) {
      const address = toCashAddress(prefix, Buffer.from(HASH, 'hex'));
      expect(readCashAddress(prefix, address)).toMatchObject({ kind: 'p2pkh', address });
      const other = prefix === 'bchtest' ? 'bchreg' : 'bchtest';
      // Bare, the prefix is in the checksum; spelled out, its letters are not those of an address.
      expect(readCashAddress(other, address.slice(prefix.length + 1))).toBe('checksum');
      expect(readCashAddress(other, address)).toBe('malformed');
    }
  });

  it.each<[string, string, 'malformed' | 'checksum']>([
    ['nothing', '', 'malformed'],
    ['a prefix alone', 'bitcoincash:', 'malformed'],
    ['another letter', ADDRESS.replace('gdx6a', 'gdx6q'), 'checksum'],
    ['two letters changed places', ADDRESS.replace('gdx6a', 'gdxa6'), 'checksum'],
    ['a letter too few', ADDRESS.slice(0, -1), 'malformed'],
    ['a letter too many', `${ADDRESS}q`, 'malformed'],
    ['letters that it does not have', ADDRESS.replace('gdx6a', 'gdx6b'), 'malformed'],
    ['both cases', ADDRESS.replace('qpm2', 'QPM2'), 'checksum'],
    ['an address of the old kind', '1BpEi6DfDAUFd7GtittLSdBeYJvcoaVggu', 'malformed'],
    ['a segwit address', 'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu', 'malformed'],
  ])('rejects %s', (_what, text, problem) => {
    expect(readCashAddress('bitcoincash', text)).toBe(problem);
  });
});
