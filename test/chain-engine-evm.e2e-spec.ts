import { describeChainEngine } from './chain-engine.contract.js';
import { EVM_NOT_APPLICABLE, openEvmWorld } from './support/evm-engine.js';
import { EVM_LIES } from './support/evm-lies.js';
import { TRANSPORT_LIES } from './support/rpc-lies.js';

describeChainEngine('EVM, one endpoint', {
  open: () => openEvmWorld(1),
  notApplicable: EVM_NOT_APPLICABLE,
  lies: [...TRANSPORT_LIES, ...EVM_LIES],
});
