import { Inject, Injectable } from '@nestjs/common';
import { ApplicationsService } from '../applications/applications.service.js';
import { isPayable, stateSince } from '../chains/chain-health.pure.js';
import { ChainHealthService } from '../chains/chain-health.service.js';
import { ChainsService } from '../chains/chains.service.js';
import { CONFIG, type Config } from '../config.js';
import { Clock, toIsoSeconds } from '../platform/kernel/clock.pure.js';
import { FailingEndpoints } from '../webhooks/failing-endpoints.service.js';
import { findNewestBackup } from './backup-age.js';
import { NoticeOutageRepository } from './notice-outage.repository.js';
import type { NoticeName } from './notice-kinds.pure.js';
import { isBackupOld, isStopped } from './outage.pure.js';
import { Notices } from './notices.service.js';

const BACKUP = 'backup';

/** Tells once that something fails, and once that it works again; what it told is in notice_outages. */
@Injectable()
export class OutageWatch {
  constructor(
    private readonly outages: NoticeOutageRepository,
    private readonly notices: Notices,
    private readonly endpoints: FailingEndpoints,
    private readonly applications: ApplicationsService,
    private readonly chains: ChainsService,
    private readonly health: ChainHealthService,
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** Returns false: nothing more to do at once. */
  async runOnce(): Promise<boolean> {
    await this.lookAtEndpoints();
    await this.lookAtChains();
    await this.lookAtBackups();
    return false;
  }

  private async lookAtEndpoints(): Promise<void> {
    const open = await this.outages.list('endpoint');
    const known = open.map(({ subject, beganAt }) => ({ applicationId: subject, since: beganAt }));
    const told = new Set(known.map(({ applicationId }) => applicationId));
    for (const id of await this.endpoints.listRecovered(known)) {
      told.delete(id);
      await this.outages.transaction(async () => {
        const began = await this.outages.end('endpoint', id);
        if (began) await this.tellShop('endpoint-back', id, began);
      });
    }
    const failing = await this.endpoints.list();
    for (const { applicationId: id, since } of failing.filter((one) => !told.has(one.applicationId)))
      await this.outages.transaction(async () => {
        if (await this.outages.begin('endpoint', id, since))
          await this.tellShop('endpoint-failing', id, since);
      });
  }

  private async tellShop(notice: NoticeName, applicationId: string, since: Date): Promise<void> {
    const { userId: accountId, name } = await this.applications.getById(applicationId);
    const values = { application: name, beganAt: toIsoSeconds(since) };
    await this.notices.tellAccount(
      'endpoint',
      { accountId, applicationId },
      { notice, values },
      `${applicationId}:${since.getTime()}`,
    );
  }

  private async lookAtChains(): Promise<void> {
    const chains = this.chains.list();
    const statuses = await this.health.statusesOf(chains.map(({ slug }) => slug));
    const now = this.clock.now();
    for (const [index, { slug, name }] of chains.entries()) {
      const status = statuses[index];
      if (!status) continue;
      const { state, condition, halted } = status;
      const since = stateSince(state, condition, halted);
      if (isStopped(state, since, now))
        await this.begin('chain', slug, since ?? now, 'chain-stopped', { chain: name });
      else if (isPayable(state)) await this.end('chain', slug, 'chain-back', { chain: name });
    }
  }

  private async lookAtBackups(): Promise<void> {
    const { backupFolder } = this.config.notices;
    if (backupFolder === null) return;
    const newest = await findNewestBackup(backupFolder);
    const now = this.clock.now();
    if (!isBackupOld(newest, now)) return this.end('backup', BACKUP, 'backup-back', {});
    const values: Record<string, string> = newest ? { newestAt: toIsoSeconds(newest) } : {};
    await this.begin('backup', BACKUP, now, newest ? 'backup-old' : 'backup-none', values);
  }

  private async begin(
    kind: 'chain' | 'backup',
    subject: string,
    since: Date,
    notice: NoticeName,
    values: Record<string, string>,
  ): Promise<void> {
    await this.outages.transaction(async () => {
      if (!(await this.outages.begin(kind, subject, since))) return;
      await this.tell(kind, subject, since, { notice, values });
    });
  }

  private async end(
    kind: 'chain' | 'backup',
    subject: string,
    notice: NoticeName,
    values: Record<string, string>,
  ): Promise<void> {
    await this.outages.transaction(async () => {
      const began = await this.outages.end(kind, subject);
      if (began) await this.tell(kind, subject, began, { notice, values });
    });
  }

  private tell(
    kind: 'chain' | 'backup',
    subject: string,
    since: Date,
    { notice, values }: { notice: NoticeName; values: Record<string, string> },
  ): Promise<void> {
    const said = { notice, values: { ...values, beganAt: toIsoSeconds(since) } };
    return this.notices.tellOperators(kind, said, `${subject}:${since.getTime()}`);
  }
}
