import { z } from 'zod';
import type { Config } from '../config.js';
import { DecimalError, parseRate } from '../money/money.js';
import { decimalText } from './exact-decimal.pure.js';
import { getExactJson } from './rate-request.js';
import { type RateSource, RateSourceError } from './rate-source.pure.js';

/** `rates`: units of each currency for one whole `currency`. */
const responseBody = z.object({
  data: z.object({ currency: z.string(), rates: z.record(z.string(), z.string()) }),
});

/** Coinbase's conversion prices: GET /v2/exchange-rates?currency=ETH. */
export class CoinbaseClient implements RateSource {
  readonly name = 'coinbase';

  constructor(private readonly config: Config) {}

  async fetchPrice(base: string, quote: string): Promise<string | null> {
    const body = await this.fetchRates(base);
    if (body === null) return null;
    const parsed = responseBody.safeParse(body);
    if (!parsed.success || parsed.data.data.currency !== base)
      throw new RateSourceError('unexpected response');
    const { rates } = parsed.data.data;
    const text = Object.hasOwn(rates, quote) ? rates[quote] : undefined;
    if (text === undefined) return null;
    try {
      return decimalText(parseRate(text));
    } catch (error) {
      if (error instanceof DecimalError) throw new RateSourceError('not a price', { cause: error });
      throw error;
    }
  }

  /** Null: Coinbase does not know the currency (HTTP 400). */
  private async fetchRates(base: string): Promise<unknown> {
    const { coinbaseUrl, timeoutMs } = this.config.rates;
    try {
      const path = `/v2/exchange-rates?currency=${encodeURIComponent(base)}`;
      return await getExactJson(`${coinbaseUrl}${path}`, timeoutMs);
    } catch (error) {
      if (error instanceof RateSourceError && error.status === 400) return null;
      throw error;
    }
  }
}
