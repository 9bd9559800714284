/**
 * @inOrder The fourteen situations are met by one chain and one gateway, one after the other.
 */
import { describeChainEngine } from './chain-engine.contract.js';
import { EVM_NOT_APPLICABLE, openEvmHarness } from './support/evm-engine.js';
import { EVM_FAULTS } from './support/evm-faults.js';
import { TRANSPORT_FAULTS } from './support/rpc-faults.js';

describeChainEngine('EVM, one endpoint', {
  open: () => openEvmHarness(1),
  notApplicable: EVM_NOT_APPLICABLE,
  faults: [...TRANSPORT_FAULTS, ...EVM_FAULTS],
});
