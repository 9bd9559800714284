import { ApplicationsApi } from './support/applications-api.js';
import { openCatalogHarness } from './support/catalog-harness.js';
import { createOwner, type Owner } from './support/principals.js';
import { startTestGateway, type TestGateway } from './support/test-gateway.js';

/**
 * The catalog, end to end (specification/catalog.md#currencies); access is tested in tokens-access.e2e-spec.ts.
 */
const TOKEN = '0x5FbDB2315678afecb367f032d93F642f64180aa3';

let gateway: TestGateway;
let reader: Owner;
let close: () => Promise<void>;

beforeAll(async () => {
  ({ gateway, reader, close } = await openCatalogHarness({
    CHAIN_ETHEREUM_CONFIRMATIONS: '7',
    CHAIN_ETHEREUM_TOKENS: `USDT:${TOKEN}:6`,
  }));
});
afterAll(() => close());

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
  ])('returns only the %s ones with the type filter', async (type, count) => {
    const { status, data } = await get<Currency[]>(`/api/currencies?type=${type}`);
    expect([status, data.length]).toEqual([200, count]);
    expect(new Set(data.map((currency) => currency.type))).toEqual(new Set([type]));
  });

  it.each([
    ['', 'The selected type is invalid. It must be one of crypto, fiat.'],
    ['Crypto', 'The selected type is invalid. Did you mean crypto? It must be one of crypto, fiat.'],
    ['metal', 'The selected type is invalid. It must be one of crypto, fiat.'],
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
          floor: expect.objectContaining({ atomic: '100000' }),
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
      floor: expect.objectContaining({ atomic: '10000000000000000' }),
      enabled: false,
    });
  });

  it('spells contracts as each chain does', async () => {
    const { data } = await get<Currency>('/api/currencies/USDT');
    expect(data.networks.at(-1)).toEqual({
      blockchain: 'tron',
      provider: 'tron',
      method: 'usdt',
      tokenStandard: 'TRC-20',
      contractAddress: 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t',
      decimals: 6,
      floor: expect.objectContaining({ atomic: '1000000' }),
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

  it('shows a coin with exact bounds', async () => {
    const { data, text } = await get<Currency>('/api/currencies/ETH');
    expect(data.networks[0]).toEqual({
      blockchain: 'ethereum',
      provider: 'ethereum',
      method: 'eth',
      tokenStandard: null,
      contractAddress: null,
      decimals: 18,
      floor: expect.objectContaining({ atomic: '30000000000000' }),
      enabled: true,
    });
    expect(text).toContain('"amount":1000000000000000000000000000,');
  });

  it('shows a fiat currency as enabled, without networks', async () => {
    const { data } = await get<Currency>('/api/currencies/JPY');
    expect(data).toMatchObject({ code: 'JPY', type: 'fiat', decimals: 0, enabled: true, networks: [] });
  });

  it('marks a coin as enabled only where it can be paid', async () => {
    const { data } = await get<Currency[]>('/api/currencies?type=crypto');
    const enabled = data.filter((currency) => currency.enabled);
    expect(enabled.map(({ code }) => code)).toEqual(['ETH', 'USDT']);
    for (const { networks, enabled: usable } of data)
      expect(usable).toBe(networks.some((network) => network.enabled));
  });

  it.each(['usdt', 'XXX', 'XAU', '__proto__', 'USD%20', '%F0%9F%92%B0'])(
    'returns 404 for the code %s',
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
    state: { status: 'OPERATIONAL', since: null, reason: null, catchUp: null, acceptsPayments: true },
    // As configured, not as the catalog has it.
    confirmationsRequired: 7,
    confirmationTiers: [],
    confirmationBounds: { min: 7, max: 128 },
    averageBlockSeconds: 12,
    addressRegex: '^0x[0-9a-fA-F]{40}$',
    explorerTxUrl: 'https://etherscan.io/tx/{txHash}',
  };

  it('lists every chain, and which of them this gateway watches', async () => {
    const { status, data, meta } = await get<Blockchain[]>('/api/blockchains');
    expect([status, meta]).toEqual([200, undefined]);
    expect(data[0]).toEqual(ETHEREUM);
    expect(data.filter(({ enabled }) => enabled).map(({ slug }) => slug)).toEqual(['ethereum']);
    for (const chain of data) expect(Object.keys(chain)).toEqual(Object.keys(ETHEREUM));
  });

  it('says since when and why payments are not seen, without the message of the node', async () => {
    const since = new Date(Math.floor(gateway.clock.now().getTime() / 1000) * 1000 - 60_000);
    await gateway.sql.query(
      `insert into chain_conditions (chain, checked_at, trouble, trouble_since) values ('ethereum', $1, $2, $1)`,
      [since, 'http://127.0.0.1:9/a-key-in-the-path: connection refused'],
    );
    const { data, text } = await get<Blockchain & { state: { since: string } | null }>(
      '/api/blockchains/ethereum',
    );
    const listed = await get<(Blockchain & { state: unknown })[]>('/api/blockchains');
    await gateway.sql.query(`delete from chain_conditions where chain = 'ethereum'`);
    expect(data.state).toEqual({
      status: 'UNAVAILABLE',
      since: expect.any(String),
      reason: 'The gateway cannot read this network. It catches up once it can.',
      catchUp: null,
      acceptsPayments: false,
    });
    expect(new Date(data.state?.since ?? 0)).toEqual(since);
    expect(text).not.toContain('a-key-in-the-path');
    expect(listed.data[0]?.state).toEqual(data.state);
    expect(listed.data.filter(({ state }) => state !== null)).toHaveLength(1);
  });

  it('shows the confirmation tiers of large amounts', async () => {
    const { data } = await get<Blockchain & { confirmationTiers: unknown }>('/api/blockchains/bitcoin');
    expect(data).toMatchObject({ confirmationsRequired: 2, confirmationBounds: { min: 2, max: 144 } });
    expect(data.confirmationTiers).toMatchObject([
      { currencyCode: 'BTC', amount: { atomic: '100000000', decimals: 8 }, confirmations: 3 },
      { currencyCode: 'BTC', amount: { atomic: '1000000000', decimals: 8 }, confirmations: 6 },
    ]);
  });

  it('returns one blockchain by its slug', async () => {
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
    [
      'dogecoin',
      'DOGE',
      ['DBus3bamQjgJULBJtYXpEzDWQRwF5iwxgC'],
      [
        'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu',
        'bitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a',
      ],
    ],
    [
      'bitcoincash',
      'BCH',
      [
        'bitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a',
        'qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a',
        'bitcoincash:pvch8mmxy0rtfrlarg7ucrxxfzds5pamg73h7370aa87d80gyhqxq5nlegake',
      ],
      ['1LqBGSKuX5yYUonjxT5qGfpUsXKYYWeabA', 'bchtest:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a'],
    ],
  ])('shows %s without a chain id, with its address format', async (slug, coin, good, bad) => {
    const { data } = await get<Blockchain & { addressRegex: string }>(`/api/blockchains/${slug}`);
    expect(data).toMatchObject({ chainId: null, family: slug, nativeCurrencyCode: coin, testnet: false });
    const regex = new RegExp(data.addressRegex);
    expect(good.filter((address) => !regex.test(address))).toEqual([]);
    expect(bad.filter((address) => regex.test(address))).toEqual([]);
  });

  it('marks a development chain as such', async () => {
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

  it.each(['Ethereum', 'moon', 'constructor', '1'])('returns 404 for the slug %s', async (slug) => {
    const { status, error } = await get(`/api/blockchains/${slug}`);
    expect([status, error.code, error.message]).toEqual([404, 'not_found', 'Blockchain not found']);
  });

  it('includes every network of every currency', async () => {
    const [chains, currencies] = [
      await get<Blockchain[]>('/api/blockchains'),
      await get<Currency[]>('/api/currencies'),
    ];
    const slugs = chains.data.map(({ slug }) => slug);
    const named = currencies.data.flatMap(({ networks }) => networks.map(({ blockchain }) => blockchain));
    expect(new Set(named)).toEqual(new Set(slugs));
  });
});
