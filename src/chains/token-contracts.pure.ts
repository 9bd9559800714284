import type { ChainAsset, TokenStandard } from './chain.pure.js';

/** A token whose contract is listed here, on one chain. */
export interface ListedToken {
  /** The chain's slug. */
  blockchain: string;
  currencyCode: string;
  /** In EIP-55 spelling, or base58check on Tron: the checksum lets a test catch a typing mistake. */
  contract: string;
  /** Decimals of this contract; pinned here, never read from a node. */
  decimals: number;
}

/**
 * Contracts that an issuer publishes: USDC where Circle mints it, USDT where Tether does, and on BSC, where neither
 * does, Binance's USDT, which is known there by that name. Left out on purpose, because a third party backs them:
 * bridged USDC ("USDC.e", Binance's) and the USDT of Polygon, Arbitrum, Base and Optimism; also USDC on Tron, which
 * Circle no longer mints or redeems. Operators who want those list them in CHAIN_<SLUG>_TOKENS.
 */
export const TOKEN_CONTRACTS: readonly ListedToken[] = [
  {
    blockchain: 'ethereum',
    currencyCode: 'USDT',
    contract: '0xdAC17F958D2ee523a2206206994597C13D831ec7',
    decimals: 6,
  },
  {
    blockchain: 'ethereum',
    currencyCode: 'USDC',
    contract: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48',
    decimals: 6,
  },
  {
    blockchain: 'polygon',
    currencyCode: 'USDC',
    contract: '0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359',
    decimals: 6,
  },
  {
    blockchain: 'bsc',
    currencyCode: 'USDT',
    contract: '0x55d398326f99059fF775485246999027B3197955',
    decimals: 18,
  },
  {
    blockchain: 'arbitrum',
    currencyCode: 'USDC',
    contract: '0xaf88d065e77c8cC2239327C5EDb3A432268e5831',
    decimals: 6,
  },
  {
    blockchain: 'base',
    currencyCode: 'USDC',
    contract: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
    decimals: 6,
  },
  {
    blockchain: 'optimism',
    currencyCode: 'USDC',
    contract: '0x0b2C639c533813f4Aa9D7837CAf62653d097Ff85',
    decimals: 6,
  },
  {
    blockchain: 'avalanche',
    currencyCode: 'USDC',
    contract: '0xB97EF9Ef8734C71904D8002F8b6Bc66Dd9c48a6E',
    decimals: 6,
  },
  {
    blockchain: 'avalanche',
    currencyCode: 'USDT',
    contract: '0x9702230A8Ea53601f5cD2dc00fDBc13d4dF4A8c7',
    decimals: 6,
  },
  {
    blockchain: 'tron',
    currencyCode: 'USDT',
    contract: 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t',
    decimals: 6,
  },
];

/** Chains with their own name for ERC-20. */
const OWN_NAMES: ReadonlyMap<string, TokenStandard> = new Map([
  ['bsc', 'BEP-20'],
  ['tron', 'TRC-20'],
]);

/** @param blockchain slug */
export function tokenStandardOn(blockchain: string): TokenStandard {
  return OWN_NAMES.get(blockchain) ?? 'ERC-20';
}

/**
 * The listed tokens of a chain.
 * @param parse reads a contract in the chain's spelling: its 20 bytes, or null
 */
export function tokensOn(blockchain: string, parse: (contract: string) => Buffer | null): ChainAsset[] {
  return TOKEN_CONTRACTS.filter((token) => token.blockchain === blockchain).map(
    ({ contract, currencyCode, decimals }) => {
      const bytes = parse(contract);
      if (!bytes) throw new Error(`not a contract address: ${contract}`);
      const asset = `0x${bytes.toString('hex')}`;
      return { asset, currencyCode, decimals, tokenStandard: tokenStandardOn(blockchain) };
    },
  );
}
