import { describeChainEngine } from './chain-engine.contract.js';
import { describeWithNode } from './support/litecoind.js';
import { TRANSPORT_LIES } from './support/rpc-lies.js';
import { openUtxoWorld } from './support/utxo-engine.js';
import { UTXO_LIES } from './support/utxo-lies.js';

describeWithNode('a UTXO chain', () => {
  describeChainEngine('UTXO, Bitcoin Core', {
    open: () => openUtxoWorld(),
    notApplicable: { 'failed transaction': 'what a block holds has succeeded' },
    lies: [...TRANSPORT_LIES, ...UTXO_LIES],
  });
});
