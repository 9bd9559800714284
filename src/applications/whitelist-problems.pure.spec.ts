import { whitelistProblems } from './whitelist-problems.pure.js';

const ENABLED = ['ETH', 'USDT'];

describe('whitelistProblems', () => {
  it.each<[what: string, whitelist: string[], stored: string[], wrong: number[]]>([
    ['an empty whitelist', [], [], []],
    ['enabled codes', ['USDT', 'ETH'], [], []],
    ['a code that is not enabled', ['ETH', 'BTC'], [], [1]],
    ['two of them', ['SOL', 'ETH', 'BTC'], [], [0, 2]],
    ['a code that was stored before', ['ETH', 'BTC'], ['BTC'], []],
    ['another code than was stored before', ['SOL', 'BTC'], ['BTC'], [0]],
    ['a stored whitelist that is replaced', ['ETH'], ['BTC'], []],
  ])('%s', (_what, whitelist, stored, wrong) => {
    expect(Object.keys(whitelistProblems(whitelist, ENABLED, stored))).toEqual(
      wrong.map((at) => `currencyWhitelist.${at}`),
    );
  });

  it('lists what is enabled, also when nothing is', () => {
    expect(whitelistProblems(['BTC'], ENABLED, [])).toEqual({
      'currencyWhitelist.0': [
        'The selected currencyWhitelist.0 is known, but not enabled on this gateway; enabled: ETH, USDT.',
      ],
    });
    expect(whitelistProblems(['BTC'], [], [])).toEqual({
      'currencyWhitelist.0': [
        'The selected currencyWhitelist.0 is known, but not enabled on this gateway; none is enabled.',
      ],
    });
  });
});
