/** A coin or token on a network that no adapter follows. */
export interface UnwatchedNetwork {
  currencyCode: string;
  blockchain: string;
  provider: string;
  method: string;
  tokenStandard: string | null;
  contractAddress: string | null;
  decimals: number;
}

/**
 * Tron, where most USDT moves: shown with its own contract and decimals, so that nobody takes it for one of the
 * other networks, and never enabled, because the gateway does not follow it yet. Only what the issuer publishes:
 * Circle has stopped minting USDC there.
 */
export const UNWATCHED_NETWORKS: readonly UnwatchedNetwork[] = [
  {
    currencyCode: 'TRX',
    blockchain: 'tron',
    provider: 'tron',
    method: 'trx',
    tokenStandard: null,
    contractAddress: null,
    decimals: 6,
  },
  {
    currencyCode: 'USDT',
    blockchain: 'tron',
    provider: 'tron',
    method: 'usdt',
    tokenStandard: 'TRC-20',
    contractAddress: 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t',
    decimals: 6,
  },
];
