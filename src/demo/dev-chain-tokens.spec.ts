import { encodeAbiParameters, parseAbiParameters } from 'viem';
import { encodeConstructor } from './dev-chain-tokens.js';

const HOLDER = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266';

describe('encodeConstructor', () => {
  it.each([
    ['Tether USD (test)', 'USDT', 6, 10n ** 12n],
    ['', '', 0, 0n],
    ['a name of exactly thirty-two chrs', 'X', 18, 2n ** 256n - 1n],
    ['a name that is longer than one word of the contract ABI', 'ÄÖÜ €', 255, 1n],
  ])('encodes "%s" as the contract ABI does', (name, symbol, decimals, supply) => {
    const types = parseAbiParameters('string, string, uint8, address, uint256');
    const expected = encodeAbiParameters(types, [name, symbol, decimals, HOLDER, supply]);
    expect(`0x${encodeConstructor(name, symbol, decimals, HOLDER, supply)}`).toBe(expected);
  });
});
