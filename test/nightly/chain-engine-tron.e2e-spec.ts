/**
 * @inOrder The fourteen situations are met by one chain and one gateway, one after the other.
 */
import { describeChainEngine } from '../chain-engine.contract.js';
import { openTronHarness, TRON_NOT_APPLICABLE } from '../support/tron-engine.js';
import { TRON_FAULTS } from '../support/tron-faults.js';

describeChainEngine('Tron, on a scripted node', {
  open: openTronHarness,
  notApplicable: TRON_NOT_APPLICABLE,
  faults: TRON_FAULTS,
});
