import type { UtxoFamily, UtxoNetworkName } from './utxo/utxo-network.js';

/** How addresses of a chain are made; one deposit key serves every chain of its family. */
export type AddressFamily = 'evm' | UtxoFamily;

/** Families whose wallets the API accepts today; the others of api.md M come with their adapters. */
export const ADDRESS_FAMILIES: readonly AddressFamily[] = [
  'evm',
  'bitcoin',
  'litecoin',
  'dogecoin',
  'bitcoincash',
];

/** An asset on one chain: `asset` is 'native' or the contract in lower case; decimals are this network's. */
export interface ChainAsset {
  asset: string;
  currencyCode: string;
  decimals: number;
  /** Null for the native coin. */
  tokenStandard: 'ERC-20' | null;
}

/** What the gateway knows of a chain, as data. */
export interface Chain {
  slug: string;
  name: string;
  family: AddressFamily;
  /** EIP-155; null on chains of Bitcoin's kind, which have none. */
  chainId: number | null;
  /** Which of a family's networks; absent on EVM chains, which the chain id tells apart. */
  network?: UtxoNetworkName;
  testnet: boolean;
  assets: ChainAsset[];
  /** Blocks, counting the one that holds the transfer (api.md H7). */
  confirmationsRequired: number;
  averageBlockSeconds: number;
  /** How many blocks of history are kept to find a common ancestor; a deeper fork halts the chain. */
  reorgWindow: number;
  /** Null where no public explorer knows the chain. `{txHash}` is replaced. */
  explorerTxUrl: string | null;
}

const ETHEREUM: Chain = {
  slug: 'ethereum',
  name: 'Ethereum',
  family: 'evm',
  chainId: 1,
  testnet: false,
  assets: [
    { asset: 'native', currencyCode: 'ETH', decimals: 18, tokenStandard: null },
    {
      asset: '0xdac17f958d2ee523a2206206994597c13d831ec7',
      currencyCode: 'USDT',
      decimals: 6,
      tokenStandard: 'ERC-20',
    },
    {
      asset: '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48',
      currencyCode: 'USDC',
      decimals: 6,
      tokenStandard: 'ERC-20',
    },
  ],
  confirmationsRequired: 12,
  averageBlockSeconds: 12,
  reorgWindow: 128,
  explorerTxUrl: 'https://etherscan.io/tx/{txHash}',
};

/** What all chains of Bitcoin's kind have in common. */
const UTXO = {
  chainId: null,
  network: 'mainnet',
  testnet: false,
  // A day of Bitcoin; a fork as deep as coinbase maturity (100) fits.
  reorgWindow: 144,
} as const;

const BITCOIN: Chain = {
  ...UTXO,
  slug: 'bitcoin',
  name: 'Bitcoin',
  family: 'bitcoin',
  assets: [{ asset: 'native', currencyCode: 'BTC', decimals: 8, tokenStandard: null }],
  confirmationsRequired: 2,
  averageBlockSeconds: 600,
  explorerTxUrl: 'https://mempool.space/tx/{txHash}',
};

const LITECOIN: Chain = {
  ...UTXO,
  slug: 'litecoin',
  name: 'Litecoin',
  family: 'litecoin',
  assets: [{ asset: 'native', currencyCode: 'LTC', decimals: 8, tokenStandard: null }],
  confirmationsRequired: 6,
  averageBlockSeconds: 150,
  explorerTxUrl: 'https://litecoinspace.org/tx/{txHash}',
};

/** Every chain the gateway can watch; the configuration says which it does. */
export const CHAIN_CATALOGUE: readonly Chain[] = [ETHEREUM, BITCOIN, LITECOIN];
