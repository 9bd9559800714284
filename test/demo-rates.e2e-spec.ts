import type { Config } from '../src/config.js';
import { type RatesStub, RATES_STUB_MODES, startRatesStub } from '../src/demo/rates-stub.js';
import { STUB_COINS, STUB_FIATS } from '../src/demo/rates-stub-prices.js';
import { CoinbaseClient } from '../src/rates/coinbase.client.js';
import { KrakenClient } from '../src/rates/kraken.client.js';

let stub: RatesStub;
let kraken: KrakenClient;
let coinbase: CoinbaseClient;
/** Clients for a source that never answers. */
let impatient: { kraken: KrakenClient; coinbase: CoinbaseClient };

beforeEach(async () => {
  stub = await startRatesStub();
  const clients = (timeoutMs: number) => {
    const rates = { krakenUrl: `${stub.url}/kraken`, coinbaseUrl: `${stub.url}/coinbase`, timeoutMs };
    return {
      kraken: new KrakenClient({ rates } as Config),
      coinbase: new CoinbaseClient({ rates } as Config),
    };
  };
  ({ kraken, coinbase } = clients(30_000));
  impatient = clients(400);
});

afterEach(() => stub.stop());

const getJson = async (path: string) => {
  const response = await fetch(`${stub.url}${path}`);
  return { status: response.status, body: (await response.json()) as unknown };
};

const put = async (body: unknown) =>
  (await fetch(`${stub.url}/control`, { method: 'PUT', body: JSON.stringify(body) })).status;

describe('the rates stub', () => {
  it.each([
    ['ETHUSD', 'XETHZUSD'],
    ['XETHZUSD', 'XETHZUSD'],
    ['XBTEUR', 'XXBTZEUR'],
    ['LTCUSD', 'XLTCZUSD'],
    ['LTCGBP', 'LTCGBP'],
    ['USDTUSD', 'USDTZUSD'],
    ['USDCUSD', 'USDCUSD'],
    ['SOLUSD', 'SOLUSD'],
    ['XDGUSD', 'XDGUSD'],
    ['BCHEUR', 'BCHEUR'],
    ['XBTCHF', 'XBTCHF'],
  ])('returns %s under the name %s, as Kraken does', async (asked, name) => {
    const { body } = await getJson(`/kraken/0/public/Ticker?pair=${asked}`);
    const { error, result } = body as { error: string[]; result: Record<string, { a: unknown[] }> };
    expect(error).toEqual([]);
    expect(Object.keys(result)).toEqual([name]);
    expect(result[name]?.a.map((part) => typeof part)).toEqual(['string', 'string', 'string']);
  });

  it('responds to an unknown pair with HTTP 200, as Kraken does', async () => {
    for (const pair of ['BTCUSD', 'ETHUSD,NOPE', '', 'DOGEUSD']) {
      expect(await getJson(`/kraken/0/public/Ticker?pair=${pair}`)).toEqual({
        status: 200,
        body: { error: ['EQuery:Unknown asset pair'] },
      });
    }
  });

  it('responds to an unknown currency with HTTP 400, as Coinbase does', async () => {
    expect(await getJson('/coinbase/v2/exchange-rates?currency=NOPE')).toMatchObject({ status: 400 });
  });

  it('has every pair in both sources, less than 0.1 % apart', async () => {
    for (const base of STUB_COINS) {
      for (const quote of STUB_FIATS) {
        const [one, two] = [await kraken.fetchPrice(base, quote), await coinbase.fetchPrice(base, quote)];
        expect(Math.abs(Number(one) / Number(two) - 1)).toBeLessThan(0.001);
      }
    }
  });

  it('changes a price in both sources, by method call and by HTTP', async () => {
    stub.setPrice('ETH', 'USD', '4000');
    expect(Number(await coinbase.fetchPrice('ETH', 'USD'))).toBe(4000);
    expect(await put({ base: 'ETH', quote: 'USD', price: '4100.5' })).toBe(200);
    expect(Number(await coinbase.fetchPrice('ETH', 'USD'))).toBe(4100.5);
    expect(Number(await kraken.fetchPrice('ETH', 'USD'))).toBeCloseTo(4100.5, 6);
    expect(Number(await kraken.fetchPrice('ETH', 'EUR'))).toBeCloseTo(3144.8952, 4);
  });

  it.each([
    { base: 'ETH', quote: 'USD', price: '-1' },
    { base: 'ETH', quote: 'XXX', price: '1' },
    { source: 'kraken', mode: 'sideways' },
    { source: 'binance', mode: 'ok' },
    null,
  ])('rejects the price change %j', async (wish) => {
    expect(await put(wish)).toBe(422);
  });

  it.each(RATES_STUB_MODES.filter((mode) => !['ok', 'outlier'].includes(mode)))(
    'returns no price in the mode %s, while the other source works',
    async (mode) => {
      const broken = mode === 'hang' || mode === 'slow' ? impatient : { kraken, coinbase };
      stub.setMode('kraken', mode);
      await expect(broken.kraken.fetchPrice('ETH', 'USD')).rejects.toThrow();
      expect(Number(await coinbase.fetchPrice('ETH', 'USD'))).toBe(3412.8);
      stub.setMode('kraken', 'ok');
      stub.setMode('coinbase', mode);
      await expect(broken.coinbase.fetchPrice('ETH', 'USD')).rejects.toThrow();
      expect(Number(await kraken.fetchPrice('ETH', 'USD'))).toBeCloseTo(3412.8, 4);
      stub.setMode('coinbase', 'ok');
      expect(Number(await coinbase.fetchPrice('ETH', 'USD'))).toBe(3412.8);
    },
  );

  it('returns ten times the price in the mode outlier', async () => {
    stub.setMode('kraken', 'outlier');
    expect(Number(await kraken.fetchPrice('ETH', 'USD'))).toBeCloseTo(34128, 3);
  });

  it('refuses connections once it is stopped, even those that hang', async () => {
    stub.setMode('kraken', 'hang');
    const hanging = kraken.fetchPrice('ETH', 'USD').then(
      () => 'answered',
      () => 'broken',
    );
    await stub.stop();
    expect(await hanging).toBe('broken');
    await expect(fetch(stub.url)).rejects.toThrow();
    stub = await startRatesStub();
  });
});
