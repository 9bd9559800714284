import { CURRENCIES, findCurrency, getCurrency } from './currencies.js';

describe('currencies', () => {
  it.each<[string, string, number, string]>([
    ['BTC', 'crypto', 8, '₿'],
    ['LTC', 'crypto', 8, 'Ł'],
    ['DOGE', 'crypto', 8, 'Ð'],
    ['BCH', 'crypto', 8, 'BCH'],
    ['ETH', 'crypto', 18, 'Ξ'],
    ['USDT', 'crypto', 6, '₮'],
    ['USDC', 'crypto', 6, 'USDC'],
    ['TRX', 'crypto', 6, 'TRX'],
    ['SOL', 'crypto', 9, 'SOL'],
    ['BNB', 'crypto', 18, 'BNB'],
    ['POL', 'crypto', 18, 'POL'],
    ['AVAX', 'crypto', 18, 'AVAX'],
    ['USD', 'fiat', 2, '$'],
    ['EUR', 'fiat', 2, '€'],
    ['GBP', 'fiat', 2, '£'],
    ['CHF', 'fiat', 2, 'CHF'],
    ['JPY', 'fiat', 0, '¥'],
    ['KWD', 'fiat', 3, 'KWD'],
    ['CLF', 'fiat', 4, 'CLF'],
    // Where ISO and CLDR (Intl) disagree, ISO holds.
    ['ALL', 'fiat', 2, 'ALL'],
    ['HUF', 'fiat', 2, 'HUF'],
    ['IQD', 'fiat', 3, 'IQD'],
    ['IDR', 'fiat', 2, 'IDR'],
    ['MGA', 'fiat', 2, 'MGA'],
  ])('has %s as %s with %s decimals and the sign %s', (code, type, decimals, symbol) => {
    expect(getCurrency(code)).toMatchObject({ code, type, decimals, symbol });
  });

  it.each(['usd', 'Btc', '', 'XXX', 'XAU', 'HRK', 'ZWL', 'ANG', 'BGN', ' USD', 'constructor', '__proto__'])(
    'returns null for %p',
    (code) => {
      expect(findCurrency(code)).toBeNull();
      expect(() => getCurrency(code)).toThrow('unknown currency code');
    },
  );

  it('has well-formed entries with unique codes and signs', () => {
    for (const { code, name, decimals } of CURRENCIES) {
      expect(code).toMatch(/^[A-Z]{3,5}$/);
      expect(name).toBe(name.trim());
      expect(name).not.toBe('');
      expect([0, 2, 3, 4, 6, 8, 9, 18]).toContain(decimals);
    }
    expect(new Set(CURRENCIES.map(({ code }) => code)).size).toBe(CURRENCIES.length);
    expect(new Set(CURRENCIES.map(({ symbol }) => symbol)).size).toBe(CURRENCIES.length);
  });

  // ISO 4217, table A.1; every live code that is not named here has two places.
  it.each([
    [0, 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'],
    [3, 'BHD IQD JOD KWD LYD OMR TND'],
    [4, 'CLF UYW'],
  ])('has exactly these fiat currencies with %d decimals: %s', (decimals, codes) => {
    const fiat = CURRENCIES.filter((currency) => currency.type === 'fiat' && currency.decimals === decimals);
    expect(fiat.map(({ code }) => code).toSorted()).toEqual(codes.split(' '));
  });

  it('has all 12 coins and the 164 live fiat codes', () => {
    const count = (type: string) => CURRENCIES.filter((currency) => currency.type === type).length;
    expect([count('crypto'), count('fiat')]).toEqual([12, 164]);
  });
});
