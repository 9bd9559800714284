import { z } from 'zod';
import type { Config } from '../config.js';
import { DecimalError, parseRate } from '../money/money.js';
import { compareDecimals, decimalText, isWithinPercent, meanOf } from './exact-decimal.pure.js';
import { getExactJson } from './rate-request.js';
import { type RateSource, RateSourceError } from './rate-source.pure.js';

/** Kraken's currency codes where they differ from ours. */
const KRAKEN_NAMES: Readonly<Record<string, string>> = { BTC: 'XBT', DOGE: 'XDG' };
/** With a wider spread, the middle of bid and ask is no market price. */
const MAX_SPREAD_PERCENT = 5n;

/** `a` and `b` are best ask and bid: [price, whole lot volume, lot volume]. */
const ticker = z.object({ a: z.array(z.string()).min(1), b: z.array(z.string()).min(1) });
/** Kraken reports errors in `error`, with HTTP status 200. */
const responseBody = z.object({
  error: z.array(z.string()).default([]),
  result: z.record(z.string(), ticker).optional(),
});

/** The middle of Kraken's order book: GET /0/public/Ticker?pair=ETHUSD. */
export class KrakenClient implements RateSource {
  readonly name = 'kraken';

  constructor(private readonly config: Config) {}

  async fetchPrice(base: string, quote: string): Promise<string | null> {
    const { krakenUrl, timeoutMs } = this.config.rates;
    const pair = [base, quote].map((code) => encodeURIComponent(KRAKEN_NAMES[code] ?? code)).join('');
    const parsed = responseBody.safeParse(
      await getExactJson(`${krakenUrl}/0/public/Ticker?pair=${pair}`, timeoutMs),
    );
    if (!parsed.success) throw new RateSourceError('unexpected response');
    const { error, result } = parsed.data;
    if (error.some((message) => message.startsWith('EQuery:Unknown asset pair'))) return null;
    // Limited, because the text of the source is logged.
    if (error.length > 0) throw new RateSourceError(error.join('; ').slice(0, 200));
    // Kraken may return the pair under another name (XETHZUSD). One pair was requested, so there must be one entry.
    const entries = Object.values(result ?? {});
    const [entry] = entries;
    if (!entry || entries.length !== 1) throw new RateSourceError('unexpected response');
    return middleOfBook(entry.b[0] ?? '', entry.a[0] ?? '');
  }
}

function middleOfBook(bidText: string, askText: string): string {
  try {
    const [bid, ask] = [parseRate(bidText), parseRate(askText)];
    if (compareDecimals(bid, ask) > 0 || !isWithinPercent(bid, ask, MAX_SPREAD_PERCENT))
      throw new RateSourceError('invalid bid or ask');
    return decimalText(meanOf(bid, ask));
  } catch (error) {
    if (error instanceof DecimalError) throw new RateSourceError('not a price', { cause: error });
    throw error;
  }
}
