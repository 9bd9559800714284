import { Inject, Injectable, Logger } from '@nestjs/common';
import { Clock } from '../platform/kernel/clock.pure.js';
import { CONFIG, type Config } from '../config.js';
import { parseRate } from '../money/money.js';
import { CoinbaseClient } from './coinbase.client.js';
import { decimalText, divideDown } from './exact-decimal.pure.js';
import { KrakenClient } from './kraken.client.js';
import { type AcceptedRate, evaluatePrices, nextReference, type RateInput } from './rate-guards.pure.js';
import { type RateSource, RateSourceError } from './rate-source.pure.js';

/** Units of `quote` for one whole `base`, with everything needed to derive it again. */
export interface Rate extends AcceptedRate {
  base: string;
  quote: string;
}

/** Seconds for which a rate is cached, for all callers. */
const CACHE_SECONDS = 20;
/** Seconds for which a missing rate is cached, so that not every customer waits for a source that is down. */
const RETRY_SECONDS = 5;
/** The currency of crossed rates: every currency has a price in bitcoin. */
const CROSSING = 'BTC';
/** Significant digits of a crossed rate. */
const CROSS_DIGITS = 12;

interface CachedRate {
  refreshedAt: Date;
  rate: Rate | null;
}

/** State of one pair. */
interface PairState {
  cached: CachedRate | null;
  inFlight: Promise<Rate | null> | null;
  /** The prices of the last refresh that returned any. */
  prices: RateInput[];
  reference: AcceptedRate | null;
  refused: boolean;
}

/** The sources of prices. While both respond, a rate needs both. */
export function rateSources(config: Config): RateSource[] {
  return [new KrakenClient(config), new CoinbaseClient(config)];
}

/**
 * Exchange rates, fetched on demand: both sources in parallel, median, plausibility checks
 * (specification/money.md#exchange-rates).
 */
@Injectable()
export class RatesService {
  private readonly logger = new Logger('RatesService');
  private readonly pairs = new Map<string, PairState>();
  private readonly sources: readonly RateSource[];
  /** Since when, by name. */
  private readonly down = new Map<string, Date>();
  /** When each last answered, by name. */
  private readonly answered = new Map<string, Date>();

  constructor(
    @Inject(CONFIG) config: Config,
    private readonly clock: Clock,
  ) {
    this.sources = rateSources(config);
  }

  /** How each source has answered this process, which asks only when a rate is needed. */
  listSources(): { name: string; answeredAt: Date | null; failingSince: Date | null }[] {
    return this.sources.map(({ name }) => ({
      name,
      answeredAt: this.answered.get(name) ?? null,
      failingSince: this.down.get(name) ?? null,
    }));
  }

  /** Null: `rate_unavailable`. Failures of the sources do not throw, and a stale rate is never returned. */
  async findRate(base: string, quote: string): Promise<Rate | null> {
    const now = this.clock.now();
    if (base === quote)
      return { base, quote, value: '1', source: 'identity', inputs: [], fetchedAt: now, single: false };
    const state = this.stateOf(base, quote);
    const { cached } = state;
    const lifetime = cached?.rate ? CACHE_SECONDS : RETRY_SECONDS;
    if (cached && now.getTime() - cached.refreshedAt.getTime() < lifetime * 1000) return cached.rate;
    state.inFlight ??= this.refresh(base, quote, state).finally(() => (state.inFlight = null));
    return state.inFlight;
  }

  /**
   * For reports in another currency (settlement), never for quotes: the direct rate, or else the quotient of
   * both currencies' bitcoin prices, exact and then rounded down to {@link CROSS_DIGITS} significant digits.
   */
  async findCrossRate(base: string, quote: string): Promise<Rate | null> {
    const direct = await this.findRate(base, quote);
    if (direct) return direct;
    const [inBase, inQuote] = await Promise.all([
      this.findRate(CROSSING, base),
      this.findRate(CROSSING, quote),
    ]);
    if (!inBase || !inQuote) return null;
    const value = divideDown(parseRate(inQuote.value), parseRate(inBase.value), CROSS_DIGITS);
    const legs = [inQuote, inBase];
    return {
      base,
      quote,
      value: decimalText(value),
      source: `cross(${legs.map((leg) => `${leg.base}/${leg.quote} ${leg.source}`).join(', ')})`,
      inputs: legs.flatMap((leg) =>
        leg.inputs.map((input) => ({ ...input, source: `${input.source} ${leg.base}/${leg.quote}` })),
      ),
      fetchedAt: legs.map((leg) => leg.fetchedAt).reduce((a, b) => (a < b ? a : b)),
      single: legs.some((leg) => leg.single),
    };
  }

  private stateOf(base: string, quote: string): PairState {
    const key = `${base}/${quote}`;
    let state = this.pairs.get(key);
    if (!state) {
      state = { cached: null, inFlight: null, prices: [], reference: null, refused: false };
      this.pairs.set(key, state);
    }
    return state;
  }

  private async refresh(base: string, quote: string, state: PairState): Promise<Rate | null> {
    const fetched = await Promise.all(this.sources.map((source) => this.fetchPrice(source, base, quote)));
    const prices = fetched.filter((price) => price !== null);
    // While all sources fail, their last prices are used until they are stale.
    if (prices.length > 0) state.prices = prices;
    const now = this.clock.now();
    const result = evaluatePrices(state.prices, state.reference, now);
    const rate = result.ok ? { base, quote, ...result.rate } : null;
    if (result.ok) state.reference = nextReference(state.reference, result.rate, now);
    else if (!state.refused) this.logger.warn({ base, quote, reason: result.reason }, 'no exchange rate');
    state.refused = !result.ok;
    state.cached = { refreshedAt: now, rate };
    return rate;
  }

  private async fetchPrice(source: RateSource, base: string, quote: string): Promise<RateInput | null> {
    try {
      const value = await source.fetchPrice(base, quote);
      this.answered.set(source.name, this.clock.now());
      if (this.down.delete(source.name)) this.logger.log({ source: source.name }, 'rate source is back');
      return value === null ? null : { source: source.name, value, fetchedAt: this.clock.now() };
    } catch (error) {
      if (!(error instanceof RateSourceError)) throw error;
      // Logged once per outage, not once per call.
      if (!this.down.has(source.name))
        this.logger.warn({ source: source.name, reason: error.message }, 'rate source is out');
      if (!this.down.has(source.name)) this.down.set(source.name, this.clock.now());
      return null;
    }
  }
}
