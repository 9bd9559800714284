/**
 * @inOrder The fourteen situations are met by one chain and one gateway, one after the other.
 */
import { describeChainEngine } from '../chain-engine.contract.js';
import { describeWithNode } from '../support/litecoind.js';
import { TRANSPORT_FAULTS } from '../support/rpc-faults.js';
import { openUtxoHarness } from '../support/utxo-engine.js';
import { UTXO_FAULTS } from '../support/utxo-faults.js';

describeWithNode('a UTXO chain', () => {
  describeChainEngine('UTXO, Bitcoin Core', {
    open: () => openUtxoHarness(),
    notApplicable: { 'failed transaction': 'what a block holds has succeeded' },
    faults: [...TRANSPORT_FAULTS, ...UTXO_FAULTS],
  });
});
