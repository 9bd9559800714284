/** What an account holds of what it is asked to pay, in whole units of the chain: nothing here is rounded. */
export interface Holdings {
  due: bigint;
  /** Of the asset that is due; null: the wallet does not say. */
  held: bigint | null;
  /** Of the coin that pays the network's fee; null: the wallet does not say. */
  coin: bigint | null;
  /** The fee is paid in another coin than what is due. */
  isToken: boolean;
}

/** Less than is due, or enough of that and nothing for the network's fee. */
export type Lack = 'short' | 'no-fee';

/** What is missing, as far as it is known; null: nothing. Balances may be old: it is a reason to warn, not to refuse. */
export function lackOf({ due, held, coin, isToken }: Holdings): Lack | null {
  if (held !== null && held < due) return 'short';
  if (isToken) return coin === 0n ? 'no-fee' : null;
  return held === due ? 'no-fee' : null;
}

/** An exact amount in the page's language, with the digits 0 to 9 as everywhere on it: "1,234.5". */
export function exactAmount(atomic: bigint, decimals: number, lang: string): string {
  const locale = `${lang}-u-nu-latn`;
  const digits = atomic.toString().padStart(decimals + 1, '0');
  const whole = new Intl.NumberFormat(locale).format(BigInt(digits.slice(0, digits.length - decimals)));
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '');
  if (fraction === '') return whole;
  const parts = new Intl.NumberFormat(locale).formatToParts(0.5);
  return `${whole}${parts.find(({ type }) => type === 'decimal')?.value ?? '.'}${fraction}`;
}

/** Of an amount with its unit, which stay together. */
export function withUnit(amount: string, code: string): string {
  return `${amount}\u{a0}${code}`;
}
