import { Baseline1795996801000 } from './0001-baseline.js';
import { TellChangesOfSums1795996802000 } from './0002-tell-changes-of-sums.js';
import { ValidateChangesOfSums1795996820000 } from './0020-validate-changes-of-sums.js';

/** Every migration, in order. A released one is never edited (migrations/README.md). */
export const migrations = [
  Baseline1795996801000,
  TellChangesOfSums1795996802000,
  ValidateChangesOfSums1795996820000,
];
