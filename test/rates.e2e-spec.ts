import { jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { loadConfig } from '../src/config.js';
import { type RatesStub, startRatesStub } from '../src/demo/rates-stub.js';
import { RatesService } from '../src/rates/rates.service.js';
import {
  type Answer,
  answerWith,
  coinbaseSays,
  type FakeRateSources,
  krakenRefuses,
  krakenSays,
  startFakeRateSources,
} from './support/fake-rate-sources.js';
import { TestClock } from './support/test-clock.js';

const UNLISTED = krakenRefuses('EQuery:Unknown asset pair');
const hang: Answer = () => undefined;
/** Milliseconds, of a source that answers, and of one that never does beside one that does. */
const [TIMEOUT_MS, SILENT_MS] = [30_000, 3_000];

describe('exchange rates over HTTP', () => {
  let sources: FakeRateSources;
  let clock: TestClock;
  let rates: RatesService;
  const warnings: string[] = [];
  const infos: string[] = [];

  beforeEach(async () => {
    sources = await startFakeRateSources();
    clock = new TestClock();
    rates = ratesFrom(sources.krakenUrl);
    warnings.length = infos.length = 0;
    const write = (lines: string[]) => (fields: unknown, message: unknown) => {
      lines.push(`${String(message)} ${JSON.stringify(fields)}`);
    };
    jest.spyOn(Logger.prototype, 'warn').mockImplementation(write(warnings));
    jest.spyOn(Logger.prototype, 'log').mockImplementation(write(infos));
  });

  afterEach(async () => {
    jest.restoreAllMocks();
    await sources.close();
  });

  function ratesFrom(
    krakenUrl: string,
    coinbaseUrl = sources.coinbaseUrl,
    timeoutMs = TIMEOUT_MS,
  ): RatesService {
    const config = loadConfig({
      DATABASE_URL: 'postgres://unused',
      APP_KEYS: `t1:${Buffer.from('0123456789abcdefghijklmnopqrstuv').toString('base64')}`,
      CHECKOUT_SIGNING_KEY: 'test-checkout-signing-key-with-enough-length',
      RATES_KRAKEN_URL: krakenUrl,
      RATES_COINBASE_URL: coinbaseUrl,
      RATES_TIMEOUT_MS: String(timeoutMs),
    });
    return new RatesService(config, clock);
  }

  function bothSay(kraken: string, coinbase: string): void {
    sources.kraken = krakenSays(kraken);
    sources.coinbase = coinbaseSays(`{"USD":"${coinbase}"}`);
  }

  it('uses the midpoint of both sources and stores their readings', async () => {
    sources.kraken = krakenSays('64321.00', '64321.11', 'XXBTZUSD');
    sources.coinbase = coinbaseSays('{"EUR":"1","USD":"64321.185"}');
    expect(await rates.findRate('BTC', 'USD')).toEqual({
      base: 'BTC',
      quote: 'USD',
      value: '64321.12',
      source: 'median(kraken,coinbase)',
      inputs: [
        { source: 'kraken', value: '64321.055', fetchedAt: clock.now() },
        { source: 'coinbase', value: '64321.185', fetchedAt: clock.now() },
      ],
      fetchedAt: clock.now(),
      single: false,
    });
    expect(sources.requests.toSorted()).toEqual([
      '/coinbase/v2/exchange-rates?currency=BTC',
      '/kraken/0/public/Ticker?pair=XBTUSD',
    ]);
  });

  it.each([
    ['ETH', 'USD', 'ETHUSD'],
    ['DOGE', 'EUR', 'XDGEUR'],
    ['DOGE', 'USD', 'XDGUSD'],
    ['BCH', 'USD', 'BCHUSD'],
    ['ETH', 'BTC', 'ETHXBT'],
    ['USDT', 'USD', 'USDTUSD'],
  ])('requests %s/%s from Kraken as %s', async (base, quote, pair) => {
    await rates.findRate(base, quote);
    expect(sources.requests).toContain(`/kraken/0/public/Ticker?pair=${pair}`);
  });

  it('keeps every digit of a price, also when it is a JSON number', async () => {
    sources.kraken = UNLISTED;
    sources.coinbase = coinbaseSays('{"USD":3456.123456789012345678901}');
    expect(await rates.findRate('ETH', 'USD')).toMatchObject({ value: '3456.123456789012345678901' });
    clock.advanceSeconds(20);
    sources.coinbase = coinbaseSays('{"USD":3.4561e3}');
    expect(await rates.findRate('ETH', 'USD')).toMatchObject({ value: '3456.1' });
  });

  it('requests a price once for many customers, and again after 20 s', async () => {
    bothSay('100', '100');
    const answers = await Promise.all(Array.from({ length: 10 }, () => rates.findRate('ETH', 'USD')));
    expect(new Set(answers.map((rate) => rate?.value))).toEqual(new Set(['100']));
    expect(sources.requests).toHaveLength(2);

    clock.advanceSeconds(19);
    bothSay('102', '102');
    expect(await rates.findRate('ETH', 'USD')).toMatchObject({ value: '100' });
    expect(sources.requests).toHaveLength(2);

    clock.advanceSeconds(1);
    expect(await rates.findRate('ETH', 'USD')).toMatchObject({ value: '102', fetchedAt: clock.now() });
    expect(sources.requests).toHaveLength(4);
  });

  it('caches each currency pair separately', async () => {
    sources.kraken = UNLISTED;
    sources.coinbase = coinbaseSays('{"USD":"100","EUR":"90"}');
    const [usd, eur] = await Promise.all([rates.findRate('ETH', 'USD'), rates.findRate('ETH', 'EUR')]);
    expect([usd?.value, eur?.value]).toEqual(['100', '90']);
  });

  it.each<[string, Answer, string]>([
    ['limits us', answerWith(429, '{}', { 'retry-after': '60' }), 'HTTP 429'],
    ['has an error', answerWith(500, 'oops'), 'HTTP 500'],
    ['says so with HTTP 200', krakenRefuses('EService:Unavailable'), 'EService:Unavailable'],
    [
      'stops in the middle',
      answerWith(200, '{"error":[],"result":{"XETHZUSD":{"a":["1'),
      'the response is not JSON',
    ],
    ['sends a page', answerWith(200, '<html></html>'), 'the response is not JSON'],
    ['sends something else', answerWith(200, '{"error":[],"result":{"X":{"a":[]}}}'), 'unexpected response'],
    ['sends nothing', answerWith(200, '{"error":[]}'), 'unexpected response'],
    ['sends null', answerWith(200, 'null'), 'unexpected response'],
    [
      'sends two pairs',
      answerWith(200, '{"error":[],"result":{"A":{"a":["1"],"b":["1"]},"B":{"a":["1"],"b":["1"]}}}'),
      'unexpected response',
    ],
    ['sends no number', krakenSays('abc'), 'not a price'],
    ['sends zero', krakenSays('0', '1'), 'not a price'],
    ['sends a negative price', krakenSays('-100'), 'not a price'],
    ['has a crossed book', krakenSays('101', '100'), 'invalid bid or ask'],
    ['has an empty book', krakenSays('1', '100'), 'invalid bid or ask'],
    [
      'sends too much',
      answerWith(200, `{"error":[],"x":"${'x'.repeat(300_000)}"}`),
      'the response is too long',
    ],
    ['redirects', answerWith(302, '', { location: 'http://127.0.0.1:1/' }), 'HTTP 302'],
    ['hangs', hang, 'timed out'],
    ['hangs up', (_query, response) => response.destroy(), 'other side closed'],
  ])('does without Kraken when it %s', async (_what, answer, reason) => {
    if (answer === hang) rates = ratesFrom(sources.krakenUrl, sources.coinbaseUrl, SILENT_MS);
    sources.kraken = answer;
    sources.coinbase = coinbaseSays('{"USD":"100"}');
    expect(await rates.findRate('ETH', 'USD')).toMatchObject({
      value: '100',
      source: 'coinbase',
      single: true,
    });
    expect(warnings).toEqual([`rate source is out ${JSON.stringify({ source: 'kraken', reason })}`]);
  });

  it.each<[string, Answer]>([
    ['answers for another currency', answerWith(200, '{"data":{"currency":"BTC","rates":{"USD":"60000"}}}')],
    ['sends something else', answerWith(200, '{"errors":[{"id":"not_found"}]}')],
    ['sends no number', coinbaseSays('{"USD":"n/a"}')],
    ['sends zero', coinbaseSays('{"USD":"0.00"}')],
    ['hangs', hang],
  ])('does without Coinbase when it %s', async (_what, answer) => {
    if (answer === hang) rates = ratesFrom(sources.krakenUrl, sources.coinbaseUrl, SILENT_MS);
    sources.kraken = krakenSays('100');
    sources.coinbase = answer;
    expect(await rates.findRate('ETH', 'USD')).toMatchObject({
      value: '100',
      source: 'kraken',
      single: true,
    });
    expect(warnings).toHaveLength(1);
  });

  it('has a rate when one source refuses connections', async () => {
    rates = ratesFrom('http://127.0.0.1:1/kraken');
    sources.coinbase = coinbaseSays('{"USD":"100"}');
    expect(await rates.findRate('ETH', 'USD')).toMatchObject({ source: 'coinbase' });
  });

  it('does not report an unlisted pair as an outage', async () => {
    sources.kraken = UNLISTED;
    sources.coinbase = coinbaseSays('{"NOK":"1000"}');
    expect(await rates.findRate('ETH', 'NOK')).toMatchObject({ value: '1000', source: 'coinbase' });
    expect(warnings).toEqual([]);
    sources.coinbase = answerWith(
      400,
      '{"errors":[{"id":"invalid_request","message":"Currency is invalid"}]}',
    );
    expect(await rates.findRate('UYW', 'USD')).toBeNull();
    expect(warnings).toEqual(['no exchange rate {"base":"UYW","quote":"USD","reason":"no_source"}']);
    // Not even a name that every object has is a currency.
    sources.coinbase = coinbaseSays('{"NOK":"1000"}');
    expect(await rates.findRate('ETH', 'constructor')).toBeNull();
  });

  it('logs an outage once, however long it lasts, and again after a recovery', async () => {
    sources.coinbase = coinbaseSays('{"USD":"100","EUR":"90"}');
    const outages = async () => {
      for (let turn = 0; turn < 3; turn++, clock.advanceSeconds(20))
        await Promise.all([rates.findRate('ETH', 'USD'), rates.findRate('ETH', 'EUR')]);
      return warnings.length;
    };
    expect(await outages()).toBe(1);
    sources.kraken = krakenSays('100');
    await rates.findRate('ETH', 'USD');
    expect(infos).toEqual(['rate source is back {"source":"kraken"}']);
    sources.kraken = answerWith(503, '');
    clock.advanceSeconds(20);
    expect(await outages()).toBe(2);
  });

  it('uses the last readings for 10 minutes, then has no rate', async () => {
    bothSay('100', '102');
    const fetchedAt = clock.now();
    expect(await rates.findRate('ETH', 'USD')).toMatchObject({ value: '101' });

    sources.kraken = sources.coinbase = answerWith(503, '');
    clock.advanceSeconds(600);
    expect(await rates.findRate('ETH', 'USD')).toMatchObject({ value: '101', fetchedAt });
    clock.advanceSeconds(20);
    expect(await rates.findRate('ETH', 'USD')).toBeNull();

    bothSay('150', '150');
    clock.advanceSeconds(5);
    expect(await rates.findRate('ETH', 'USD')).toMatchObject({ value: '150', fetchedAt: clock.now() });
  });

  it('has no rate without sources, and does not retry them for every customer', async () => {
    expect(await rates.findRate('ETH', 'USD')).toBeNull();
    clock.advanceSeconds(4);
    expect(await rates.findRate('ETH', 'USD')).toBeNull();
    expect(sources.requests).toHaveLength(2);
    clock.advanceSeconds(1);
    expect(await rates.findRate('ETH', 'USD')).toBeNull();
    expect(sources.requests).toHaveLength(4);
  });

  it('has no rate when the sources disagree, and logs that once', async () => {
    bothSay('1000', '100');
    expect(await rates.findRate('ETH', 'USD')).toBeNull();
    clock.advanceSeconds(20);
    expect(await rates.findRate('ETH', 'USD')).toBeNull();
    expect(warnings).toEqual([
      `no exchange rate ${JSON.stringify({ base: 'ETH', quote: 'USD', reason: 'sources_differ' })}`,
    ]);
  });

  it('ignores a single source that moves away from the last good value', async () => {
    bothSay('100', '100');
    await rates.findRate('ETH', 'USD');
    sources.coinbase = answerWith(503, '');
    const alone = async (price: string) => {
      sources.kraken = krakenSays(price);
      clock.advanceSeconds(20);
      return (await rates.findRate('ETH', 'USD'))?.value ?? null;
    };
    expect(await alone('104')).toBe('104');
    // Still measured from 100, the last value of both.
    expect(await alone('106')).toBeNull();
    expect(await alone('10')).toBeNull();
    expect(await alone('96')).toBe('96');
    clock.advanceSeconds(600);
    expect(await alone('120')).toBe('120');
  });

  it('returns 1 for a currency in itself without a source', async () => {
    expect(await rates.findRate('ETH', 'ETH')).toMatchObject({ value: '1', source: 'identity', inputs: [] });
    expect(await rates.findCrossRate('USD', 'USD')).toMatchObject({ value: '1' });
    expect(sources.requests).toEqual([]);
  });

  it('uses the direct rate where one exists', async () => {
    sources.kraken = UNLISTED;
    sources.coinbase = coinbaseSays('{"EUR":"0.92"}');
    expect(await rates.findCrossRate('USD', 'EUR')).toMatchObject({ value: '0.92', source: 'coinbase' });
  });

  it('crosses two currencies through bitcoin, exactly, rounded down to 12 digits', async () => {
    sources.kraken = (query, response) => {
      const prices: Record<string, string> = { XBTUSD: '64321.12', XBTEUR: '58000.5' };
      const price = prices[query.get('pair') ?? ''];
      (price ? krakenSays(price) : UNLISTED)(query, response);
    };
    const inUsd = await rates.findCrossRate('EUR', 'USD');
    expect(inUsd).toEqual({
      base: 'EUR',
      quote: 'USD',
      value: '1.10897526745',
      source: 'cross(BTC/USD kraken, BTC/EUR kraken)',
      inputs: [
        { source: 'kraken BTC/USD', value: '64321.12', fetchedAt: clock.now() },
        { source: 'kraken BTC/EUR', value: '58000.5', fetchedAt: clock.now() },
      ],
      fetchedAt: clock.now(),
      single: true,
    });
    expect(await rates.findCrossRate('EUR', 'GBP')).toBeNull();
  });

  describe('from the stub of the development profile', () => {
    let stub: RatesStub;
    beforeEach(async () => {
      stub = await startRatesStub();
      rates = ratesFrom(`${stub.url}/kraken`, `${stub.url}/coinbase`);
      stub.setPrice('ETH', 'USD', '3456.78');
    });
    afterEach(() => stub.stop());

    it('are the price that was set on the stub', async () => {
      expect(await rates.findRate('ETH', 'USD')).toMatchObject({ value: '3456.78', single: false });
      expect(await rates.findRate('USDT', 'EUR')).toMatchObject({ source: 'median(kraken,coinbase)' });
      expect(await rates.findCrossRate('USD', 'EUR')).toMatchObject({ single: false });
    });

    const broken = ['down', 'reset', 'hang', 'rate-limited', 'unavailable', 'garbage', 'truncated'] as const;
    it.each(broken)('come from one source when the other one is %s', async (mode) => {
      if (mode === 'hang') rates = ratesFrom(`${stub.url}/kraken`, `${stub.url}/coinbase`, SILENT_MS);
      stub.setMode('kraken', mode);
      expect(await rates.findRate('ETH', 'USD')).toMatchObject({ source: 'coinbase', value: '3456.78' });
      stub.setMode('kraken', 'ok');
      stub.setMode('coinbase', mode);
      clock.advanceSeconds(20);
      expect(await rates.findRate('ETH', 'USD')).toMatchObject({ source: 'kraken', value: '3456.78' });
    });

    it('are rejected when one source reports ten times the other', async () => {
      stub.setMode('coinbase', 'outlier');
      expect(await rates.findRate('ETH', 'USD')).toBeNull();
    });
  });
});
