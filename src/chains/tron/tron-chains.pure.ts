import type { Chain } from '../chain.pure.js';
import { tokensOn } from '../token-contracts.pure.js';
import { parseTronContract } from './tron-address.pure.js';

/** A block is solidified once two thirds of the 27 producers have built on it: after about 19 blocks. */
export const TRON: Chain = {
  slug: 'tron',
  name: 'Tron',
  family: 'tron',
  chainId: null,
  network: 'mainnet',
  testnet: false,
  assets: [
    { asset: 'native', currencyCode: 'TRX', decimals: 6, tokenStandard: null },
    ...tokensOn('tron', parseTronContract),
  ],
  confirmationsRequired: 20,
  finality: 'finalized',
  requiredTags: ['finalized'],
  blocksToFinality: { finalized: 20 },
  averageBlockSeconds: 3,
  reorgWindow: 128,
  explorerTxUrl: 'https://tronscan.org/#/transaction/{txHash}',
};
