import { describeReorgDepths } from '../reorg-depths.contract.js';
import { describeWithNode } from '../support/litecoind.js';
import { openUtxoHarness } from '../support/utxo-engine.js';

describeWithNode('a UTXO chain', () => {
  describeReorgDepths('UTXO', () => openUtxoHarness({ oldCoins: true }));
});
