import { findCurrency, getCurrency } from '../money/currencies.js';
import { CHAIN_CATALOG } from './chain-catalog.pure.js';
import { contractAddressOf, findContractAsset } from './contract-address.pure.js';
import { TOKEN_CONTRACTS, tokenStandardOn } from './token-contracts.pure.js';

/** Tokens whose decimals differ from those of their currency. */
const OTHER_DECIMALS: Record<string, number> = { 'USDT on bsc': 18 };

const repeated = (values: readonly unknown[]) => values.filter((value, at) => values.indexOf(value) !== at);

describe('the chain catalog', () => {
  it.each<[string, number | null, string, number, string[]]>([
    ['ethereum', 1, 'ETH', 12, ['USDT', 'USDC']],
    ['polygon', 137, 'POL', 64, ['USDC']],
    ['bsc', 56, 'BNB', 15, ['USDT']],
    ['arbitrum', 42_161, 'ETH', 20, ['USDC']],
    ['base', 8_453, 'ETH', 20, ['USDC']],
    ['optimism', 10, 'ETH', 20, ['USDC']],
    ['avalanche', 43_114, 'AVAX', 12, ['USDC', 'USDT']],
    ['bitcoin', null, 'BTC', 2, []],
    ['litecoin', null, 'LTC', 6, []],
    ['dogecoin', null, 'DOGE', 20, []],
    ['bitcoincash', null, 'BCH', 6, []],
    ['tron', null, 'TRX', 20, ['USDT']],
  ])('has %s: chain id %s, %s, %d confirmations', (slug, chainId, native, confirmations, tokens) => {
    const chain = CHAIN_CATALOG.find((known) => known.slug === slug);
    expect(chain).toMatchObject({ chainId, confirmationsRequired: confirmations, testnet: false });
    expect(chain?.assets.map(({ currencyCode }) => currencyCode)).toEqual([native, ...tokens]);
  });

  it('has unique slugs, chain ids, names and explorers', () => {
    expect(repeated(CHAIN_CATALOG.map(({ slug }) => slug))).toEqual([]);
    expect(repeated(CHAIN_CATALOG.flatMap(({ chainId }) => chainId ?? []))).toEqual([]);
    expect(repeated(CHAIN_CATALOG.map(({ name }) => name))).toEqual([]);
    expect(repeated(CHAIN_CATALOG.map(({ explorerTxUrl }) => explorerTxUrl))).toEqual([]);
  });

  it.each(CHAIN_CATALOG.map((chain) => [chain.slug, chain] as const))(
    'has a consistent entry for %s',
    (slug, chain) => {
      // "method" is a path segment of the instructions route; "_" in variable names stands for "-".
      expect(slug).toMatch(/^(?!method$)[a-z][a-z0-9-]*$/);
      expect(chain.explorerTxUrl).toMatch(/^https:\/\/[a-z.-]+\/(?:tx|#\/transaction)\/\{txHash\}$/);
      // A confirmed transfer is re-checked to twice its depth.
      expect(chain.reorgWindow).toBeGreaterThanOrEqual(2 * chain.confirmationsRequired);
      expect(chain.averageBlockSeconds).toBeGreaterThanOrEqual(1);
      expect(Number.isInteger(chain.averageBlockSeconds)).toBe(true);
      // Only UTXO chains have a dust limit.
      expect(chain.dustLimit !== undefined).toBe(!['evm', 'tron'].includes(chain.family));
      const [native, ...tokens] = chain.assets;
      expect(native).toMatchObject({ asset: 'native', tokenStandard: null });
      for (const token of tokens) expect(token.tokenStandard).toBe(tokenStandardOn(slug));
      expect(repeated(chain.assets.map(({ asset }) => asset))).toEqual([]);
      expect(repeated(chain.assets.map(({ currencyCode }) => currencyCode))).toEqual([]);
    },
  );

  it('uses the decimals of the currency for every asset, except for known differences', () => {
    const differing = CHAIN_CATALOG.flatMap(({ slug, assets }) =>
      assets
        .filter(({ currencyCode, decimals }) => getCurrency(currencyCode).decimals !== decimals)
        .map(({ currencyCode, decimals }) => [`${currencyCode} on ${slug}`, decimals]),
    );
    expect(Object.fromEntries(differing)).toEqual(OTHER_DECIMALS);
  });
});

describe('TOKEN_CONTRACTS', () => {
  it.each(TOKEN_CONTRACTS.map((token) => [token.currencyCode, token.blockchain, token] as const))(
    'has %s on %s in its checksum spelling, as the chain does',
    (code, blockchain, { contract, decimals }) => {
      expect(findCurrency(code)?.type).toBe('crypto');
      const chain = CHAIN_CATALOG.find(({ slug }) => slug === blockchain);
      const asset = chain?.assets.find(({ currencyCode }) => currencyCode === code);
      expect(asset).toMatchObject({ asset: findContractAsset(chain?.family ?? 'evm', contract), decimals });
      expect(contractAddressOf(chain?.family ?? 'evm', asset?.asset ?? '')).toBe(contract);
    },
  );

  it('has every token of the catalog once', () => {
    const listed = CHAIN_CATALOG.flatMap(({ family, assets }) =>
      assets.flatMap(({ asset }) => contractAddressOf(family, asset) ?? []),
    );
    expect(listed.toSorted()).toEqual(TOKEN_CONTRACTS.map(({ contract }) => contract).toSorted());
    expect(repeated(TOKEN_CONTRACTS.map(({ blockchain, contract }) => `${blockchain} ${contract}`))).toEqual(
      [],
    );
  });

  it.each([
    ['ethereum', 'ERC-20'],
    ['bsc', 'BEP-20'],
    ['avalanche', 'ERC-20'],
    ['tron', 'TRC-20'],
    ['constructor', 'ERC-20'],
  ])('names the token standard of %s: %s', (blockchain, standard) => {
    expect(tokenStandardOn(blockchain)).toBe(standard);
  });
});
