import { describeChainEngine } from './chain-engine.contract.js';
import { openEsploraWorld } from './support/esplora-engine.js';
import { ESPLORA_LIES } from './support/esplora-lies.js';
import { describeWithNode } from './support/litecoind.js';

describeWithNode('an Esplora endpoint under the whole gateway', () => {
  describeChainEngine('UTXO, Esplora', {
    open: openEsploraWorld,
    notApplicable: { 'failed transaction': 'what a block holds has succeeded' },
    lies: ESPLORA_LIES,
  });
});
