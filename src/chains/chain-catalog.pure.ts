import { type ConfirmationTiers, defaultTiers } from './confirmation-tiers.pure.js';
import { contractAsset } from './contract-address.pure.js';
import { TOKEN_CONTRACTS, type TokenStandard, tokenStandardOn } from './token-contracts.pure.js';
import type { TronNetworkName } from './tron/tron-network.pure.js';
import type { UtxoFamily, UtxoNetworkName } from './utxo/utxo-network.pure.js';

/** How addresses of a chain are made; one deposit key serves every chain of its family. */
export type AddressFamily = 'evm' | UtxoFamily | 'tron';

/** Families whose wallets the API accepts (specification/wallets.md#wallets). */
export const ADDRESS_FAMILIES: readonly AddressFamily[] = [
  'evm',
  'bitcoin',
  'litecoin',
  'dogecoin',
  'bitcoincash',
  'tron',
];

/**
 * An asset on one chain: `asset` is 'native', or the contract's 20 bytes as 0x and lower-case hexadecimal, also where
 * people know it by another spelling; decimals are this network's.
 */
export interface ChainAsset {
  asset: string;
  currencyCode: string;
  decimals: number;
  /** Null for the native coin. */
  tokenStandard: TokenStandard | null;
}

/** `depth`: so many blocks on top; `finalized`: what the chain's consensus will not take back. Never "safe". */
export type Finality = 'depth' | 'finalized';

/** What the gateway knows of a chain, as data. */
export interface Chain {
  slug: string;
  name: string;
  family: AddressFamily;
  /** EIP-155; null outside of EVM chains. */
  chainId: number | null;
  /** Which of a family's networks; absent on EVM chains, which the chain id tells apart. */
  network?: UtxoNetworkName | TronNetworkName;
  testnet: boolean;
  assets: ChainAsset[];
  /** Blocks, counting the one that holds the transfer (specification/chains.md#confirmations). */
  confirmationsRequired: number;
  /** What large amounts wait for instead; absent where all amounts wait alike. */
  confirmationTiers?: ConfirmationTiers;
  /** The operator's bounds of what an application may ask for; see required-confirmations.pure.ts. */
  confirmationsMin?: number;
  confirmationsMax?: number;
  /** When funds count as received; default: by depth. With `finalized` the number above is the usual wait, in blocks. */
  finality?: Finality;
  /** Blocks that it usually takes until a block is final; absent where that is no more than the depth above. */
  blocksToFinality?: number;
  /**
   * By asset, in its smallest unit: transfers from this amount on are believed only when two nodes show them.
   * An asset that is not listed needs one.
   */
  agreeFrom?: ReadonlyMap<string, bigint>;
  /**
   * What one output of the native coin must hold at least, in its smallest unit: nodes relay no less by default, so
   * wallets send no less. For P2PKH, the dearest kind of deposit address; absent where any amount can be sent.
   */
  dustLimit?: bigint;
  /** For estimates shown to people; whole seconds, rounded up where blocks come faster. */
  averageBlockSeconds: number;
  /** How many blocks of history are kept to find a common ancestor; a deeper fork halts the chain. */
  reorgWindow: number;
  /**
   * What a block's work must be worth at least, in the unit of `getdifficulty`, so that blocks cannot be made up for
   * nothing; absent where work is not looked at. Far below what the chain has, or its own ups and downs would halt it.
   */
  minDifficulty?: number;
  /** Null where no public explorer knows the chain. `{txHash}` is replaced. */
  explorerTxUrl: string | null;
}

/** The coin that an EVM chain counts in wei. */
function nativeCoin(currencyCode: string): ChainAsset {
  return { asset: 'native', currencyCode, decimals: 18, tokenStandard: null };
}

function tokensOn(blockchain: string, family: AddressFamily = 'evm'): ChainAsset[] {
  return TOKEN_CONTRACTS.filter((token) => token.blockchain === blockchain).map(
    ({ contract, currencyCode, decimals }) => ({
      asset: contractAsset(family, contract),
      currencyCode,
      decimals,
      tokenStandard: tokenStandardOn(blockchain),
    }),
  );
}

const ETHEREUM: Chain = {
  slug: 'ethereum',
  name: 'Ethereum',
  family: 'evm',
  chainId: 1,
  testnet: false,
  assets: [nativeCoin('ETH'), ...tokensOn('ethereum')],
  confirmationsRequired: 12,
  // Two to three epochs of 32 slots.
  blocksToFinality: 96,
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
  // Bitcoin Core, policy.h: DUST_RELAY_TX_FEE of 3 sat a byte, for the 34 of the output and the 148 that spend it.
  dustLimit: 546n,
  averageBlockSeconds: 600,
  // Exceeded ever since the autumn of 2019.
  minDifficulty: 10e12,
  explorerTxUrl: 'https://mempool.space/tx/{txHash}',
};

const LITECOIN: Chain = {
  ...UTXO,
  slug: 'litecoin',
  name: 'Litecoin',
  family: 'litecoin',
  assets: [{ asset: 'native', currencyCode: 'LTC', decimals: 8, tokenStandard: null }],
  confirmationsRequired: 6,
  // Litecoin Core, policy.h: the same bytes as Bitcoin's at DUST_RELAY_TX_FEE of 30.
  dustLimit: 5_460n,
  averageBlockSeconds: 150,
  minDifficulty: 4e6,
  explorerTxUrl: 'https://litecoinspace.org/tx/{txHash}',
};

