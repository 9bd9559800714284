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

/** "1,234,567" */
function groupThousands(whole: string): string {
  const first = whole.search(/\d/) + (whole.replace('-', '').length % 3 || 3);
  return [whole.slice(0, first), ...(whole.slice(first).match(/\d{3}/g) ?? [])].join(',');
}

/** "$1,234.56", "CHF 1,234.56", "0.00155470 BTC" (specification/money.md#amount-object). */
export function formatAmount(amount: bigint, currency: Currency): string {
  const [whole = '', fraction = ''] = formatDecimal(amount, currency.decimals).split('.');
  if (currency.type === 'fiat') {
    const grouped = groupThousands(whole);
    // A symbol of letters, e.g. CHF, needs a space before the digits.
    const gap = /\p{L}$/u.test(currency.symbol) ? ' ' : '';
    return `${currency.symbol}${gap}${grouped}${fraction && `.${fraction}`}`;
  }
  const places = fraction.slice(0, 8) + fraction.slice(8).replace(/(^|[^0])0+$/, '$1');
  return `${whole}${places && `.${places}`} ${currency.code}`;
}
