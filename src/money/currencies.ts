import { FIAT } from './currencies-fiat.js';

/** A currency of amounts. `decimals` are the currency's own; a network may use more for the same coin. */
export interface Currency {
  code: string;
  name: string;
  type: 'crypto' | 'fiat';
  /** Decimal places of the smallest unit: 2 for USD, 8 for BTC, 18 for ETH. */
  decimals: number;
  /** The code, if there is no other symbol. */
  symbol: string;
}

const CRYPTO: readonly Currency[] = [
  { code: 'BTC', name: 'Bitcoin', type: 'crypto', decimals: 8, symbol: '₿' },
  { code: 'LTC', name: 'Litecoin', type: 'crypto', decimals: 8, symbol: 'Ł' },
  { code: 'DOGE', name: 'Dogecoin', type: 'crypto', decimals: 8, symbol: 'Ð' },
  { code: 'BCH', name: 'Bitcoin Cash', type: 'crypto', decimals: 8, symbol: 'BCH' },
  { code: 'ETH', name: 'Ether', type: 'crypto', decimals: 18, symbol: 'Ξ' },
  { code: 'USDT', name: 'Tether USD', type: 'crypto', decimals: 6, symbol: '₮' },
  { code: 'USDC', name: 'USD Coin', type: 'crypto', decimals: 6, symbol: 'USDC' },
  { code: 'TRX', name: 'TRON', type: 'crypto', decimals: 6, symbol: 'TRX' },
  { code: 'SOL', name: 'Solana', type: 'crypto', decimals: 9, symbol: 'SOL' },
  { code: 'BNB', name: 'BNB', type: 'crypto', decimals: 18, symbol: 'BNB' },
  { code: 'POL', name: 'POL', type: 'crypto', decimals: 18, symbol: 'POL' },
  { code: 'AVAX', name: 'Avalanche', type: 'crypto', decimals: 18, symbol: 'AVAX' },
];

/** Every currency that the gateway knows, coins first. */
export const CURRENCIES: readonly Currency[] = [
  ...CRYPTO,
  ...Object.entries(FIAT).map(([code, { name, decimals, symbol = code }]): Currency => ({
    code,
    name,
    type: 'fiat',
    decimals,
    symbol,
  })),
];

export const CURRENCY_CODES: readonly string[] = CURRENCIES.map(({ code }) => code);

const byCode = new Map(CURRENCIES.map((currency) => [currency.code, currency]));

/** Case-sensitive (specification/catalog.md#currencies): null for "usd". */
export function findCurrency(code: string): Currency | null {
  return byCode.get(code) ?? null;
}

/** For codes that were validated before they were stored. @throws Error if the code is unknown */
export function getCurrency(code: string): Currency {
  const currency = byCode.get(code);
  if (!currency) throw new Error(`unknown currency code: ${code}`);
  return currency;
}