const DOGECOIN: Chain = {
  ...UTXO,
  slug: 'dogecoin',
  name: 'Dogecoin',
  family: 'dogecoin',
  assets: [{ asset: 'native', currencyCode: 'DOGE', decimals: 8, tokenStandard: null }],
  confirmationsRequired: 20,
  // Dogecoin Core, policy.h: DEFAULT_DUST_LIMIT, 0.01 DOGE. From a tenth of it on (DEFAULT_HARD_DUST_LIMIT) nodes
  // relay an output, for an additional fee as large as this, which wallets do not pay by themselves.
  dustLimit: 1_000_000n,
  averageBlockSeconds: 60,
  // Its coinbases mature after 240 blocks.
  reorgWindow: 288,
  minDifficulty: 2e6,
  explorerTxUrl: 'https://dogechain.info/tx/{txHash}',
};

/**
 * As deep as Litecoin, an hour (specification/chains.md#confirmations). Bitcoin's two would be too few: its miners are
 * a small part of those who could mine it. Its nodes take back no more than nine blocks on their own.
 */
const BITCOIN_CASH: Chain = {
  ...UTXO,
  slug: 'bitcoincash',
  name: 'Bitcoin Cash',
  family: 'bitcoincash',
  assets: [{ asset: 'native', currencyCode: 'BCH', decimals: 8, tokenStandard: null }],
  confirmationsRequired: 6,
  // BCHN, policy.h: three times DUST_RELAY_TX_FEE of 1 sat a byte, for the same bytes as Bitcoin's.
  dustLimit: 546n,
  averageBlockSeconds: 600,
  // Its miners come and go.
  minDifficulty: 50e9,
  explorerTxUrl: 'https://bchexplorer.cash/tx/{txHash}',
};

/** Forks of more than a hundred blocks have happened here. */
const POLYGON: Chain = {
  slug: 'polygon',
  name: 'Polygon',
  family: 'evm',
  chainId: 137,
  testnet: false,
  assets: [nativeCoin('POL'), ...tokensOn('polygon')],
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
  assets: [nativeCoin('BNB'), ...tokensOn('bsc')],
  confirmationsRequired: 15,
  averageBlockSeconds: 1,
  reorgWindow: 256,
  explorerTxUrl: 'https://bscscan.com/tx/{txHash}',
};

/** Four blocks a second, ordered by one sequencer; the window is two minutes. */
const ARBITRUM: Chain = {
  slug: 'arbitrum',
  name: 'Arbitrum One',
  family: 'evm',
  chainId: 42_161,
  testnet: false,
  assets: [nativeCoin('ETH'), ...tokensOn('arbitrum')],
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
  assets: [nativeCoin('ETH'), ...tokensOn('base')],
  confirmationsRequired: 20,
  // Final once Ethereum has finalized the batch that holds it: about 20 minutes.
  blocksToFinality: 600,
  averageBlockSeconds: 2,
  reorgWindow: 256,
  explorerTxUrl: 'https://basescan.org/tx/{txHash}',
};

/** The same software as Base, so the same depth (specification/chains.md#confirmations). */
const OPTIMISM: Chain = {
  slug: 'optimism',
  name: 'OP Mainnet',
  family: 'evm',
  chainId: 10,
  testnet: false,
  assets: [nativeCoin('ETH'), ...tokensOn('optimism')],
  confirmationsRequired: 20,
  // Final once Ethereum has finalized the batch that holds it: about 20 minutes.
  blocksToFinality: 600,
  averageBlockSeconds: 2,
  reorgWindow: 256,
  explorerTxUrl: 'https://optimistic.etherscan.io/tx/{txHash}',
};

/**
 * A block is final once accepted; as deep as Ethereum, to be on the safe side (specification/chains.md#confirmations).
 */
const AVALANCHE: Chain = {
  slug: 'avalanche',
  name: 'Avalanche C-Chain',
  family: 'evm',
  chainId: 43_114,
  testnet: false,
  assets: [nativeCoin('AVAX'), ...tokensOn('avalanche')],
  confirmationsRequired: 12,
  averageBlockSeconds: 2,
  reorgWindow: 128,
  explorerTxUrl: 'https://snowtrace.io/tx/{txHash}',
};

/** About 19 blocks until two thirds of the 27 producers have built on one: then it is solidified. */
const TRON: Chain = {
  slug: 'tron',
  name: 'Tron',
  family: 'tron',
  chainId: null,
  network: 'mainnet',
  testnet: false,
  assets: [
    { asset: 'native', currencyCode: 'TRX', decimals: 6, tokenStandard: null },
    ...tokensOn('tron', 'tron'),
  ],
  confirmationsRequired: 20,
  finality: 'finalized',
  averageBlockSeconds: 3,
  reorgWindow: 128,
  explorerTxUrl: 'https://tronscan.org/#/transaction/{txHash}',
};

/** Every chain the gateway can watch; the configuration says which it does. */
export const CHAIN_CATALOG: readonly Chain[] = [
  ETHEREUM,
  POLYGON,
  BSC,
  ARBITRUM,
  BASE,
  OPTIMISM,
  AVALANCHE,
  BITCOIN,
  LITECOIN,
  DOGECOIN,
  BITCOIN_CASH,
  TRON,
].map((chain: Chain) => {
  const confirmationTiers = defaultTiers(chain.slug, chain.assets);
  return confirmationTiers ? { ...chain, confirmationTiers } : chain;
});
