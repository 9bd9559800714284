import type { AmountContract } from './amount.contract.js';
import type { Currency } from './currencies.js';
import { formatDecimal } from './money.js';

/** @param amount in the currency's smallest unit */
export function presentAmount(amount: bigint, currency: Currency): AmountContract {
  const { code, name, decimals, symbol } = currency;
  return {
    value: Number(formatDecimal(amount, decimals)),
    amount,
    formatted: formatAmount(amount, currency),
    atomic: amount.toString(),
    currency: { code, name, decimals },
    decimals,
    symbol,
  };
}

/** "$1,234.56", "CHF 1,234.56", "0.00155470 BTC" (specification/money.md#amount-object). */
export function formatAmount(amount: bigint, currency: Currency): string {
  const [whole = '', fraction = ''] = formatDecimal(amount, currency.decimals).split('.');
  if (currency.type === 'fiat') {
    const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',');
    // A symbol of letters, e.g. CHF, needs a space before the digits.
    const gap = /\p{L}$/u.test(currency.symbol) ? ' ' : '';
    return `${currency.symbol}${gap}${grouped}${fraction && `.${fraction}`}`;
  }
  const places = fraction.slice(0, 8) + fraction.slice(8).replace(/0+$/, '');
  return `${whole}${places && `.${places}`} ${currency.code}`;
}
