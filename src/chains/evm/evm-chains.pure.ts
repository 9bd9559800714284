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
  provable: true,
  assets: assetsOf('ethereum', 'ETH'),
  confirmationsRequired: 12,
  // An epoch of 32 slots is justified once the next has voted, and final one epoch later (ethereum.org, Gasper; Casper
  // FFG, arXiv 1710.09437). Clients with the fast confirmation rule name a newer safe block.
  blocksToFinality: { safe: 64, finalized: 96 },
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
  provable: true,
  assets: assetsOf('polygon', 'POL'),
  confirmationsRequired: 64,
  // Validators vote on a milestone every few blocks: final in about five seconds (PIP-11; docs.polygon.technology,
  // finality). Bor names no safe block.
  blocksToFinality: { finalized: 6 },
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
  provable: true,
  assets: assetsOf('bsc', 'BNB'),
  confirmationsRequired: 15,
  // Fast finality: block n is justified by the votes in n + 1, and final with n + 2 (BEP-126).
  blocksToFinality: { safe: 2, finalized: 3 },
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
  provable: true,
  assets: assetsOf('arbitrum', 'ETH'),
  confirmationsRequired: 20,
  // Safe and final once the block of Ethereum that holds its batch is (docs.arbitrum.io, finality and reorgs): about 10
  // and 20 minutes, at four blocks a second.
  blocksToFinality: { safe: 2_400, finalized: 4_800 },
  averageBlockSeconds: 1,
  reorgWindow: 512,
  resumesFromSafe: true,
  explorerTxUrl: 'https://arbiscan.io/tx/{txHash}',
};

const BASE: Chain = {
  slug: 'base',
  name: 'Base',
  family: 'evm',
  chainId: 8_453,
  testnet: false,
  provable: true,
  assets: assetsOf('base', 'ETH'),
  confirmationsRequired: 20,
  // Safe in about 2 minutes, when its batch is on Ethereum, and final in about 20, when Ethereum has finalized that
  // (docs.base.org, transaction finality).
  blocksToFinality: { safe: 60, finalized: 600 },
  averageBlockSeconds: 2,
  reorgWindow: 256,
  resumesFromSafe: true,
  explorerTxUrl: 'https://basescan.org/tx/{txHash}',
};

/** Runs the same software as Base, so the same depth. */
const OPTIMISM: Chain = {
  slug: 'optimism',
  name: 'OP Mainnet',
  family: 'evm',
  chainId: 10,
  testnet: false,
  provable: true,
  assets: assetsOf('optimism', 'ETH'),
  confirmationsRequired: 20,
  // Batches are further apart than on Base: safe in about 10 minutes, final in 20 to 30 (docs.optimism.io, transaction
  // finality).
  blocksToFinality: { safe: 300, finalized: 900 },
  averageBlockSeconds: 2,
  reorgWindow: 256,
  resumesFromSafe: true,
  explorerTxUrl: 'https://optimistic.etherscan.io/tx/{txHash}',
};

/** A block is final once accepted; as many confirmations as Ethereum, to be on the safe side. */
const AVALANCHE: Chain = {
  slug: 'avalanche',
  name: 'Avalanche C-Chain',
  family: 'evm',
  chainId: 43_114,
  testnet: false,
  // No `provable`: its headers have fields for which no block could be recomputed (decisions/0802-agree-on-large-transfers-by-default.md#one-endpoint-proves-large-transfers-by-their-block).
  assets: assetsOf('avalanche', 'AVAX'),
  confirmationsRequired: 12,
  // Snowman decides a block before its nodes show it: both tags name the last accepted one (Avalanche consensus, arXiv
  // 1906.08936).
  blocksToFinality: { safe: 1, finalized: 1 },
  averageBlockSeconds: 2,
  reorgWindow: 128,
  explorerTxUrl: 'https://snowtrace.io/tx/{txHash}',
};

export const EVM_CHAINS: readonly Chain[] = [ETHEREUM, POLYGON, BSC, ARBITRUM, BASE, OPTIMISM, AVALANCHE];
