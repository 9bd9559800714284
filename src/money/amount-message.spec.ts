import { amountFormMessage, amountRangeMessage } from './amount-message.js';
import { getCurrency } from './currencies.js';

const START = 'The amount field must be an integer in the smallest unit of';

describe('amountFormMessage', () => {
  it.each<[string, string | null, string]>([
    ['USD', '25.00', 'USD, digits only: 2500 for 25.00 USD.'],
    ['USD', '19.9', 'USD, digits only: 1990 for 19.90 USD.'],
    ['USD', ' 0.5 ', 'USD, digits only: 50 for 0.50 USD.'],
    ['USD', '2500', 'USD, digits only and without quotes: 2500. Text goes into amountAtomic.'],
    ['USD', '1.999', 'USD, digits only: 2500 for 25.00 USD.'],
    ['USD', '1e3', 'USD, digits only: 2500 for 25.00 USD.'],
    ['USD', '1,000.00', 'USD, digits only: 2500 for 25.00 USD.'],
    ['USD', '-5', 'USD, digits only: 2500 for 25.00 USD.'],
    ['USD', '', 'USD, digits only: 2500 for 25.00 USD.'],
    ['USD', null, 'USD, digits only: 2500 for 25.00 USD.'],
    ['JPY', '25.0', 'JPY, digits only: 25 for 25 JPY.'],
    ['BTC', '0.0015', 'BTC, digits only: 150000 for 0.00150000 BTC.'],
    ['ETH', '1.5', 'ETH, digits only: 1500000000000000000 for 1.500000000000000000 ETH.'],
  ])('%s, %p', (code, sent, rest) =>
    expect(amountFormMessage('amount', sent, getCurrency(code))).toBe(`${START} ${rest}`),
  );
});

describe('amountRangeMessage', () => {
  it('states the bounds as integers and as formatted amounts', () =>
    expect(amountRangeMessage('amount', 10n ** 11n, getCurrency('USD'))).toBe(
      'The amount field must be between 1 and 100000000000, in the smallest unit of USD ($0.01 to $1,000,000,000.00).',
    ));
});
