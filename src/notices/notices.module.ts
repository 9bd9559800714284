import { Inject, Module, type OnApplicationBootstrap } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ApplicationsModule } from '../applications/applications.module.js';
import { ChainsModule } from '../chains/chains.module.js';
import { OAuthModule } from '../identity/oauth/oauth.module.js';
import { OverviewModule } from '../overview/overview.module.js';
import { PollingLoops } from '../platform/database/polling-loop.js';
import { LoopName } from '../platform/kernel/loop-name.pure.js';
import { RefundsModule } from '../refunds/refunds.module.js';
import { WalletsModule } from '../wallets/wallets.module.js';
import { WebhooksModule } from '../webhooks/webhooks.module.js';
import { AttentionDigest } from './attention-digest.service.js';
import { NoticeChoiceEntity } from './notice-choice.entity.js';
import { NoticeChoiceRepository } from './notice-choice.repository.js';
import { NoticeChoices } from './notice-choices.service.js';
import { NoticeEntity } from './notice.entity.js';
import { NoticeListeners } from './notice-listeners.service.js';
import { NoticeOutageEntity } from './notice-outage.entity.js';
import { NoticeOutageRepository } from './notice-outage.repository.js';
import { NoticeQueue } from './notice-queue.service.js';
import { NoticeState } from './notice-state.service.js';
import { NoticeRepository } from './notice.repository.js';
import { Notices } from './notices.service.js';
import { NoticesController } from './notices.controller.js';
import { OutageWatch } from './outage-watch.service.js';

const QUEUE_INTERVAL_MS = 5_000;
const WATCH_INTERVAL_MS = 60_000;
const DIGEST_INTERVAL_MS = 15 * 60_000;
const PURGE_INTERVAL_MS = 60 * 60_000;

/** Tells people what they would have to look for otherwise, by mail and by a POST (docs/how-to/notices.md). */
@Module({
  imports: [
    TypeOrmModule.forFeature([NoticeChoiceEntity, NoticeEntity, NoticeOutageEntity]),
    ApplicationsModule,
    ChainsModule,
    OAuthModule,
    OverviewModule,
    RefundsModule,
    WalletsModule,
    WebhooksModule,
  ],
  controllers: [NoticesController],
  providers: [
    AttentionDigest,
    NoticeChoiceRepository,
    NoticeChoices,
    NoticeListeners,
    NoticeOutageRepository,
    NoticeQueue,
    NoticeRepository,
    NoticeState,
    Notices,
    OutageWatch,
  ],
  exports: [NoticeState],
})
export class NoticesModule implements OnApplicationBootstrap {
  constructor(
    @Inject(Notices) private readonly notices: Notices,
    @Inject(NoticeQueue) private readonly queue: NoticeQueue,
    @Inject(OutageWatch) private readonly watch: OutageWatch,
    @Inject(AttentionDigest) private readonly digest: AttentionDigest,
    @Inject(PollingLoops) private readonly loops: PollingLoops,
  ) {}

  /** Where nothing is told, nothing is looked for. */
  onApplicationBootstrap(): void {
    if (!this.notices.isOn) return;
    const start = (name: LoopName, intervalMs: number, runOnce: () => Promise<boolean>) =>
      this.loops.start({ name, role: 'worker', intervalMs }, runOnce);
    start(LoopName.Notices, QUEUE_INTERVAL_MS, () => this.queue.runOnce());
    start(LoopName.NoticeWatch, WATCH_INTERVAL_MS, () => this.watch.runOnce());
    start(LoopName.NoticesPurge, PURGE_INTERVAL_MS, () => this.queue.purge());
    if (this.notices.hasMail) start(LoopName.NoticeDigest, DIGEST_INTERVAL_MS, () => this.digest.runOnce());
  }
}
