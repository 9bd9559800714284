import { getCurrency } from '../../money/currencies.js';
import { presentAmount } from '../../money/present-amount.js';
import { addedUp } from './arrived-amounts.pure.js';

const of = (code: string, amount: bigint, decimals = getCurrency(code).decimals) => ({
  amount: presentAmount(amount, { ...getCurrency(code), decimals }),
});

describe('what arrived, added up', () => {
  it.each<[what: string, transfers: ReturnType<typeof of>[], sums: string[]]>([
    ['nothing', [], []],
    ['one transfer', [of('ETH', 1_234_567_890_123_456_789n)], ['1234567890123456789 ETH 18']],
    ['two of one coin', [of('ETH', 1n), of('ETH', 2n)], ['3 ETH 18']],
    ['two coins, which have no sum', [of('BTC', 5n), of('ETH', 1n)], ['5 BTC 8', '1 ETH 18']],
    [
      'one coin with other decimals on another network',
      [of('USDT', 7n, 6), of('USDT', 8n, 18), of('USDT', 1n, 6)],
      ['8 USDT 6', '8 USDT 18'],
    ],
  ])('%s', (_what, transfers, sums) => {
    expect(
      addedUp(transfers).map(({ atomic, currency, decimals }) => `${atomic} ${currency.code} ${decimals}`),
    ).toEqual(sums);
  });
});
