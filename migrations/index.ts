import { Baseline1795996801000 } from './0001-baseline.js';
import { TellChangesOfSums1795996802000 } from './0002-tell-changes-of-sums.js';
import { ValidateChangesOfSums1795996820000 } from './0020-validate-changes-of-sums.js';
import { PartsOfAPayment1795996804000 } from './0004-parts-of-a-payment.js';
import { AllotEarlierParts1795996805000 } from './0005-allot-earlier-parts.js';
import { KeepWhatIsTooMuch1795996803000 } from './0003-keep-what-is-too-much.js';
import { FindWhatIsTooMuch1795996805000 } from './0005-find-what-is-too-much.js';

/** Every migration, in order. A released one is never edited (migrations/README.md). */
export const migrations = [
  Baseline1795996801000,
  TellChangesOfSums1795996802000,
  ValidateChangesOfSums1795996820000,
  PartsOfAPayment1795996804000,
  AllotEarlierParts1795996805000,
  KeepWhatIsTooMuch1795996803000,
  FindWhatIsTooMuch1795996805000,
];
