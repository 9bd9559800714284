import { describeChainEngine } from './chain-engine.contract.js';
import { openTronWorld, TRON_NOT_APPLICABLE } from './support/tron-engine.js';
import { TRON_LIES } from './support/tron-lies.js';

describeChainEngine('Tron, on a scripted node', {
  open: openTronWorld,
  notApplicable: TRON_NOT_APPLICABLE,
  lies: TRON_LIES,
});
