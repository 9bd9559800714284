import { CHAIN_STATES, type ChainState } from '../../chains/chain-health.pure.js';
import { FindingContract } from '../doctor/finding.contract.js';
import { Contract, enumeration } from '../../platform/web/contract/contract.js';
import {
  Choice,
  Count,
  Flag,
  Instant,
  Nested,
  NestedList,
  Text,
} from '../../platform/web/contract/fields.js';

const UNKNOWN_REASONS = [
  'not_set_up',
  'unreadable',
  'none',
  'never',
  'unreachable',
  'outdated',
  'failing',
  'refused',
  'unusable',
] as const;
export type UnknownReason = (typeof UNKNOWN_REASONS)[number];

const REASON = enumeration(
  'UnknownReason',
  'Why a value is not known. `not_set_up`: its setting is empty. `unreadable`: its folder or disk cannot be read. ' +
    '`none`: there is none. `never`: it has not happened yet. `unreachable`: the node does not respond correctly. ' +
    '`outdated`: nobody has looked for too long. `failing`: the source does not answer. `refused`: it refuses the question. `unusable`: its answer cannot be used.',
  UNKNOWN_REASONS,
);
const Unknown = () =>
  Choice(REASON, { nullable: true, about: 'Why it is not known; null: it is.', example: null });

@Contract('GrowthSince', 'A difference to an earlier day.')
export class GrowthContract {
  @Count({ min: Number.MIN_SAFE_INTEGER, about: 'Negative: it has shrunk.', example: 5_242_880 })
  bytes: number;

  @Instant({ about: 'When the earlier size was measured.', example: '2026-01-14T23:40:00Z' })
  since: string;
}

@Contract('DatabaseCondition', 'The database of the gateway.')
export class DatabaseConditionContract {
  @Count({ about: 'Its size.', example: 2_254_857_830 })
  bytes: number;

  @Count({ about: 'Connections to it, of all programs.', example: 14 })
  connections: number;

  @Count({ about: 'Connections that its server takes, to all of its databases.', example: 100 })
  maxConnections: number;

  @Nested(() => GrowthContract, {
    nullable: true,
    about: 'Since the end of the day before; null: not known yet.',
  })
  sinceDayBefore: GrowthContract | null;

  @Nested(() => GrowthContract, {
    nullable: true,
    about: 'Since the end of the same day a week ago; null: not known yet.',
  })
  sinceWeekBefore: GrowthContract | null;
}

@Contract('DiskCondition', 'The file system of a folder.')
export class DiskConditionContract {
  @Choice(['gateway', 'backups'], { about: 'The folder that the gateway runs in, or `BACKUP_FOLDER`.' })
  of: 'gateway' | 'backups';

  @Count({ nullable: true, about: 'Bytes that are free.', example: 65_498_251_264 })
  freeBytes: number | null;

  @Count({ nullable: true, about: 'Bytes of all.', example: 85_899_345_920 })
  totalBytes: number | null;

  @Unknown()
  unknown: UnknownReason | null;
}

@Contract('BackupCondition', 'The newest backup in `BACKUP_FOLDER`.')
export class BackupConditionContract {
  @Instant({ nullable: true, about: 'When it was finished.', example: '2026-01-15T03:00:00Z' })
  finishedAt: string | null;

  @Flag({ about: 'It is older than 26 hours, or not there although a folder is configured.' })
  isOld: boolean;

  @Unknown()
  unknown: UnknownReason | null;
}

@Contract('DrillCondition', 'The last restore drill.')
export class DrillConditionContract {
  @Instant({ nullable: true, about: 'When it ended.', example: '2026-01-11T04:10:00Z' })
  finishedAt: string | null;

  @Flag({ nullable: true, about: 'Whether the backup was restored and verified as a whole.', example: true })
  held: boolean | null;

  @Unknown()
  unknown: UnknownReason | null;
}

@Contract('VerificationCondition', 'The last comparison of the records with the chains.')
export class VerificationConditionContract {
  @Instant({ nullable: true, about: 'When it ended.', example: '2026-01-15T09:00:00Z' })
  finishedAt: string | null;

  @Count({ nullable: true, about: 'Differences that it found.', example: 0 })
  differences: number | null;

  @Count({ nullable: true, about: 'What it could not compare.', example: 0 })
  leftOut: number | null;

  @Unknown()
  unknown: UnknownReason | null;
}

