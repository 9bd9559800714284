import type { Chain, ChainAsset } from '../chain.pure.js';
import { tokensOn } from '../token-contracts.pure.js';
import { parseEvmAddress } from './evm-address.pure.js';

function assetsOf(blockchain: string, currencyCode: string): ChainAsset[] {
  return [
    { asset: 'native', currencyCode, decimals: 18, tokenStandard: null },
    ...tokensOn(blockchain, parseEvmAddress),
  ];
}

const ETHEREUM: Chain = {
  slug: 'ethereum',
  name: 'Ethereum',
  family: 'evm',
  chainId: 1,
  testnet: false,
  assets: assetsOf('ethereum', 'ETH'),
  confirmationsRequired: 12,
  // Two to three epochs of 32 slots.
  blocksToFinality: 96,
  averageBlockSeconds: 12,
  reorgWindow: 128,
  explorerTxUrl: 'https://etherscan.io/tx/{txHash}',
};

/** Has had forks of more than a hundred blocks. */
const POLYGON: Chain = {
  slug: 'polygon',
  name: 'Polygon',
  family: 'evm',
  chainId: 137,
  testnet: false,
  assets: assetsOf('polygon', 'POL'),
  confirmationsRequired: 64,
  averageBlockSeconds: 2,
  reorgWindow: 256,
  explorerTxUrl: 'https://polygonscan.com/tx/{txHash}',
};

const BSC: Chain = {
  slug: 'bsc',
  name: 'BNB Smart Chain',
  family: 'evm',
  chainId: 56,
  testnet: false,
  assets: assetsOf('bsc', 'BNB'),
  confirmationsRequired: 15,
  averageBlockSeconds: 1,
  reorgWindow: 256,
  explorerTxUrl: 'https://bscscan.com/tx/{txHash}',
};

/** Four blocks a second, ordered by one sequencer; the reorg window is two minutes. */
const ARBITRUM: Chain = {
  slug: 'arbitrum',
  name: 'Arbitrum One',
  family: 'evm',
  chainId: 42_161,
  testnet: false,
  assets: assetsOf('arbitrum', 'ETH'),
  confirmationsRequired: 20,
  // Final once Ethereum has finalized the batch that holds it: about 20 minutes.
  blocksToFinality: 4_800,
  averageBlockSeconds: 1,
  reorgWindow: 512,
  explorerTxUrl: 'https://arbiscan.io/tx/{txHash}',
};

const BASE: Chain = {
  slug: 'base',
  name: 'Base',
  family: 'evm',
  chainId: 8_453,
  testnet: false,
  assets: assetsOf('base', 'ETH'),
  confirmationsRequired: 20,
  // Final once Ethereum has finalized the batch that holds it: about 20 minutes.
  blocksToFinality: 600,
  averageBlockSeconds: 2,
  reorgWindow: 256,
  explorerTxUrl: 'https://basescan.org/tx/{txHash}',
};

/** Runs the same software as Base, so the same depth. */
const OPTIMISM: Chain = {
  slug: 'optimism',
  name: 'OP Mainnet',
  family: 'evm',
  chainId: 10,
  testnet: false,
  assets: assetsOf('optimism', 'ETH'),
  confirmationsRequired: 20,
  // Final once Ethereum has finalized the batch that holds it: about 20 minutes.
  blocksToFinality: 600,
  averageBlockSeconds: 2,
  reorgWindow: 256,
  explorerTxUrl: 'https://optimistic.etherscan.io/tx/{txHash}',
};

/** A block is final once accepted; as many confirmations as Ethereum, to be on the safe side. */
const AVALANCHE: Chain = {
  slug: 'avalanche',
  name: 'Avalanche C-Chain',
  family: 'evm',
  chainId: 43_114,
  testnet: false,
  assets: assetsOf('avalanche', 'AVAX'),
  confirmationsRequired: 12,
  averageBlockSeconds: 2,
  reorgWindow: 128,
  explorerTxUrl: 'https://snowtrace.io/tx/{txHash}',
};

export const EVM_CHAINS: readonly Chain[] = [ETHEREUM, POLYGON, BSC, ARBITRUM, BASE, OPTIMISM, AVALANCHE];
