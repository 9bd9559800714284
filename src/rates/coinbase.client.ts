import { Inject, Injectable } from '@nestjs/common';
import { z } from 'zod';
import { CONFIG, type Config } from '../config.js';
import { DecimalError, parseRate } from '../money/money.js';
import { decimalText } from './exact-decimal.js';
import { getExactJson, type RateSource, RateSourceError } from './rate-source.js';

/** `rates`: units of each currency for one whole `currency`. */
const answer = z.object({
  data: z.object({ currency: z.string(), rates: z.record(z.string(), z.string()) }),
});

/** Coinbase's own conversion prices: GET /v2/exchange-rates?currency=ETH. */
@Injectable()
export class CoinbaseClient implements RateSource {
  readonly name = 'coinbase';

  constructor(@Inject(CONFIG) private readonly config: Config) {}

  async fetchPrice(base: string, quote: string): Promise<string | null> {
    const { coinbaseUrl, timeoutMs } = this.config.rates;
    const url = `${coinbaseUrl}/v2/exchange-rates?currency=${encodeURIComponent(base)}`;
    const parsed = answer.safeParse(await getExactJson(url, timeoutMs));
    if (!parsed.success || parsed.data.data.currency !== base) throw new RateSourceError('unexpected answer');
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
}