@Contract('QueueCondition', 'What waits to be sent. Counts stop at 10,000.')
export class QueueConditionContract {
  @Count({ nullable: true, about: 'What waits.', example: 2 })
  waiting: number | null;

  @Instant({
    nullable: true,
    about: 'Since when the oldest waits, without endpoints that are paused; null: none does.',
  })
  oldestAt: string | null;

  @Count({ nullable: true, about: 'Given up.', example: 0 })
  failed: number | null;

  @Unknown()
  unknown: UnknownReason | null;
}

@Contract('ChainCondition', 'How new the newest block of a chain is.')
export class ChainConditionContract {
  @Text({ about: 'The chain.', example: 'ethereum' })
  slug: string;

  @Text({ about: 'Its name.', example: 'Ethereum' })
  name: string;

  @Choice(CHAIN_STATES, { about: 'As GET /api/admin/chains has it.' })
  state: ChainState;

  @Count({ nullable: true, about: 'Of the newest block that was known.', example: 23_456_789 })
  height: number | null;

  @Instant({ nullable: true, about: 'The time of the newest block that was known.' })
  blockTime: string | null;

  @Choice(REASON, {
    nullable: true,
    about:
      'Why the newest block is not known now: also after three block times without a look. Null: it is known.',
    example: null,
  })
  unknown: UnknownReason | null;

  @Instant({ nullable: true, about: 'Since when it is not known.', example: null })
  unknownSince: string | null;
}

@Contract('RateSourceCondition', 'A source of exchange rates, as it has answered this process.')
export class RateSourceConditionContract {
  @Text({ about: 'Its name.', example: 'kraken' })
  source: string;

  @Instant({ nullable: true, about: 'Its last answer. Sources are asked when a rate is needed.' })
  answeredAt: string | null;

  @Instant({ nullable: true, about: 'Since when it does not answer; null: it does.', example: null })
  failingSince: string | null;

  @Unknown()
  unknown: UnknownReason | null;
}

@Contract('NewestVersion', 'What the source of `UPDATE_CHECK_URL` says, which is asked once a day.')
export class NewestVersionContract {
  @Text({ nullable: true, about: 'The newest version that was named.', example: '0.2.0' })
  version: string | null;

  @Instant({ nullable: true, about: 'When it was first named.', example: '2026-01-12T09:00:00Z' })
  since: string | null;

  @Flag({
    nullable: true,
    about: 'Whether it is newer than the one that responds; null: not known.',
    example: true,
  })
  isNewer: boolean | null;

  @Instant({ nullable: true, about: 'When it was last asked successfully.', example: '2026-01-15T09:00:00Z' })
  askedAt: string | null;

  @Unknown()
  unknown: UnknownReason | null;
}

@Contract('OperatorHealth', 'What an operator has to see; each value may be unknown, and says why.')
export class OperatorHealthContract {
  @Instant({ about: 'When all of it was read.' })
  checkedAt: string;

  @Text({ about: 'Version of the process that responds.', example: '0.1.0' })
  version: string;

  @Nested(() => NewestVersionContract)
  newestVersion: NewestVersionContract;

  @Text({ about: 'Its commit, or `unknown`.', example: '1f2e3d4c5b6a' })
  commit: string;

  @Instant({ about: 'When it was started.' })
  startedAt: string;

  @Nested(() => DatabaseConditionContract)
  database: DatabaseConditionContract;

  @NestedList(() => DiskConditionContract, { about: 'File systems.' })
  disks: DiskConditionContract[];

  @Nested(() => BackupConditionContract)
  backup: BackupConditionContract;

  @Nested(() => DrillConditionContract)
  restoreDrill: DrillConditionContract;

  @Nested(() => VerificationConditionContract)
  verification: VerificationConditionContract;

  @Nested(() => QueueConditionContract)
  webhooks: QueueConditionContract;

  @Nested(() => QueueConditionContract)
  notices: QueueConditionContract;

  @NestedList(() => ChainConditionContract, { about: 'Every configured chain.' })
  chains: ChainConditionContract[];

  @NestedList(() => RateSourceConditionContract, { about: 'Every source.' })
  rates: RateSourceConditionContract[];

  @NestedList(() => FindingContract, {
    about: 'Checks that ask nobody: settings, proxies, connections, gap limits.',
  })
  findings: FindingContract[];
}
