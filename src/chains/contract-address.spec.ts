import { contractAddressOf } from './contract-address.js';

describe('contractAddressOf', () => {
  it.each([
    ['native', null],
    ['0xdac17f958d2ee523a2206206994597c13d831ec7', '0xdAC17F958D2ee523a2206206994597C13D831ec7'],
    ['0xdAC17F958D2ee523a2206206994597C13D831ec7', '0xdAC17F958D2ee523a2206206994597C13D831ec7'],
  ])('of %s is %s', (asset, contract) => {
    expect(contractAddressOf(asset)).toBe(contract);
  });

  it.each(['', 'usdt', '0x12', '0xdAC17F958D2ee523a2206206994597C13D831eC7'])('refuses %p', (asset) => {
    expect(() => contractAddressOf(asset)).toThrow('not a contract address');
  });
});
