import { describeReorgDepths } from './reorg-depths.contract.js';
import { openEvmWorld } from './support/evm-engine.js';

describeReorgDepths('EVM', openEvmWorld);
