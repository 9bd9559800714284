import { type PriceList, printPrice, STUB_COINS, STUB_FIATS } from './rates-stub-prices.js';

/** An HTTP response of a stubbed exchange. */
export interface StubResponse {
  status: number;
  body: unknown;
}

/** Multiplies every price, e.g. 10n for an outlier. */
type Factor = bigint;

/** Kraken's codes where they differ from ours. */
const KRAKEN_CODES: Readonly<Record<string, string>> = { BTC: 'XBT', DOGE: 'XDG' };
/** Old pairs still have Kraken's first naming scheme: X before a coin, Z before a currency. */
const OLD_STYLE: Readonly<Record<string, readonly string[]>> = {
  BTC: ['USD', 'EUR', 'GBP', 'JPY', 'CAD'],
  ETH: ['USD', 'EUR', 'GBP', 'JPY', 'CAD'],
  LTC: ['USD', 'EUR'],
};

interface KrakenPair {
  base: string;
  quote: string;
  /** The name in responses, e.g. XETHZUSD. */
  name: string;
  /** The usual name in requests, e.g. ETHUSD. */
  alias: string;
}

const KRAKEN_PAIRS: readonly KrakenPair[] = STUB_COINS.flatMap((base) =>
  STUB_FIATS.map((quote) => {
    const code = KRAKEN_CODES[base] ?? base;
    const alias = `${code}${quote}`;
    const oldStyle = OLD_STYLE[base]?.includes(quote) || alias === 'USDTUSD';
    const name = base === 'USDT' ? `${code}Z${quote}` : `X${code}Z${quote}`;
    return { base, quote, alias, name: oldStyle ? name : alias };
  }),
);

/** `GET /0/public/Ticker?pair=…`: errors have HTTP status 200; without `pair` it returns every pair. */
export function krakenTicker(prices: PriceList, pairs: string | null, factor: Factor = 1n): StubResponse {
  const wanted = pairs === null ? KRAKEN_PAIRS : pairs.split(',').map(findKrakenPair);
  const entries = wanted.map((pair) => {
    const price = pair && prices.find(pair.base, pair.quote);
    return pair && price ? [pair.name, tickerOf(price * factor)] : null;
  });
  if (entries.includes(null)) return { status: 200, body: { error: ['EQuery:Unknown asset pair'] } };
  return { status: 200, body: { error: [], result: Object.fromEntries(entries.filter((e) => e !== null)) } };
}

function findKrakenPair(name: string): KrakenPair | undefined {
  return KRAKEN_PAIRS.find((pair) => name === pair.name || name === pair.alias);
}

/** The best ask and bid are 0.01 % above and below the price. All values are strings, except the counts of trades. */
function tickerOf(price: bigint): Record<string, unknown> {
  const half = price / 10_000n;
  const [ask, bid, last] = [price + half, price - half, price].map((value) => printPrice(value, 8));
  return {
    a: [ask, '1', '1.000'],
    b: [bid, '1', '1.000'],
    c: [last, '0.01000000'],
    v: ['1203.15100000', '2711.40200000'],
    p: [last, last],
    t: [8_514, 19_211],
    l: [bid, bid],
    h: [ask, ask],
    o: last,
  };
}

/** `GET /v2/exchange-rates?currency=…`: the price of one coin in every currency. */
export function coinbaseRates(prices: PriceList, currency: string | null, factor: Factor = 1n): StubResponse {
  const code = currency ?? '';
  if (!STUB_COINS.includes(code)) {
    const error = { id: 'invalid_request', message: 'Currency is invalid' };
    return { status: 400, body: { errors: [error] } };
  }
  const rates = STUB_FIATS.map((quote) => [quote, printPrice((prices.find(code, quote) ?? 0n) * factor, 10)]);
  return { status: 200, body: { data: { currency: code, rates: Object.fromEntries(rates) } } };
}
