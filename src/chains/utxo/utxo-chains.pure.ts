import type { Chain } from '../chain.pure.js';
import type { UtxoFamily } from './utxo-network.pure.js';

/** Common to all UTXO chains. */
const UTXO = {
  chainId: null,
  network: 'mainnet',
  testnet: false,
  // A day of Bitcoin; deeper than the maturity of a coinbase.
  reorgWindow: 144,
  // Bitcoin Core, consensus.h: COINBASE_MATURITY is 100; wallet.cpp, GetTxBlocksToMaturity: one more on top. The others
  // have the same two lines.
  coinbaseConfirmations: 101,
} as const;

const BITCOIN: Chain = {
  ...UTXO,
  slug: 'bitcoin',
  name: 'Bitcoin',
  family: 'bitcoin',
  assets: [{ asset: 'native', currencyCode: 'BTC', decimals: 8, tokenStandard: null }],
  confirmationsRequired: 2,
  // Bitcoin Core, policy.h: DUST_RELAY_TX_FEE of 3 sat/byte for the 34-byte output and the 148 bytes that spend it.
  dustLimit: 546n,
  averageBlockSeconds: 600,
  // Exceeded ever since autumn 2019.
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
  // Litecoin Core, policy.h: as Bitcoin, with a DUST_RELAY_TX_FEE of 30.
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
  // Dogecoin Core, policy.h: DEFAULT_DUST_LIMIT, 0.01 DOGE. Nodes relay outputs down to a tenth of it
  // (DEFAULT_HARD_DUST_LIMIT) for an extra fee of 0.01 DOGE, which wallets do not pay by default.
  dustLimit: 1_000_000n,
  averageBlockSeconds: 60,
  // Dogecoin Core, chainparams.cpp: nCoinbaseMaturity is 240 since block 145,000; the wallet adds one.
  coinbaseConfirmations: 241,
  reorgWindow: 288,
  minDifficulty: 2e6,
  explorerTxUrl: 'https://dogechain.info/tx/{txHash}',
};

/**
 * An hour of confirmations, as on Litecoin. Bitcoin's two would be too few: most of the hash power that could mine it
 * mines Bitcoin. Its nodes do not reorganize more than nine blocks by themselves.
 */
const BITCOIN_CASH: Chain = {
  ...UTXO,
  slug: 'bitcoincash',
  name: 'Bitcoin Cash',
  family: 'bitcoincash',
  assets: [{ asset: 'native', currencyCode: 'BCH', decimals: 8, tokenStandard: null }],
  confirmationsRequired: 6,
  // BCHN, policy.h: three times a DUST_RELAY_TX_FEE of 1 sat/byte, for the same bytes as Bitcoin.
  dustLimit: 546n,
  averageBlockSeconds: 600,
  // Low, because its hash power swings widely.
  minDifficulty: 50e9,
  explorerTxUrl: 'https://bchexplorer.cash/tx/{txHash}',
};

export const UTXO_CHAINS: Readonly<Record<UtxoFamily, Chain>> = {
  bitcoin: BITCOIN,
  litecoin: LITECOIN,
  dogecoin: DOGECOIN,
  bitcoincash: BITCOIN_CASH,
};
