import { formatAmount } from './present-amount.js';
import type { Currency } from './currencies.js';
import { formatDecimal, pow10 } from './money.js';

/** A plain decimal: no sign, no exponent, no grouping. */
const DECIMAL = /^(\d{1,30})\.(\d{1,30})$/;

/** "25.00 USD", "0.00150000 BTC". */
function inWholeUnits(amount: bigint, { decimals, code }: Currency): string {
  return `${formatDecimal(amount, decimals)} ${code}`;
}

/** A decimal of whole units in smallest units, or null if it has more decimal places than the currency. */
function smallestUnits(text: string, { decimals }: Currency): bigint | null {
  const [, whole = '', fraction = ''] = DECIMAL.exec(text) ?? [];
  const kept = fraction.replace(/(^|[^0])0+$/, '$1');
  if (whole === '' || kept.length > decimals) return null;
  return BigInt(whole + kept.padEnd(decimals, '0'));
}

/** An example of 25 whole units: not a power of ten, so that its own zeros cannot be mistaken for padding. */
function exampleAmount({ decimals }: Currency): bigint {
  return 25n * pow10(decimals);
}

/**
 * The error of an amount in the wrong form: the form that is required in its currency, with the amount that was sent as
 * the example if it can be read.
 * @param sent the number or string as it was sent; null: neither
 */
export function amountFormMessage(field: string, sent: string | null, currency: Currency): string {
  const must = `The ${field} field must be an integer in the smallest unit of ${currency.code}, digits only`;
  if (sent !== null && /^[1-9]\d{0,77}$/.test(sent))
    return `${must} and without quotes: ${sent}. Text goes into ${field}Atomic.`;
  const meant = (sent === null ? null : smallestUnits(sent.trim(), currency)) ?? exampleAmount(currency);
  return `${must}: ${meant} for ${inWholeUnits(meant, currency)}.`;
}

/** The error of an amount out of bounds, with the bounds in the smallest unit and formatted. */
export function amountRangeMessage(field: string, max: bigint, currency: Currency): string {
  const bounds = `${formatAmount(1n, currency)} to ${formatAmount(max, currency)}`;
  return `The ${field} field must be between 1 and ${max}, in the smallest unit of ${currency.code} (${bounds}).`;
}
