import type { ChainConfig } from '../config-chains.js';
import { CHAIN_CATALOG } from './chain-catalog.pure.js';
import { registerChains } from './chain-registry.pure.js';

const register = (...configured: ChainConfig[]) => registerChains(configured, CHAIN_CATALOG);
const ethereum = (changes: Partial<ChainConfig> = {}): ChainConfig => ({
  slug: 'ethereum',
  rpcUrls: ['http://127.0.0.1:8545'],
  ...changes,
});

describe("registerChains, amounts that need more than one node's word", () => {
  it.each<[string, Partial<ChainConfig>, Record<string, bigint>]>([
    ['one endpoint', {}, { native: 4n * 10n ** 17n }],
    ['two endpoints on one host', { rpcUrls: ['http://a/1', 'http://a/2'] }, { native: 4n * 10n ** 17n }],
    ['an amount of its own', { proveFrom: [{ code: 'ETH', amount: '2' }] }, { native: 2n * 10n ** 18n }],
    ['switched off', { proveFrom: [] }, {}],
    ['endpoints on two hosts', { rpcUrls: ['http://a', 'http://b'] }, {}],
    ['a test network', { chainId: 31_337 }, {}],
    ['a chain whose blocks cannot be proven', { slug: 'avalanche' }, {}],
  ])('proves large transfers by default where one endpoint is alone: %s', (_what, changes, native) => {
    const [chain] = register(ethereum({ tokens: [], ...changes }));
    expect(Object.fromEntries(chain?.proveFrom ?? [])).toEqual(native);
  });

  it.each<[string, Partial<ChainConfig>, string[]]>([
    ['endpoints on two hosts', { rpcUrls: ['http://a', 'http://b'] }, ['0.4 ETH', '1000 USDT', '1000 USDC']],
    [
      'endpoints on two ports of a host',
      { rpcUrls: ['http://a:1', 'http://a:2'] },
      ['0.4 ETH', '1000 USDT', '1000 USDC'],
    ],
    ['two endpoints on one host', { rpcUrls: ['http://a/1', 'http://a/2'] }, []],
    ['one endpoint', {}, []],
    ['two hosts, and switched off', { rpcUrls: ['http://a', 'http://b'], agreeFrom: [] }, []],
    ['a test network', { rpcUrls: ['http://a', 'http://b'], chainId: 31_337 }, []],
  ])('lets two endpoints agree by default: %s', (_what, changes, amounts) => {
    const [chain] = register(ethereum(changes));
    const shown = [...(chain?.agreeFrom ?? [])].map(([asset, from]) => {
      const { currencyCode = '', decimals = 0 } = chain?.assets.find((each) => each.asset === asset) ?? {};
      return `${Number(from) / 10 ** decimals} ${currencyCode}`;
    });
    expect(shown.toSorted()).toEqual(amounts.toSorted());
  });
});
