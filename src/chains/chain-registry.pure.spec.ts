import type { ChainConfig } from '../config-chains.js';
import { loadConfig } from '../config.js';
import { CHAIN_CATALOG } from './chain-catalog.pure.js';
import { registerChains } from './chain-registry.pure.js';

const TOKEN = '0x5FbDB2315678afecb367f032d93F642f64180aa3';
const REQUIRED = {
  DATABASE_URL: 'postgres://unused',
  APP_KEYS: `t1:${Buffer.from('0123456789abcdefghijklmnopqrstuv').toString('base64')}`,
  CHECKOUT_SIGNING_KEY: 'test-checkout-signing-key-with-enough-length',
};
const register = (...configured: ChainConfig[]) => registerChains(configured, CHAIN_CATALOG);
const ethereum = (changes: Partial<ChainConfig> = {}): ChainConfig => ({
  slug: 'ethereum',
  rpcUrls: ['http://127.0.0.1:8545'],
  ...changes,
});

describe('registerChains', () => {
  it('registers a chain as the catalog describes it', () => {
    expect(register(ethereum({ proveFrom: [] }))).toEqual([CHAIN_CATALOG[0]]);
    expect(register(ethereum({ chainId: 1, proveFrom: [] }))).toEqual([CHAIN_CATALOG[0]]);
  });

  it.each(CHAIN_CATALOG.map((chain) => [chain.slug, chain] as const))(
    'registers %s when only its variable is set',
    (slug, chain) => {
      const variable = `CHAIN_${slug.toUpperCase().replaceAll('-', '_')}_RPC_URL`;
      const { chains } = loadConfig({ ...REQUIRED, [variable]: 'http://127.0.0.1:8545' });
      expect(register(...chains)).toEqual([
        chain.provable ? { ...chain, proveFrom: expect.any(Map) } : chain,
      ]);
    },
  );

  it('registers several chains', () => {
    const chains = CHAIN_CATALOG.map(({ slug }) => ethereum({ slug, proveFrom: [] }));
    expect(register(...chains)).toEqual(CHAIN_CATALOG);
  });

  it('gives configured tokens the token standard of the chain', () => {
    const tokens = [{ code: 'USDC', contract: TOKEN, decimals: 18 }];
    const [chain] = register(ethereum({ slug: 'bsc', tokens }));
    expect(chain?.assets.map(({ tokenStandard }) => tokenStandard)).toEqual([null, 'BEP-20']);
  });

  it('registers no chain without configuration', () => {
    expect(register()).toEqual([]);
  });

  it('replaces tokens and confirmations of the catalog with configured ones', () => {
    const tokens = [{ code: 'USDT', contract: TOKEN, decimals: 18 }];
    const [chain] = register(ethereum({ tokens, confirmations: 3 }));
    expect(chain?.confirmationsRequired).toBe(3);
    expect(chain?.assets).toEqual([
      { asset: 'native', currencyCode: 'ETH', decimals: 18, tokenStandard: null },
      { asset: TOKEN.toLowerCase(), currencyCode: 'USDT', decimals: 18, tokenStandard: 'ERC-20' },
    ]);
  });

  it('converts amounts that need two endpoints to the smallest unit of each token', () => {
    const tokens = [{ code: 'USDT', contract: TOKEN, decimals: 6 }];
    const agreeFrom = [
      { code: 'ETH', amount: '0.5' },
      { code: 'USDT', amount: '1000.000001' },
    ];
    const [chain] = register(ethereum({ tokens, agreeFrom }));
    expect([...(chain?.agreeFrom ?? [])]).toEqual([
      ['native', 5n * 10n ** 17n],
      [TOKEN.toLowerCase(), 1_000_000_001n],
    ]);
    expect(register(ethereum({ agreeFrom: [], proveFrom: [] }))).toEqual([CHAIN_CATALOG[0]]);
  });

  const bitcoin = (changes: Partial<ChainConfig> = {}): ChainConfig => ({
    slug: 'bitcoin',
    rpcUrls: ['http://127.0.0.1:8332'],
    ...changes,
  });

  it('registers a UTXO chain read through an Esplora endpoint', () => {
    const esploraUrl = 'http://127.0.0.1:3000';
    expect(register(bitcoin({ rpcUrls: [], esploraUrl }))).toEqual(register(bitcoin()));
  });

  it('requires proof of work on main networks, and elsewhere where configured', () => {
    const least = (changes: Partial<ChainConfig>) => register(bitcoin(changes))[0]?.minDifficulty;
    expect(least({})).toBe(10e12);
    expect(least({ minDifficulty: 50e12 })).toBe(50e12);
    expect(least({ minDifficulty: 0 })).toBe(0);
    expect(least({ network: 'testnet' })).toBeUndefined();
    expect(least({ network: 'regtest', minDifficulty: 4e-10 })).toBe(4e-10);
    const asking = CHAIN_CATALOG.filter(({ minDifficulty }) => minDifficulty !== undefined);
    expect(asking.map(({ slug }) => slug).toSorted()).toEqual([
      'bitcoin',
      'bitcoincash',
      'dogecoin',
      'litecoin',
    ]);
  });

  it('registers a UTXO chain on its main network, or on another one without an explorer', () => {
    expect(register(bitcoin())[0]).toMatchObject({ network: 'mainnet', testnet: false, chainId: null });
    expect(register(bitcoin({ network: 'mainnet' }))).toEqual(register(bitcoin()));
    expect(register(bitcoin({ network: 'regtest', confirmations: 1 }))[0]).toMatchObject({
      network: 'regtest',
      testnet: true,
      explorerTxUrl: null,
      confirmationsRequired: 1,
      assets: [{ asset: 'native', currencyCode: 'BTC', decimals: 8 }],
    });
  });

  const tron = (changes: Partial<ChainConfig> = {}): ChainConfig => ({
    slug: 'tron',
    rpcUrls: ['http://127.0.0.1:8090'],
    ...changes,
  });
  /** USDC on Tron, which Circle no longer mints. */
  const TRON_USDC = 'TEkxiTehnzSmSe2XqrBj4w32RUN966rdz8';

  it('registers Tron with finality, on its main network or a test network, with an API key', () => {
    expect(register(tron({ apiKey: 'k' }))[0]).toMatchObject({
      network: 'mainnet',
      finality: 'finalized',
      confirmationsRequired: 20,
      assets: [
        { asset: 'native', currencyCode: 'TRX', decimals: 6 },
        {
          asset: '0xa614f803b6fd780986a42c78ec9c7f77e6ded13c',
          currencyCode: 'USDT',
          tokenStandard: 'TRC-20',
        },
      ],
    });
    expect(register(tron({ network: 'nile', finality: 'depth' }))[0]).toMatchObject({
      network: 'nile',
      testnet: true,
      explorerTxUrl: null,
      finality: 'depth',
      assets: [{ asset: 'native' }],
    });
  });

  it('registers USDC on Tron when the operator lists it', () => {
    const tokens = [{ code: 'USDC', contract: TRON_USDC, decimals: 6 }];
    expect(register(tron({ tokens }))[0]?.assets.at(-1)).toEqual({
      asset: '0x3487b63d30b5b2c87fb7ffa8bcfade38eaac1abe',
      currencyCode: 'USDC',
      decimals: 6,
      tokenStandard: 'TRC-20',
    });
  });

  it('drops contracts and explorer on another network', () => {
    const [chain] = register(ethereum({ chainId: 31_337 }));
    expect(chain).toMatchObject({ chainId: 31_337, testnet: true, explorerTxUrl: null });
    expect(chain?.assets.map(({ asset }) => asset)).toEqual(['native']);
  });

  const tiers = [{ code: 'BTC', amount: '1', required: 20 }];
  it.each<[string, ChainConfig, string]>([
    [
      'a tier for a coin that the chain does not have',
      ethereum({ confirmations: 12, confirmationTiers: tiers }),
      'CHAIN_ETHEREUM_CONFIRMATIONS: the chain has no BTC',
    ],
    [
      'a tier that requires no more than ordinary amounts',
      bitcoin({ confirmations: 20, confirmationTiers: tiers }),
      'CHAIN_BITCOIN_CONFIRMATIONS: a larger amount of BTC must need more',
    ],
    [
      'tiers on a chain settled by finality',
      ethereum({ finality: 'finalized', confirmations: 12, confirmationTiers: tiers }),
      'CHAIN_ETHEREUM_CONFIRMATIONS: with FINALITY=finalized every amount waits until it is final',
    ],
    [
      'bounds on a chain settled by finality',
      ethereum({ finality: 'finalized', confirmationsMax: 12 }),
      'CHAIN_ETHEREUM_CONFIRMATIONS_MAX: with FINALITY=finalized every amount waits until it is final',
    ],
    [
      'a lower bound above the number of confirmations',
      ethereum({ confirmationsMin: 13 }),
      "CHAIN_ETHEREUM_CONFIRMATIONS_MIN: must not be above 12, the chain's own number",
    ],
    [
      'an upper bound below the number of confirmations',
      ethereum({ confirmationsMax: 11 }),
      "CHAIN_ETHEREUM_CONFIRMATIONS_MAX: must not be below 12, the chain's own number",
    ],
    [
      'an unknown chain',
      ethereum({ slug: 'my-chain' }),
      'CHAIN_MY_CHAIN_RPC_URL: the chain "my-chain" is unknown',
    ],
    [
      'an unknown token',
      ethereum({ tokens: [{ code: 'NOPE', contract: TOKEN, decimals: 6 }] }),
      'CHAIN_ETHEREUM_TOKENS: the currency "NOPE" is unknown',
    ],
    [
      'a fiat currency for a token',
      ethereum({ tokens: [{ code: 'USD', contract: TOKEN, decimals: 2 }] }),
      'CHAIN_ETHEREUM_TOKENS: the currency "USD" is unknown',
    ],
    [
      'a code given twice',
      ethereum({
        tokens: [
          { code: 'USDT', contract: TOKEN, decimals: 6 },
          { code: 'USDT', contract: `0x${'1'.repeat(40)}`, decimals: 6 },
        ],
      }),
      'CHAIN_ETHEREUM_TOKENS: USDT is listed twice',
    ],
    [
      'a contract given twice',
      ethereum({
        tokens: [
          { code: 'USDT', contract: TOKEN, decimals: 6 },
          { code: 'USDC', contract: TOKEN.toLowerCase(), decimals: 6 },
        ],
      }),
      `CHAIN_ETHEREUM_TOKENS: ${TOKEN.toLowerCase()} is listed twice`,
    ],
    [
      'an amount of a coin that the chain does not have',
      ethereum({ agreeFrom: [{ code: 'BTC', amount: '1' }] }),
      'CHAIN_ETHEREUM_AGREE_FROM: the chain has no BTC',
    ],
    [
      'an amount of a token that is not listed',
      ethereum({ chainId: 31_337, agreeFrom: [{ code: 'USDT', amount: '1' }] }),
      'CHAIN_ETHEREUM_AGREE_FROM: the chain has no USDT',
    ],
    [
      'an amount with more decimals than the token has',
      ethereum({ agreeFrom: [{ code: 'USDT', amount: '1.0000001' }] }),
      'CHAIN_ETHEREUM_AGREE_FROM: USDT has 6 decimals here',
    ],
    [
      'an amount to prove of a coin that the chain does not have',
      ethereum({ proveFrom: [{ code: 'BTC', amount: '1' }] }),
      'CHAIN_ETHEREUM_PROVE_FROM: the chain has no BTC',
    ],
    [
      'an amount to prove on a chain whose blocks cannot be proven',
      ethereum({ slug: 'avalanche', proveFrom: [{ code: 'AVAX', amount: '1' }] }),
      'CHAIN_AVALANCHE_PROVE_FROM: blocks of Avalanche C-Chain cannot be proven',
    ],
    [
      'an amount to prove on a UTXO chain',
      { slug: 'litecoin', rpcUrls: ['http://127.0.0.1:9332'], proveFrom: [{ code: 'LTC', amount: '1' }] },
      'CHAIN_LITECOIN_PROVE_FROM: blocks of Litecoin cannot be proven',
    ],
    [
      'two amounts of a coin',
      ethereum({
        agreeFrom: [
          { code: 'ETH', amount: '1' },
          { code: 'ETH', amount: '2' },
        ],
      }),
      'CHAIN_ETHEREUM_AGREE_FROM: ETH is listed twice',
    ],
    [
      'a network name on an EVM chain',
      ethereum({ network: 'testnet' }),
      'CHAIN_ETHEREUM_NETWORK: networks of EVM chains differ by CHAIN_ID',
    ],
    [
      'an Esplora endpoint for an EVM chain',
      ethereum({ rpcUrls: [], esploraUrl: 'http://127.0.0.1:3000' }),
      'CHAIN_ETHEREUM_ESPLORA_URL: Ethereum is read by RPC_URL',
    ],
    [
      'an Esplora endpoint for Tron',
      tron({ rpcUrls: [], esploraUrl: 'http://127.0.0.1:3000' }),
      'CHAIN_TRON_ESPLORA_URL: Tron is read by RPC_URL',
    ],
    [
      'another family’s network',
      bitcoin({ network: 'nile' }),
      'CHAIN_BITCOIN_NETWORK: Bitcoin has mainnet, testnet, regtest, testnet4, signet',
    ],
    [
      'a network of Bitcoin on Litecoin',
      { slug: 'litecoin', rpcUrls: ['http://127.0.0.1:9332'], network: 'signet' },
      'CHAIN_LITECOIN_NETWORK: Litecoin has mainnet, testnet, regtest',
    ],
    [
      'another family’s network on Tron',
      tron({ network: 'regtest' }),
      'CHAIN_TRON_NETWORK: Tron has mainnet, nile and shasta',
    ],
    ['a chain id of Tron', tron({ chainId: 728_126_428 }), 'CHAIN_TRON_CHAIN_ID: Tron has none'],
    [
      'an API key for an EVM chain',
      ethereum({ apiKey: 'secret' }),
      'CHAIN_ETHEREUM_API_KEY: nodes of Ethereum take no such header',
    ],
    [
      'an API key for Bitcoin',
      bitcoin({ apiKey: 'secret' }),
      'CHAIN_BITCOIN_API_KEY: nodes of Bitcoin take no such header',
    ],
    [
      'a minimum difficulty on Ethereum',
      ethereum({ minDifficulty: 1 }),
      'CHAIN_ETHEREUM_MIN_DIFFICULTY: blocks of Ethereum hold no work of their own',
    ],
    [
      'a minimum difficulty on Tron',
      tron({ minDifficulty: 1 }),
      'CHAIN_TRON_MIN_DIFFICULTY: blocks of Tron hold no work of their own',
    ],
    [
      'several nodes of Tron',
      tron({ rpcUrls: ['http://127.0.0.1:8090', 'http://127.0.0.1:8091'] }),
      'CHAIN_TRON_RPC_URL: Tron is read through one node',
    ],
    [
      'a contract of EVM chains on Tron',
      tron({ tokens: [{ code: 'USDT', contract: TOKEN, decimals: 6 }] }),
      `CHAIN_TRON_TOKENS: ${TOKEN} is not a contract of Tron`,
    ],
    [
      'a mistyped contract of Tron',
      tron({ tokens: [{ code: 'USDC', contract: TRON_USDC.replace('hn', 'hm'), decimals: 6 }] }),
      'is not a contract of Tron',
    ],
    [
      'a contract of Tron on EVM chains',
      ethereum({ tokens: [{ code: 'USDC', contract: TRON_USDC, decimals: 6 }] }),
      `CHAIN_ETHEREUM_TOKENS: ${TRON_USDC} is not a contract of Ethereum`,
    ],
    [
      'a chain id for Bitcoin',
      { slug: 'bitcoin', rpcUrls: ['http://127.0.0.1:8332'], chainId: 1 },
      'CHAIN_BITCOIN_CHAIN_ID: Bitcoin has none',
    ],
    [
      'tokens on a UTXO chain',
      { slug: 'litecoin', rpcUrls: ['http://127.0.0.1:9332'], tokens: [] },
      'CHAIN_LITECOIN_TOKENS: Litecoin has none',
    ],
    [
      'several nodes of a UTXO chain',
      { slug: 'litecoin', rpcUrls: ['http://127.0.0.1:9332', 'http://127.0.0.1:9333'] },
      'CHAIN_LITECOIN_RPC_URL: Litecoin is read through one node',
    ],
    [
      'an amount that needs two endpoints on a UTXO chain',
      { slug: 'litecoin', rpcUrls: ['http://127.0.0.1:9332'], agreeFrom: [{ code: 'LTC', amount: '1' }] },
      'CHAIN_LITECOIN_AGREE_FROM: Litecoin is read through one node',
    ],
    [
      'finality on a UTXO chain',
      { slug: 'litecoin', rpcUrls: ['http://127.0.0.1:9332'], finality: 'finalized' },
      'CHAIN_LITECOIN_FINALITY: Litecoin is settled by depth',
    ],
    [
      'impossible decimals',
      ethereum({ tokens: [{ code: 'USDT', contract: TOKEN, decimals: 77 }] }),
      'CHAIN_ETHEREUM_TOKENS: USDT cannot have 77 decimals',
    ],
    [
      'a token under the native coin’s code',
      ethereum({ tokens: [{ code: 'ETH', contract: TOKEN, decimals: 18 }] }),
      'CHAIN_ETHEREUM_TOKENS: ETH is the native coin',
    ],
  ])('rejects %s', (_what, entry, message) => {
    expect(() => register(entry)).toThrow(message);
  });

  it('reports all problems at once', () => {
    const tokens = [{ code: 'NOPE', contract: TOKEN, decimals: 6 }];
    expect(() => register(ethereum({ slug: 'moon' }), ethereum({ tokens }))).toThrow('2 problem(s)');
  });
});
