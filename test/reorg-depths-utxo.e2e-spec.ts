import { describeReorgDepths } from './reorg-depths.contract.js';
import { describeWithNode } from './support/litecoind.js';
import { openUtxoWorld } from './support/utxo-engine.js';

describeWithNode('a UTXO chain', () => {
  describeReorgDepths('UTXO', () => openUtxoWorld({ oldCoins: true }));
});
