import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../config.js';
import { Clock } from '../platform/kernel/clock.pure.js';
import { type NewestBackup, readNewestBackup } from './backup-age.js';
import { NoticeRepository, type WaitingNotices } from './notice.repository.js';
import { Notices } from './notices.service.js';
import { isBackupOld } from './outage.pure.js';

/** What the operator sees of notices, and of the backups that they look at. */
@Injectable()
export class NoticeState {
  constructor(
    private readonly notices: Notices,
    private readonly rows: NoticeRepository,
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** Null: nothing is told at all. */
  async findQueue(): Promise<WaitingNotices | null> {
    return this.notices.isOn ? this.rows.waiting() : null;
  }

  /** Null: no folder is configured. */
  get backupFolder(): string | null {
    return this.config.notices.backupFolder;
  }

  /** Null: no folder is configured. */
  async findBackup(): Promise<(NewestBackup & { isOld: boolean }) | null> {
    if (this.backupFolder === null) return null;
    const newest = await readNewestBackup(this.backupFolder);
    const finishedAt = 'finishedAt' in newest ? newest.finishedAt : null;
    return { ...newest, isOld: isBackupOld(finishedAt, this.clock.now()) };
  }
}
