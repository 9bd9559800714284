import { presentAmount } from './present-amount.js';
import { getCurrency } from './currencies.js';

describe('presentAmount', () => {
  it('has the fields of the amount object', () => {
    expect(presentAmount(155_470n, getCurrency('BTC'))).toEqual({
      value: 0.0015547,
      amount: 155_470n,
      formatted: '0.00155470 BTC',
      atomic: '155470',
      currency: { code: 'BTC', name: 'Bitcoin', decimals: 8 },
      decimals: 8,
      symbol: '₿',
    });
  });

  it.each<[bigint, string, string, number]>([
    [10_000n, 'USD', '$100.00', 100],
    [123_456n, 'USD', '$1,234.56', 1234.56],
    [100_000_000_000n, 'USD', '$1,000,000,000.00', 1e9],
    [0n, 'USD', '$0.00', 0],
    [5n, 'EUR', '€0.05', 0.05],
    [123_456n, 'CHF', 'CHF 1,234.56', 1234.56],
    [1_234_567n, 'JPY', '¥1,234,567', 1_234_567],
    [999n, 'JPY', '¥999', 999],
    [1_234_567n, 'KWD', 'KWD 1,234.567', 1234.567],
    [123_456n, 'CLF', 'CLF 12.3456', 12.3456],
    [0n, 'BTC', '0.00000000 BTC', 0],
    [2_100_000_000_000_000n, 'BTC', '21000000.00000000 BTC', 21_000_000],
    [1_500_000n, 'USDT', '1.500000 USDT', 1.5],
    [1n, 'SOL', '0.000000001 SOL', 1e-9],
    [1_500_000_000_000_000_000n, 'ETH', '1.50000000 ETH', 1.5],
    [1_500_000_000_000_000_001n, 'ETH', '1.500000000000000001 ETH', 1.5],
    [1_500_000_001_000_000_000n, 'ETH', '1.500000001 ETH', 1.500000001],
    [0n, 'ETH', '0.00000000 ETH', 0],
    [10n ** 27n, 'ETH', '1000000000.00000000 ETH', 1e9],
  ])('converts %s of %s to %s', (amount, code, formatted, value) => {
    const shown = presentAmount(amount, getCurrency(code));
    expect(shown).toMatchObject({ formatted, value, amount, atomic: amount.toString() });
  });

  it('has no decimal point in a token without decimals', () => {
    expect(presentAmount(5n, { ...getCurrency('USDT'), decimals: 0 }).formatted).toBe('5 USDT');
  });

  it('keeps every digit of uint256', () => {
    const amount = 2n ** 256n - 1n;
    const shown = presentAmount(amount, getCurrency('ETH'));
    expect(shown.amount).toBe(amount);
    expect(shown.atomic).toBe(amount.toString());
    expect(Number.isFinite(shown.value)).toBe(true);
  });
});
