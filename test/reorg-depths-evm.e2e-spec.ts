import { describeReorgDepths } from './reorg-depths.contract.js';
import { openEvmHarness } from './support/evm-engine.js';

describeReorgDepths('EVM', openEvmHarness);
