import { HARDENED_OFFSET } from '@scure/bip32';
import { type AccountPlace, accountPath, stepsOf } from './account-path.pure.js';

describe('accountPath', () => {
  it.each<[Omit<AccountPlace, 'childNumber' | 'depth'>, number, string]>([
    [{ family: 'evm', network: 'mainnet', scriptType: null }, 0, "m/44'/60'/0'"],
    [{ family: 'evm', network: 'mainnet', scriptType: null }, 7, "m/44'/60'/7'"],
    [{ family: 'tron', network: 'mainnet', scriptType: null }, 0, "m/44'/195'/0'"],
    [{ family: 'bitcoin', network: 'mainnet', scriptType: 'p2wpkh' }, 2, "m/84'/0'/2'"],
    [{ family: 'bitcoin', network: 'mainnet', scriptType: 'p2tr' }, 0, "m/86'/0'/0'"],
    [{ family: 'bitcoin', network: 'testnet', scriptType: 'p2sh-p2wpkh' }, 0, "m/49'/1'/0'"],
    [{ family: 'litecoin', network: 'mainnet', scriptType: 'p2wpkh' }, 0, "m/84'/2'/0'"],
    [{ family: 'litecoin', network: 'regtest', scriptType: 'p2wpkh' }, 0, "m/84'/1'/0'"],
    [{ family: 'dogecoin', network: 'mainnet', scriptType: 'p2pkh' }, 0, "m/44'/3'/0'"],
    [{ family: 'bitcoincash', network: 'mainnet', scriptType: 'p2pkh' }, 0, "m/44'/145'/0'"],
  ])('of %j and account %i is %s', (place, account, path) => {
    expect(accountPath({ ...place, depth: 3, childNumber: HARDENED_OFFSET + account })).toBe(path);
  });

  const electrum = { family: 'bitcoin', network: 'mainnet', scriptType: 'p2wpkh' } as const;
  it.each([
    [0, 0, 'm'],
    [1, HARDENED_OFFSET, "m/0'"],
    [1, HARDENED_OFFSET + 7, "m/7'"],
  ])('of a key of depth %i with child number %i, as Electrum makes them, is %s', (depth, childNumber, path) =>
    expect(accountPath({ ...electrum, depth, childNumber })).toBe(path),
  );
});

describe('stepsOf', () => {
  it.each<[string, number[]]>([
    ['m', []],
    ["m/0'", [HARDENED_OFFSET]],
    ["m/84'/2'/7'", [84, 2, 7].map((step) => HARDENED_OFFSET + step)],
    ['m/0/2147483647', [0, HARDENED_OFFSET - 1]],
  ])('%s', (path, steps) => expect(stepsOf(path)).toEqual(steps));

  it.each(['', '84/0', 'm/', 'm/-1', 'm/01', 'm/1h', "m/1''", 'm/2147483648', 'm/x', 'm//1'])(
    'refuses %j',
    (path) => expect(() => stepsOf(path)).toThrow(),
  );
});
