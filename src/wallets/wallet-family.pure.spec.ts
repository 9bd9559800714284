import { ADDRESS_FAMILIES } from '../chains/chain-families.pure.js';
import { NotFoundError } from '../platform/kernel/errors/errors.pure.js';
import { parseFamily } from './wallet-family.pure.js';

const FAMILIES = 'The families are evm, bitcoin, litecoin, dogecoin, bitcoincash, tron';

function refusal(segment: string): unknown {
  try {
    return parseFamily(segment);
  } catch (error) {
    return error;
  }
}

describe('parseFamily', () => {
  it.each(ADDRESS_FAMILIES)('reads %s, in any letter case', (family) => {
    expect(parseFamily(family)).toBe(family);
    expect(parseFamily(family.toUpperCase())).toBe(family);
    expect(parseFamily(`${family.charAt(0).toUpperCase()}${family.slice(1)}`)).toBe(family);
  });

  it.each([
    ['a chain', 'ethereum', 'evm'],
    ['a chain in capital letters', 'POLYGON', 'evm'],
    ['a coin with a family of its own', 'BTC', 'bitcoin'],
    ['a coin in lower case', 'ltc', 'litecoin'],
    ['a coin of a longer name', 'doge', 'dogecoin'],
    ['a coin that shares most of its name', 'BCH', 'bitcoincash'],
    ['a coin of EVM chains', 'eth', 'evm'],
    ['a token of several families', 'usdt', 'evm'],
    ['a coin of Tron', 'trx', 'tron'],
  ])('refuses %s, %s, and suggests its family', (_what, segment, family) => {
    const error = refusal(segment);
    expect(error).toBeInstanceOf(NotFoundError);
    expect(error).toMatchObject({
      code: 'not_found',
      status: 404,
      message: 'Wallet family not found',
      extra: { hint: `${FAMILIES}; did you mean ${family}?` },
    });
  });

  it.each([
    ['nothing', ''],
    ['an unknown name', 'solana'],
    ['a part of a name', 'bit'],
    ['a longer name', 'evms'],
    ['a space before it', ' evm'],
    ['a line feed after it', 'evm\n'],
    ['a position in the list', '0'],
    ['the name of an inherited property', 'constructor'],
    ['the full-width spelling', 'ｅｖｍ'],
  ])('refuses %s and lists the families', (_what, segment) => {
    expect(refusal(segment)).toMatchObject({ status: 404, extra: { hint: `${FAMILIES}.` } });
  });

  it('never repeats the segment, which may be a key in the wrong place', () =>
    expect(JSON.stringify(refusal('opensesame'))).not.toContain('opensesame'));
});
