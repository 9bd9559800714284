/** Prices are integers of 1e-10 units: exact, and precise enough for one TRX in any currency. */
const SCALE_DIGITS = 10;
const SCALE = 10n ** BigInt(SCALE_DIGITS);

/** Plausible prices of one whole coin in US dollars. */
const COINS_IN_USD: Readonly<Record<string, string>> = {
  BTC: '97234.50',
  ETH: '3412.80',
  LTC: '84.12',
  DOGE: '0.3127',
  BCH: '448.70',
  USDT: '0.9998',
  USDC: '1.0000',
  BNB: '612.40',
  SOL: '172.35',
  TRX: '0.2471',
  POL: '0.4527',
  AVAX: '36.18',
};
/** Exchange rates of one US dollar. */
const FIATS_PER_USD: Readonly<Record<string, string>> = {
  USD: '1',
  EUR: '0.9215',
  GBP: '0.7873',
  CHF: '0.8842',
  JPY: '149.62',
  CAD: '1.3714',
  AUD: '1.5238',
};

export const STUB_COINS: readonly string[] = Object.keys(COINS_IN_USD);
export const STUB_FIATS: readonly string[] = Object.keys(FIATS_PER_USD);

/** Decimal text in 1e-10 units. @throws Error if it is not a positive price with at most 10 decimals */
export function parsePrice(text: string): bigint {
  const [, whole = '', fraction = ''] = /^(\d{1,15})(?:\.(\d{1,10}))?$/.exec(text) ?? [];
  const price = whole === '' ? 0n : BigInt(whole) * SCALE + BigInt(fraction.padEnd(SCALE_DIGITS, '0'));
  if (price <= 0n) throw new Error(`"${text}" is not a price`);
  return price;
}

/** 1e-10 units as decimal text with a fixed number of decimals, truncated. */
export function printPrice(price: bigint, decimals: number): string {
  const fraction = (price % SCALE).toString().padStart(SCALE_DIGITS, '0').slice(0, decimals);
  return `${price / SCALE}.${fraction}`;
}

/** The prices of the stub by coin and currency, changed by {@link PriceList.set}. */
export class PriceList {
  private readonly changed = new Map<string, bigint>();

  /** @returns null for a pair that the stub does not have */
  find(base: string, quote: string): bigint | null {
    const changed = this.changed.get(`${base}/${quote}`);
    if (changed !== undefined) return changed;
    if (!Object.hasOwn(COINS_IN_USD, base) || !Object.hasOwn(FIATS_PER_USD, quote)) return null;
    return (parsePrice(COINS_IN_USD[base] ?? '') * parsePrice(FIATS_PER_USD[quote] ?? '')) / SCALE;
  }

  set(base: string, quote: string, text: string): void {
    if (this.find(base, quote) === null) throw new Error(`the rates stub has no pair ${base}/${quote}`);
    this.changed.set(`${base}/${quote}`, parsePrice(text));
  }
}
