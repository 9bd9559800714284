import { ApplicationsApi } from './support/applications-api.js';
import {
  answerWith,
  coinbaseSays,
  type FakeRateSources,
  krakenRefuses,
  krakenSays,
} from './support/fake-rate-sources.js';
import { openCatalogHarness } from './support/catalog-harness.js';
import type { Owner } from './support/principals.js';
import type { TestGateway } from './support/test-gateway.js';

/**
 * Exchange rates, end to end (specification/catalog.md#rates); access is tested in tokens-access.e2e-spec.ts.
 */
let sources: FakeRateSources;
let gateway: TestGateway;
let reader: Owner;
let close: () => Promise<void>;

beforeAll(async () => {
  ({ sources, gateway, reader, close } = await openCatalogHarness());
});
afterAll(() => close());

const get = <T>(path: string) => new ApplicationsApi(gateway, reader).call<T>('GET', path);

const CODE = 'It must be an upper-case currency code, as GET /api/currencies lists them.';
const COMMAS = 'Several are separated by commas, without spaces.';

describe('GET /api/rates', () => {
  beforeEach(() => {
    // Past every answer that is kept, and past the reference that a lone source is held against.
    gateway.clock.advanceSeconds(700);
    sources.kraken = (query, response) => {
      const price = query.get('pair')?.endsWith('EUR') ? '59000.10' : '64321.00';
      krakenSays(price)(query, response);
    };
    sources.coinbase = coinbaseSays('{"USD":"64321.24","EUR":"59000.30"}');
  });

  const now = () => `${gateway.clock.now().toISOString().slice(0, 19)}Z`;

  it('returns exact decimals with source and time, in the order of the request', async () => {
    const { status, data, text } = await get('/api/rates?base=BTC&quote=USD,EUR');
    expect(status).toBe(200);
    const common = { base: 'BTC', source: 'median(kraken,coinbase)', fetchedAt: now(), stale: false };
    expect(data).toEqual([
      { ...common, quote: 'USD', value: '64321.12' },
      { ...common, quote: 'EUR', value: '59000.2' },
    ]);
    expect(text).toContain('"value":"64321.12"');
  });

  it('names the only source that responded', async () => {
    sources.coinbase = coinbaseSays('{}');
    const { data } = await get('/api/rates?base=BTC&quote=USD');
    expect(data).toEqual([
      { base: 'BTC', quote: 'USD', value: '64321', source: 'kraken', fetchedAt: now(), stale: false },
    ]);
  });

  it('returns the last price with its own time while the sources are down, for at most ten minutes', async () => {
    const fetchedAt = now();
    await get('/api/rates?base=BTC&quote=USD');
    sources.kraken = sources.coinbase = answerWith(503, '');
    gateway.clock.advanceSeconds(595);
    const kept = await get<object[]>('/api/rates?base=BTC&quote=USD');
    expect(kept.data).toMatchObject([{ value: '64321.12', fetchedAt, stale: false }]);
    // The answer itself is kept for 20 seconds, so its price has become too old to quote on.
    gateway.clock.advanceSeconds(10);
    const old = await get<object[]>('/api/rates?base=BTC&quote=USD');
    expect(old.data).toMatchObject([{ value: '64321.12', fetchedAt, stale: true }]);
    gateway.clock.advanceSeconds(20);
    const { status, error } = await get('/api/rates?base=BTC&quote=USD');
    expect([status, error.code]).toEqual([503, 'service_unavailable']);
  });

  it('returns 1 for a currency in itself without a request to a source', async () => {
    const { data } = await get('/api/rates?base=USDT&quote=USDT');
    expect(data).toMatchObject([{ base: 'USDT', quote: 'USDT', value: '1', source: 'identity' }]);
  });

  it.each<[string, () => void, string]>([
    ['both sources are out', () => (sources.kraken = sources.coinbase = answerWith(503, '')), 'BTC/USD'],
    ['they talk nonsense', () => (sources.kraken = sources.coinbase = answerWith(200, '[]')), 'BTC/USD'],
    ['they differ by more than 5 %', () => (sources.kraken = krakenSays('70000')), 'BTC/USD'],
  ])('has no rate when %s', async (_what, spoil, pair) => {
    spoil();
    const { status, error } = await get('/api/rates?base=BTC&quote=USD');
    expect([status, error.code]).toEqual([503, 'service_unavailable']);
    expect(error.message).toBe(`No exchange rate at the moment for ${pair}`);
  });

  it('returns no rate if one pair has none, and names the missing pairs', async () => {
    sources.kraken = krakenRefuses('EQuery:Unknown asset pair');
    sources.coinbase = coinbaseSays('{"USD":"64321.24"}');
    const { status, error } = await get('/api/rates?base=BTC&quote=USD,ALL,XPF');
    expect([status, error.message]).toEqual([503, 'No exchange rate at the moment for BTC/ALL, BTC/XPF']);
  });

  const eleven = 'USD,EUR,GBP,CHF,JPY,CAD,AUD,SEK,NOK,DKK,PLN';
  it.each([
    ['', { base: ['The base field is required.'], quote: ['The quote field is required.'] }],
    ['?base=BTC', { quote: ['The quote field is required.'] }],
    ['?quote=USD', { base: ['The base field is required.'] }],
    ['?base=btc&quote=USD', { base: [`The selected base is invalid. Did you mean BTC? ${CODE}`] }],
    ['?base=&quote=USD', { base: [`The selected base is invalid. ${CODE}`] }],
    ['?base=BTC&quote=', { quote: [`The selected quote is invalid. ${CODE} ${COMMAS}`] }],
    [
      '?base=BTC&quote=usd',
      { quote: [`The selected quote is invalid. Did you mean USD? ${CODE} ${COMMAS}`] },
    ],
    ['?base=BTC&quote=USD,', { quote: [`The selected quote is invalid. ${CODE} ${COMMAS}`] }],
    [
      '?base=BTC&quote=USD,%20EUR',
      { quote: [`The selected quote is invalid. Did you mean EUR? ${CODE} ${COMMAS}`] },
    ],
    ['?base=BTC&quote=USD,XXX', { quote: [`The selected quote is invalid. ${CODE} ${COMMAS}`] }],
    ['?base=BTC&quote=USD,EUR,USD', { quote: ['The quote field has a duplicate value.'] }],
    [`?base=BTC&quote=${eleven}`, { quote: ['The quote field must not have more than 10 items.'] }],
    ['?base=BTC&quote=USD&quote=EUR', { quote: ['The quote field must be a single value.'] }],
    ['?base=BTC&base=ETH&quote=USD', { base: ['The base field must be a single value.'] }],
    ['?base[]=BTC&quote=USD', { base: ['The base field must be a single value.'] }],
  ])('refuses %s', async (query, errors) => {
    sources.requests.length = 0;
    const { status, error } = await get(`/api/rates${query}`);
    expect([status, error.code, error.errors]).toEqual([422, 'validation_failed', errors]);
    expect(sources.requests).toEqual([]);
  });
});
