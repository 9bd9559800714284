/** What a person writes as an amount: no sign, no separators of thousands. */
export const AMOUNT = /^\d{1,30}(\.\d{1,18})?$/;

/**
 * The amount in the smallest unit, in digits; exact, whatever the length.
 * @param rounding of digits that the currency does not have
 */
export function atomicOf(text: string, decimals: number, rounding: 'up' | 'down'): string {
  const [whole = '', fraction = ''] = text.split('.');
  const digits = BigInt(whole + fraction.slice(0, decimals).padEnd(decimals, '0'));
  const isMore = /[1-9]/.test(fraction.slice(decimals));
  return String(isMore && rounding === 'up' ? digits + 1n : digits);
}

/** The same where nothing may be lost; null: it is no amount, or has more digits than the currency. */
export function exactAtomicOf(text: string, decimals: number): string | null {
  if (!AMOUNT.test(text)) return null;
  const [up, down] = [atomicOf(text, decimals, 'up'), atomicOf(text, decimals, 'down')];
  return up === down ? up : null;
}
