import type { AddressFamily } from './chain.pure.js';
import { contractAddressOf, contractAsset, findContractAsset, tokenOf } from './contract-address.pure.js';

const USDT = '0xdAC17F958D2ee523a2206206994597C13D831ec7';
const TRON_USDT = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t';
const TRON_USDT_ASSET = '0xa614f803b6fd780986a42c78ec9c7f77e6ded13c';

describe('contractAddressOf', () => {
  it.each<[AddressFamily, string, string | null]>([
    ['evm', 'native', null],
    ['tron', 'native', null],
    ['evm', USDT.toLowerCase(), USDT],
    ['evm', USDT, USDT],
    ['tron', TRON_USDT_ASSET, TRON_USDT],
  ])('on %s, asset %s has the address %s', (family, asset, contract) => {
    expect(contractAddressOf(family, asset)).toBe(contract);
  });

  it.each(['', 'usdt', '0x12', '0xdAC17F958D2ee523a2206206994597C13D831eC7'])(
    'rejects the malformed asset %p',
    (asset) => {
      expect(() => contractAddressOf('evm', asset)).toThrow('not a contract address');
    },
  );
});

describe('tokenOf', () => {
  it('has the standard, the contract and the decimals of a token', () => {
    const usdt = { asset: TRON_USDT_ASSET, tokenStandard: 'TRC-20', decimals: 6 } as const;
    expect(tokenOf('tron', usdt)).toEqual({
      standard: 'TRC-20',
      contractAddress: TRON_USDT,
      decimals: 6,
    });
  });

  it('is null for the native coin', () => {
    expect(tokenOf('evm', { asset: 'native', tokenStandard: null, decimals: 18 })).toBeNull();
  });
});

describe('findContractAsset', () => {
  it.each<[AddressFamily, string, string | null]>([
    ['evm', USDT, USDT.toLowerCase()],
    ['tron', TRON_USDT, TRON_USDT_ASSET],
    ['evm', TRON_USDT, null],
    ['tron', USDT, null],
    ['tron', TRON_USDT.replace('R7', 'R8'), null],
  ])('on %s, reads %s as %s', (family, text, asset) => {
    expect(findContractAsset(family, text)).toBe(asset);
    if (asset === null) expect(() => contractAsset(family, text)).toThrow('not a contract address');
    else expect(contractAsset(family, text)).toBe(asset);
  });
});
