import { ApplicationsApi } from './support/applications-api.js';
import {
  answerWith,
  coinbaseSays,
  type FakeRateSources,
  krakenRefuses,
  krakenSays,
  startFakeRateSources,
} from './support/fake-rate-sources.js';
import { createClientToken } from './support/client-tokens.js';
import { createOwner, type Owner } from './support/principals.js';
import { startTestGateway, type TestGateway } from './support/test-gateway.js';

/** The catalogue through the front door (api.md F3); who is let in is told by tokens-access.e2e-spec.ts. */
const TOKEN = '0x5FbDB2315678afecb367f032d93F642f64180aa3';

let sources: FakeRateSources;
let gateway: TestGateway;
let reader: Owner;

beforeAll(async () => {
  sources = await startFakeRateSources();
  gateway = await startTestGateway({
    // Nobody listens there: the catalogue asks no node.
    CHAIN_ETHEREUM_RPC_URL: 'http://127.0.0.1:9',
    CHAIN_ETHEREUM_CONFIRMATIONS: '7',
    CHAIN_ETHEREUM_TOKENS: `USDT:${TOKEN}:6`,
    RATES_KRAKEN_URL: sources.krakenUrl,
    RATES_COINBASE_URL: sources.coinbaseUrl,
    RATES_TIMEOUT_MS: '2000',
  });
  const merchant = await createOwner(gateway);
  const { id } = await new ApplicationsApi(gateway, merchant).create();
  // A client token outlives the hours that this file's clock jumps over.
  const { token } = await createClientToken(gateway, merchant, id, { scopes: ['payments.get'] });
  reader = { ...merchant, accessToken: token };
});
afterAll(async () => {
  await gateway.close();
  await sources.close();
});

const get = <T>(path: string) => new ApplicationsApi(gateway, reader).call<T>('GET', path);

interface Currency {
  code: string;
  type: string;
  decimals: number;
  enabled: boolean;
  networks: { blockchain: string; enabled: boolean }[];
}
interface Blockchain {
  slug: string;
  chainId: number | null;
  enabled: boolean;
}

