import { type ChainConfig, loadConfig } from '../config.js';
import { CHAIN_CATALOGUE } from './chain-catalogue.js';
import { registerChains } from './chain-registry.js';

const TOKEN = '0x5FbDB2315678afecb367f032d93F642f64180aa3';
const REQUIRED = {
  DATABASE_URL: 'postgres://unused',
  APP_KEYS: `t1:${Buffer.from('0123456789abcdefghijklmnopqrstuv').toString('base64')}`,
  CHECKOUT_SIGNING_KEY: 'test-checkout-signing-key-with-enough-length',
};
const register = (...configured: ChainConfig[]) => registerChains(configured, CHAIN_CATALOGUE);
const ethereum = (changes: Partial<ChainConfig> = {}): ChainConfig => ({
  slug: 'ethereum',
  rpcUrls: ['http://127.0.0.1:8545'],
  ...changes,
});

describe('registerChains', () => {
  it('takes a chain as the catalogue has it', () => {
    expect(register(ethereum())).toEqual([CHAIN_CATALOGUE[0]]);
    expect(register(ethereum({ chainId: 1 }))).toEqual([CHAIN_CATALOGUE[0]]);
  });

  it.each(CHAIN_CATALOGUE.map((chain) => [chain.slug, chain] as const))(
    'takes %s by its variable alone',
    (slug, chain) => {
      const variable = `CHAIN_${slug.toUpperCase().replaceAll('-', '_')}_RPC_URL`;
      const { chains } = loadConfig({ ...REQUIRED, [variable]: 'http://127.0.0.1:8545' });
      expect(register(...chains)).toEqual([chain]);
    },
  );

  it('takes all chains side by side', () => {
    const chains = CHAIN_CATALOGUE.map(({ slug }) => ethereum({ slug }));
    expect(register(...chains)).toEqual(CHAIN_CATALOGUE);
  });

  it('calls configured tokens as the chain calls its own', () => {
    const tokens = [{ code: 'USDC', contract: TOKEN, decimals: 18 }];
    const [chain] = register(ethereum({ slug: 'bsc', tokens }));
    expect(chain?.assets.map(({ tokenStandard }) => tokenStandard)).toEqual([null, 'BEP-20']);
  });

  it('watches nothing without configuration', () => {
    expect(register()).toEqual([]);
  });

  it('lets configured tokens and confirmations take the place of the catalogue’s', () => {
    const tokens = [{ code: 'USDT', contract: TOKEN, decimals: 18 }];
    const [chain] = register(ethereum({ tokens, confirmations: 3 }));
    expect(chain?.confirmationsRequired).toBe(3);
    expect(chain?.assets).toEqual([
      { asset: 'native', currencyCode: 'ETH', decimals: 18, tokenStandard: null },
      { asset: TOKEN.toLowerCase(), currencyCode: 'USDT', decimals: 18, tokenStandard: 'ERC-20' },
    ]);
  });

  it('counts the amounts that need two words in smallest units, of the tokens that count', () => {
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
    expect(register(ethereum({ agreeFrom: [] }))).toEqual([CHAIN_CATALOGUE[0]]);
  });

  it('settles by finality where that is wanted, and tells how long it usually takes', () => {
    const [byDepth] = register(ethereum({ finality: 'depth' }));
    expect(byDepth).toMatchObject({ finality: 'depth', confirmationsRequired: 12 });
    const [final] = register(ethereum({ finality: 'finalized' }));
    expect(final).toMatchObject({ finality: 'finalized', confirmationsRequired: 96 });
    const [told] = register(ethereum({ finality: 'finalized', confirmations: 70 }));
    expect(told?.confirmationsRequired).toBe(70);
    const [fast] = register(ethereum({ slug: 'bsc', finality: 'finalized' }));
    expect(fast?.confirmationsRequired).toBe(15);
  });

  const bitcoin = (changes: Partial<ChainConfig> = {}): ChainConfig => ({
    slug: 'bitcoin',
    rpcUrls: ['http://127.0.0.1:8332'],
    ...changes,
  });

  it('takes a chain of Bitcoin’s kind on its main network, or on another without an explorer', () => {
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

  it('knows no contracts and no explorer of another network', () => {
    const [chain] = register(ethereum({ chainId: 31_337 }));
    expect(chain).toMatchObject({ chainId: 31_337, testnet: true, explorerTxUrl: null });
    expect(chain?.assets.map(({ asset }) => asset)).toEqual(['native']);
  });

  it.each<[string, ChainConfig, string]>([
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
      'an amount with more places than the token has',
      ethereum({ agreeFrom: [{ code: 'USDT', amount: '1.0000001' }] }),
      'CHAIN_ETHEREUM_AGREE_FROM: USDT has 6 decimals here',
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
      'a network where the chain id tells',
      ethereum({ network: 'testnet' }),
      'CHAIN_ETHEREUM_NETWORK: networks of EVM chains differ by CHAIN_ID',
    ],
    [
      'a chain id where there is none',
      { slug: 'bitcoin', rpcUrls: ['http://127.0.0.1:8332'], chainId: 1 },
      'CHAIN_BITCOIN_CHAIN_ID: Bitcoin has none',
    ],
    [
      'tokens where there are none',
      { slug: 'litecoin', rpcUrls: ['http://127.0.0.1:9332'], tokens: [] },
      'CHAIN_LITECOIN_TOKENS: Litecoin has none',
    ],
    [
      'several nodes where one is read',
      { slug: 'litecoin', rpcUrls: ['http://127.0.0.1:9332', 'http://127.0.0.1:9333'] },
      'CHAIN_LITECOIN_RPC_URL: Litecoin is read through one node',
    ],
    [
      'an agreement where there is one node',
      { slug: 'litecoin', rpcUrls: ['http://127.0.0.1:9332'], agreeFrom: [{ code: 'LTC', amount: '1' }] },
      'CHAIN_LITECOIN_AGREE_FROM: Litecoin is read through one node',
    ],
    [
      'finality where there is none',
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
  ])('refuses %s', (_what, entry, message) => {
    expect(() => register(entry)).toThrow(message);
  });

  it('names all problems at once', () => {
    const tokens = [{ code: 'NOPE', contract: TOKEN, decimals: 6 }];
    expect(() => register(ethereum({ slug: 'moon' }), ethereum({ tokens }))).toThrow('2 problem(s)');
  });
});
