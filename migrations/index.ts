import { Baseline1795996801000 } from './0001-baseline.js';
import { TellChangesOfSums1795996802000 } from './0002-tell-changes-of-sums.js';
import { KeepWhatIsTooMuch1795996803000 } from './0003-keep-what-is-too-much.js';
import { PartsOfAPayment1795996804000 } from './0004-parts-of-a-payment.js';
import { AllotEarlierParts1795996805000 } from './0005-allot-earlier-parts.js';
import { FindWhatIsTooMuch1795996806000 } from './0006-find-what-is-too-much.js';
import { ValidateChangesOfSums1795996807000 } from './0007-validate-changes-of-sums.js';
import { IndexesOfLists1795996808000 } from './0008-indexes-of-lists.js';
import { StopChangedPayments1795996810000 } from './0010-stop-changed-payments.js';
import { ValidateReviewReasons1795996811000 } from './0011-validate-review-reasons.js';
import { FindListedRows1795996812000 } from './0012-find-listed-rows.js';
import { CursorsThatTellNothing1795996814000 } from './0014-cursors-that-tell-nothing.js';
import { CompareChangedRowsOnce1795996816000 } from './0016-compare-changed-rows-once.js';
import { TellWhatWasPaidLate1795996817000 } from './0017-tell-what-was-paid-late.js';
import { FindWhatWasPaidLate1795996818000 } from './0018-find-what-was-paid-late.js';
import { SealRefunds1795996819000 } from './0019-seal-refunds.js';
import { SealEarlierRefunds1795996820000 } from './0020-seal-earlier-refunds.js';
import { FindVouchedAddresses1795996821000 } from './0021-find-vouched-addresses.js';
import { CountWrongHoldingsAnew1795996822000 } from './0022-count-wrong-holdings-anew.js';
import { RememberStoppedPayments1795996825000 } from './0025-remember-stopped-payments.js';
import { ValidateReasonsBefore1795996826000 } from './0026-validate-reasons-before.js';
import { FindNewEvents1795996827000 } from './0027-find-new-events.js';
import { FindTransfersOfAChain1795996828000 } from './0028-find-transfers-of-a-chain.js';
import { LookForEarlierUse1795996829000 } from './0029-look-for-earlier-use.js';
import { ShareAPayout1795996830000 } from './0030-share-a-payout.js';
import { TellPeople1795996831000 } from './0031-tell-people.js';
import { FindRefundsOfATransaction1795996832000 } from './0032-find-refunds-of-a-transaction.js';
import { RememberSizeAndDrill1795996834000 } from './0034-remember-size-and-drill.js';
import { LogRequests1795996836000 } from './0036-log-requests.js';
import { SetOwnFundsApart1795996837000 } from './0037-set-own-funds-apart.js';
import { RememberNewestVersion1795996838000 } from './0038-remember-newest-version.js';
import { RememberGapLimits1795996839000 } from './0039-remember-gap-limits.js';
import { ListWhatPeopleDid1795996840000 } from './0040-list-what-people-did.js';

/** Every migration, in order. A released one is never edited (migrations/README.md). */
export const migrations = [
  Baseline1795996801000,
  TellChangesOfSums1795996802000,
  KeepWhatIsTooMuch1795996803000,
  PartsOfAPayment1795996804000,
  AllotEarlierParts1795996805000,
  FindWhatIsTooMuch1795996806000,
  ValidateChangesOfSums1795996807000,
  IndexesOfLists1795996808000,
  StopChangedPayments1795996810000,
  ValidateReviewReasons1795996811000,
  FindListedRows1795996812000,
  CursorsThatTellNothing1795996814000,
  CompareChangedRowsOnce1795996816000,
  TellWhatWasPaidLate1795996817000,
  FindWhatWasPaidLate1795996818000,
  SealRefunds1795996819000,
  SealEarlierRefunds1795996820000,
  FindVouchedAddresses1795996821000,
  CountWrongHoldingsAnew1795996822000,
  RememberStoppedPayments1795996825000,
  ValidateReasonsBefore1795996826000,
  FindNewEvents1795996827000,
  FindTransfersOfAChain1795996828000,
  LookForEarlierUse1795996829000,
  ShareAPayout1795996830000,
  TellPeople1795996831000,
  FindRefundsOfATransaction1795996832000,
  RememberSizeAndDrill1795996834000,
  LogRequests1795996836000,
  SetOwnFundsApart1795996837000,
  RememberNewestVersion1795996838000,
  RememberGapLimits1795996839000,
  ListWhatPeopleDid1795996840000,
];
