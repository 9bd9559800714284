/**
 * @inOrder The fourteen situations are met by one chain and one gateway, one after the other.
 */
import { describeChainEngine } from '../chain-engine.contract.js';
import { openEsploraHarness } from '../support/esplora-engine.js';
import { ESPLORA_FAULTS } from '../support/esplora-faults.js';
import { describeWithNode } from '../support/litecoind.js';

describeWithNode('an Esplora endpoint under the whole gateway', () => {
  describeChainEngine('UTXO, Esplora', {
    open: openEsploraHarness,
    notApplicable: { 'failed transaction': 'what a block holds has succeeded' },
    faults: ESPLORA_FAULTS,
  });
});