describe('GET /api/currencies', () => {
  it('lists every currency, coins first', async () => {
    const { status, data, meta } = await get<Currency[]>('/api/currencies');
    expect([status, meta, data.length]).toEqual([200, undefined, 176]);
    expect(data.slice(0, 12).every(({ type }) => type === 'crypto')).toBe(true);
    expect(data.slice(12).every(({ type }) => type === 'fiat')).toBe(true);
  });

  it.each([
    ['crypto', 12],
    ['fiat', 164],
  ])('leaves the %s ones when asked for them', async (type, count) => {
    const { status, data } = await get<Currency[]>(`/api/currencies?type=${type}`);
    expect([status, data.length]).toEqual([200, count]);
    expect(new Set(data.map((currency) => currency.type))).toEqual(new Set([type]));
  });

  it.each([
    ['', 'The selected type is invalid.'],
    ['Crypto', 'The selected type is invalid.'],
    ['metal', 'The selected type is invalid.'],
    ['crypto&type=fiat', 'The type field must be a single value.'],
  ])('refuses type=%s', async (type, message) => {
    const { status, error } = await get(`/api/currencies?type=${type}`);
    expect(status).toBe(422);
    expect(error).toMatchObject({ code: 'validation_failed', errors: { type: [message] } });
  });

  it('shows a token with its bounds and its networks', async () => {
    const { status, data, text } = await get('/api/currencies/USDT');
    const currency = { code: 'USDT', name: 'Tether USD', decimals: 6 };
    const shown = { currency, decimals: 6, symbol: '₮' };
    expect(status).toBe(200);
    expect(data).toEqual({
      code: 'USDT',
      name: 'Tether USD',
      type: 'crypto',
      decimals: 6,
      symbol: '₮',
      enabled: true,
      minAmount: { value: 0.000001, amount: 1, atomic: '1', formatted: '0.000001 USDT', ...shown },
      maxAmount: {
        value: 1e9,
        amount: 1e15,
        atomic: '1000000000000000',
        formatted: '1000000000.000000 USDT',
        ...shown,
      },
      networks: expect.arrayContaining([
        {
          blockchain: 'ethereum',
          provider: 'ethereum',
          method: 'usdt',
          tokenStandard: 'ERC-20',
          contractAddress: TOKEN,
          decimals: 6,
          enabled: true,
        },
      ]),
    });
    expect(text).toContain('"amount":1000000000000000,');
  });

  it('takes decimals and standard of a token from its network', async () => {
    const { data } = await get<Currency>('/api/currencies/USDT');
    expect(data.networks).toContainEqual({
      blockchain: 'bsc',
      provider: 'bsc',
      method: 'usdt',
      tokenStandard: 'BEP-20',
      contractAddress: '0x55d398326f99059fF775485246999027B3197955',
      decimals: 18,
      enabled: false,
    });
  });

  it('shows a network that nobody watches, never enabled', async () => {
    const { data } = await get<Currency>('/api/currencies/USDT');
    expect(data.networks.at(-1)).toEqual({
      blockchain: 'tron',
      provider: 'tron',
      method: 'usdt',
      tokenStandard: 'TRC-20',
      contractAddress: 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t',
      decimals: 6,
      enabled: false,
    });
  });

  it('shows a coin on every chain that has it', async () => {
    const { data } = await get<Currency>('/api/currencies/ETH');
    const shown = data.networks.map(({ blockchain, enabled }) => [blockchain, enabled]);
    expect(shown).toEqual([
      ['ethereum', true],
      ['arbitrum', false],
      ['base', false],
      ['optimism', false],
    ]);
  });

  it('shows a coin, its bounds digit for digit', async () => {
    const { data, text } = await get<Currency>('/api/currencies/ETH');
    expect(data.networks[0]).toEqual({
      blockchain: 'ethereum',
      provider: 'ethereum',
      method: 'eth',
      tokenStandard: null,
      contractAddress: null,
      decimals: 18,
      enabled: true,
    });
    expect(text).toContain('"amount":1000000000000000000000000000,');
  });

  it('shows a fiat currency: enabled, on no network', async () => {
    const { data } = await get<Currency>('/api/currencies/JPY');
    expect(data).toMatchObject({ code: 'JPY', type: 'fiat', decimals: 0, enabled: true, networks: [] });
  });

  it('calls a coin enabled only where it can be paid', async () => {
    const { data } = await get<Currency[]>('/api/currencies?type=crypto');
    const enabled = data.filter((currency) => currency.enabled);
    expect(enabled.map(({ code }) => code)).toEqual(['ETH', 'USDT']);
    for (const { networks, enabled: usable } of data)
      expect(usable).toBe(networks.some((network) => network.enabled));
  });

  it.each(['usdt', 'XXX', 'XAU', '__proto__', 'USD%20', '%F0%9F%92%B0'])(
    'does not know the code %s',
    async (code) => {
      const { status, error } = await get(`/api/currencies/${code}`);
      expect([status, error.code, error.message]).toEqual([404, 'not_found', 'Currency not found']);
    },
  );
});

