import { Injectable } from '@nestjs/common';
import { NoticeState } from '../../notices/notice-state.service.js';
import { Clock, toIsoSeconds, toIsoSecondsOrNull } from '../../platform/kernel/clock.pure.js';
import { COMMIT, VERSION } from '../../platform/kernel/version.js';
import { RatesService } from '../../rates/rates.service.js';
import { DoctorService } from '../doctor/doctor.service.js';
import { NewestVersions } from '../doctor/newest-versions.service.js';
import { ChainOverviews } from '../metrics/chain-overview.service.js';
import { RecordState } from '../metrics/record-state.service.js';
import { ConditionRepository } from './condition.repository.js';
import { type Growth, growthSince } from './database-growth.pure.js';
import { findDiskSpace } from './disk-space.js';
import { newestBlockOf } from './newest-block.pure.js';
import type {
  BackupConditionContract,
  ChainConditionContract,
  DatabaseConditionContract,
  DiskConditionContract,
  DrillConditionContract,
  GrowthContract,
  NewestVersionContract,
  OperatorHealthContract,
  QueueConditionContract,
  RateSourceConditionContract,
  VerificationConditionContract,
} from './operator-health.contract.js';

/** Puts together what the modules know of themselves. It asks no node and no other server. */
@Injectable()
export class OperatorHealth {
  constructor(
    private readonly records: ConditionRepository,
    private readonly overviews: ChainOverviews,
    private readonly recorded: RecordState,
    private readonly notices: NoticeState,
    private readonly rates: RatesService,
    private readonly doctor: DoctorService,
    private readonly versions: NewestVersions,
    private readonly clock: Clock,
  ) {}

  /** @param arrival how the request came that asks */
  async read(arrival: Parameters<DoctorService['lookAround']>[0]): Promise<OperatorHealthContract> {
    const now = this.clock.now();
    const [
      newestVersion,
      database,
      disks,
      backup,
      restoreDrill,
      verification,
      webhooks,
      notices,
      chains,
      findings,
    ] = await Promise.all([
      this.newestVersion(),
      this.database(now),
      this.disks(),
      this.backup(),
      this.drill(),
      this.verification(),
      this.webhooks(),
      this.noticeQueue(),
      this.chains(now),
      this.doctor.lookAround(arrival),
    ]);
    return {
      checkedAt: toIsoSeconds(now),
      version: VERSION,
      newestVersion,
      commit: COMMIT,
      startedAt: toIsoSeconds(new Date(performance.timeOrigin)),
      database,
      disks,
      backup,
      restoreDrill,
      verification,
      webhooks,
      notices,
      chains,
      rates: this.sources(),
      findings,
    };
  }

  private async newestVersion(): Promise<NewestVersionContract> {
    const { version, since, isNewer, askedAt, unknown } = await this.versions.find();
    return {
      version,
      since: toIsoSecondsOrNull(since),
      isNewer,
      askedAt: toIsoSecondsOrNull(askedAt),
      unknown,
    };
  }

  private async database(now: Date): Promise<DatabaseConditionContract> {
    const [facts, sizes] = await Promise.all([this.records.database(), this.records.sizes()]);
    return {
      ...facts,
      sinceDayBefore: presentGrowth(growthSince(sizes, facts.bytes, 1, now)),
      sinceWeekBefore: presentGrowth(growthSince(sizes, facts.bytes, 7, now)),
    };
  }

  private disks(): Promise<DiskConditionContract[]> {
    const { backupFolder } = this.notices;
    return Promise.all([presentDisk('gateway', process.cwd()), presentDisk('backups', backupFolder)]);
  }

  private async backup(): Promise<BackupConditionContract> {
    const newest = await this.notices.findBackup();
    if (newest === null) return { finishedAt: null, isOld: false, unknown: 'not_set_up' };
    const { isOld } = newest;
    return 'finishedAt' in newest
      ? { finishedAt: toIsoSeconds(newest.finishedAt), isOld, unknown: null }
      : { finishedAt: null, isOld, unknown: newest.problem };
  }

  private async drill(): Promise<DrillConditionContract> {
    const last = await this.records.findDrill();
    return last
      ? { finishedAt: toIsoSeconds(last.finishedAt), held: last.held, unknown: null }
      : { finishedAt: null, held: null, unknown: 'never' };
  }

  private async verification(): Promise<VerificationConditionContract> {
    const last = await this.recorded.findLastReconciliation();
    return last
      ? { ...last, finishedAt: toIsoSeconds(last.finishedAt), unknown: null }
      : { finishedAt: null, differences: null, leftOut: null, unknown: 'never' };
  }

  private async webhooks(): Promise<QueueConditionContract> {
    const { waiting, oldestAt, exhausted } = await this.recorded.outbox();
    return { waiting, oldestAt: toIsoSecondsOrNull(oldestAt), failed: exhausted, unknown: null };
  }

  private async noticeQueue(): Promise<QueueConditionContract> {
    const queue = await this.notices.findQueue();
    if (!queue) return { waiting: null, oldestAt: null, failed: null, unknown: 'not_set_up' };
    const { waiting, oldestAt, dead } = queue;
    return { waiting, oldestAt: toIsoSecondsOrNull(oldestAt), failed: dead, unknown: null };
  }

  private async chains(now: Date): Promise<ChainConditionContract[]> {
    const overviews = await this.overviews.list();
    return overviews.map(({ chain: { slug, name, averageBlockSeconds }, state, condition, cursor }) => {
      const { height, time, unknown, unknownSince } = newestBlockOf(
        { condition, cursor },
        averageBlockSeconds,
        now,
      );
      return {
        slug,
        name,
        state,
        height,
        blockTime: toIsoSecondsOrNull(time),
        unknown,
        unknownSince: toIsoSecondsOrNull(unknownSince),
      };
    });
  }

  private sources(): RateSourceConditionContract[] {
    return this.rates.listSources().map(({ name, answeredAt, failingSince }) => ({
      source: name,
      answeredAt: toIsoSecondsOrNull(answeredAt),
      failingSince: toIsoSecondsOrNull(failingSince),
      unknown: failingSince ? 'failing' : answeredAt ? null : 'never',
    }));
  }
}

function presentGrowth(growth: Growth | null): GrowthContract | null {
  return growth && { bytes: growth.bytes, since: toIsoSeconds(growth.since) };
}

async function presentDisk(
  of: DiskConditionContract['of'],
  folder: string | null,
): Promise<DiskConditionContract> {
  if (folder === null) return { of, freeBytes: null, totalBytes: null, unknown: 'not_set_up' };
  const space = await findDiskSpace(folder);
  return space
    ? { of, freeBytes: space.free, totalBytes: space.total, unknown: null }
    : { of, freeBytes: null, totalBytes: null, unknown: 'unreadable' };
}
