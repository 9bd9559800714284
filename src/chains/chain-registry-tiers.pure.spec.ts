import type { ChainConfig } from '../config-chains.js';
import { CHAIN_CATALOG } from './chain-catalog.pure.js';
import { registerChains } from './chain-registry.pure.js';

const TOKEN = '0x5FbDB2315678afecb367f032d93F642f64180aa3';
const register = (...configured: ChainConfig[]) => registerChains(configured, CHAIN_CATALOG);
const of = (slug: string, changes: Partial<ChainConfig> = {}): ChainConfig => ({
  slug,
  rpcUrls: ['http://127.0.0.1:8545'],
  ...changes,
});

describe('what transfers wait for', () => {
  it('settles by finality where configured, with the usual wait in blocks', () => {
    const [byDepth] = register(of('ethereum', { finality: 'depth' }));
    expect(byDepth).toMatchObject({ finality: 'depth', confirmationsRequired: 12 });
    const [final] = register(of('ethereum', { finality: 'finalized' }));
    expect(final).toMatchObject({ finality: 'finalized', confirmationsRequired: 96 });
    const [explicit] = register(of('ethereum', { finality: 'finalized', confirmations: 70 }));
    expect(explicit?.confirmationsRequired).toBe(70);
    const [fast] = register(of('bsc', { finality: 'finalized' }));
    expect(fast).toMatchObject({ confirmationsRequired: 3, requiredTags: ['finalized'] });
  });

  it('uses configured tiers, and drops the default ones for a configured number', () => {
    const tiers = [
      { code: 'USDC', amount: '1000', required: 20 },
      { code: 'USDC', amount: '5000', required: 'finalized' as const },
    ];
    const [tiered] = register(of('ethereum', { confirmations: 12, confirmationTiers: tiers }));
    const usdc = tiered?.assets.find(({ currencyCode }) => currencyCode === 'USDC');
    expect([...(tiered?.confirmationTiers ?? [])]).toEqual([
      [
        usdc?.asset,
        [
          { from: 1_000_000_000n, confirmations: 20, finality: null },
          { from: 5_000_000_000n, confirmations: 20, finality: 'finalized' },
        ],
      ],
    ]);
    // Default tiers fall back to a number of blocks where no node has the tag.
    expect(tiered?.requiredTags).toEqual(['finalized']);
    expect(register(of('ethereum'))[0]).not.toHaveProperty('requiredTags');
    expect(register(of('ethereum', { confirmations: 12 }))[0]).not.toHaveProperty('confirmationTiers');
    expect(register(of('ethereum', { finality: 'finalized' }))[0]).not.toHaveProperty('confirmationTiers');
    expect(register(of('ethereum', { chainId: 31_337 }))[0]).not.toHaveProperty('confirmationTiers');
  });

  it('applies default tiers to configured tokens', () => {
    const [chain] = register(of('ethereum', { tokens: [{ code: 'USDT', contract: TOKEN, decimals: 18 }] }));
    expect([...(chain?.confirmationTiers?.keys() ?? [])]).toEqual(['native', TOKEN.toLowerCase()]);
    expect(chain?.confirmationTiers?.get(TOKEN.toLowerCase())?.[0]?.from).toBe(25_000n * 10n ** 18n);
  });

  it('uses the bounds of the operator', () => {
    const [chain] = register(of('ethereum', { confirmationsMin: 3, confirmationsMax: 40 }));
    expect(chain).toMatchObject({ confirmationsRequired: 12, confirmationsMin: 3, confirmationsMax: 40 });
  });

  it.each<[string, ChainConfig, string]>([
    [
      'a tier with a tag on a chain settled by depth',
      of('bitcoin', {
        confirmations: 2,
        confirmationTiers: [{ code: 'BTC', amount: '1', required: 'finalized' }],
      }),
      'CHAIN_BITCOIN_CONFIRMATIONS: Bitcoin names no finalized block, so give a number of blocks',
    ],
    [
      'a tier with a tag that the chain does not have',
      of('polygon', {
        confirmations: 64,
        confirmationTiers: [{ code: 'POL', amount: '1', required: 'safe' }],
      }),
      'CHAIN_POLYGON_CONFIRMATIONS: Polygon names no safe block, so give a number of blocks',
    ],
  ])('refuses %s', (_what, entry, message) => {
    expect(() => register(entry)).toThrow(message);
  });
});