describe('GET /api/blockchains', () => {
  const ETHEREUM = {
    slug: 'ethereum',
    name: 'Ethereum',
    nativeCurrencyCode: 'ETH',
    chainId: 1,
    family: 'evm',
    testnet: false,
    enabled: true,
    // As configured, not as the catalogue has it.
    confirmationsRequired: 7,
    averageBlockSeconds: 12,
    addressRegex: '^0x[0-9a-fA-F]{40}$',
    explorerTxUrl: 'https://etherscan.io/tx/{txHash}',
  };

  it('lists every chain, and tells which are watched here', async () => {
    const { status, data, meta } = await get<Blockchain[]>('/api/blockchains');
    expect([status, meta]).toEqual([200, undefined]);
    expect(data[0]).toEqual(ETHEREUM);
    expect(data.filter(({ enabled }) => enabled).map(({ slug }) => slug)).toEqual(['ethereum']);
    for (const chain of data) expect(Object.keys(chain)).toEqual(Object.keys(ETHEREUM));
  });

  it('shows one', async () => {
    const { status, data } = await get('/api/blockchains/ethereum');
    expect([status, data]).toEqual([200, ETHEREUM]);
  });

  it.each([
    [
      'bitcoin',
      'BTC',
      [
        '1LqBGSKuX5yYUonjxT5qGfpUsXKYYWeabA',
        'bc1p5cyxnuxmeuwuvkwfem96lqzszd02n6xdcjrs20cac6yqjjwudpxqkedrcr',
      ],
      ['bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyO', 'ltc1qjmxnz78nmc8nq77wuxh25n2es7rzm5c2rkk4wh', '0x00'],
    ],
    [
      'litecoin',
      'LTC',
      ['ltc1qjmxnz78nmc8nq77wuxh25n2es7rzm5c2rkk4wh'],
      ['bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu'],
    ],
  ])('shows %s, which has no chain id, and how its addresses look', async (slug, coin, good, bad) => {
    const { data } = await get<Blockchain & { addressRegex: string }>(`/api/blockchains/${slug}`);
    expect(data).toMatchObject({ chainId: null, family: slug, nativeCurrencyCode: coin, testnet: false });
    const regex = new RegExp(data.addressRegex);
    expect(good.filter((address) => !regex.test(address))).toEqual([]);
    expect(bad.filter((address) => regex.test(address))).toEqual([]);
  });

  it('shows a development chain as what it is', async () => {
    const other = await startTestGateway({
      CHAIN_BASE_RPC_URL: 'http://127.0.0.1:9',
      CHAIN_BASE_CHAIN_ID: '31337',
    });
    const token = (await createOwner(other)).accessToken;
    const api = new ApplicationsApi(other, { ...reader, accessToken: token });
    const [chain, usdc] = [
      await api.call<Blockchain>('GET', '/api/blockchains/base'),
      await api.call<Currency>('GET', '/api/currencies/USDC'),
    ];
    await other.close();
    expect(chain.data).toMatchObject({ chainId: 31337, testnet: true, enabled: true, explorerTxUrl: null });
    // The built-in contracts are those of the real network.
    expect(usdc.data.networks.some(({ blockchain }) => blockchain === 'base')).toBe(false);
  });

  it.each(['Ethereum', 'moon', 'constructor', '1'])('does not know the slug %s', async (slug) => {
    const { status, error } = await get(`/api/blockchains/${slug}`);
    expect([status, error.code, error.message]).toEqual([404, 'not_found', 'Blockchain not found']);
  });

  it('names every network of every currency', async () => {
    const [chains, currencies] = [
      await get<Blockchain[]>('/api/blockchains'),
      await get<Currency[]>('/api/currencies'),
    ];
    const slugs = chains.data.map(({ slug }) => slug);
    const named = currencies.data.flatMap(({ networks }) => networks.map(({ blockchain }) => blockchain));
    // And Tron, which is shown and not watched.
    expect(new Set(named)).toEqual(new Set([...slugs, 'tron']));
  });
});

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

  it('answers exact decimals with source and time, in the order that was asked', async () => {
    const { status, data, text } = await get('/api/rates?base=BTC&quote=USD,EUR');
    expect(status).toBe(200);
    const common = { base: 'BTC', source: 'median(kraken,coinbase)', fetchedAt: now(), stale: false };
    expect(data).toEqual([
      { ...common, quote: 'USD', value: '64321.12' },
      { ...common, quote: 'EUR', value: '59000.2' },
    ]);
    expect(text).toContain('"value":"64321.12"');
  });

  it('names the one source that answered', async () => {
    sources.coinbase = coinbaseSays('{}');
    const { data } = await get('/api/rates?base=BTC&quote=USD');
    expect(data).toEqual([
      { base: 'BTC', quote: 'USD', value: '64321', source: 'kraken', fetchedAt: now(), stale: false },
    ]);
  });

  it('keeps the time of the price when the sources fall silent, and stops after ten minutes', async () => {
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

  it('knows the rate of a currency in itself without asking', async () => {
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

  it('answers all pairs or none, and names the missing ones', async () => {
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
    ['?base=btc&quote=USD', { base: ['The selected base is invalid.'] }],
    ['?base=&quote=USD', { base: ['The selected base is invalid.'] }],
    ['?base=BTC&quote=', { quote: ['The selected quote is invalid.'] }],
    ['?base=BTC&quote=usd', { quote: ['The selected quote is invalid.'] }],
    ['?base=BTC&quote=USD,', { quote: ['The selected quote is invalid.'] }],
    ['?base=BTC&quote=USD,%20EUR', { quote: ['The selected quote is invalid.'] }],
    ['?base=BTC&quote=USD,XXX', { quote: ['The selected quote is invalid.'] }],
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
