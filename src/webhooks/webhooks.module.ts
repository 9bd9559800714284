import { Inject, Module, type OnApplicationBootstrap } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ApplicationsModule } from '../applications/applications.module.js';
import { PollingLoops } from '../platform/database/polling-loop.js';
import { LoopName } from '../platform/kernel/loop-name.pure.js';
import { CONFIG, type Config } from '../config.js';
import { PaymentsModule } from '../payments/payments.module.js';
import { RefundsModule } from '../refunds/refunds.module.js';
import { WalletsModule } from '../wallets/wallets.module.js';
import { AdminDeliveriesController } from './admin-deliveries.controller.js';
import { AttemptMacs } from './attempt-macs.service.js';
import { BlockedDeliveries } from './blocked-deliveries.service.js';
import { BlockedDeliveryRepository } from './blocked-delivery.repository.js';
import { DeliveriesService } from './deliveries.service.js';
import { DeliveryCountChangeEntity } from './delivery-count-change.entity.js';
import { DeliveryCountEntity } from './delivery-count.entity.js';
import { DeliveryCountRepository } from './delivery-count.repository.js';
import { DeliveryListController } from './delivery-list.controller.js';
import { DeliveryListRepository } from './delivery-list.repository.js';
import { DeliveryListService } from './delivery-list.service.js';
import { DeliveryRepository } from './delivery.repository.js';
import { DeliveryExportRepository } from './export/delivery-export.repository.js';
import { DeliveryExports } from './export/delivery-exports.service.js';
import { DeliveryExportsController } from './export/delivery-exports.controller.js';
import { EventFeedEntity } from './events/event-feed.entity.js';
import { EventFeedRepository } from './events/event-feed.repository.js';
import { EventStreams } from './events/event-streams.service.js';
import { EventsController } from './events/events.controller.js';
import { FailingEndpointRepository } from './failing-endpoint.repository.js';
import { FailingEndpoints } from './failing-endpoints.service.js';
import { SignedSender } from './signed-sender.service.js';
import { EventWatchRepository } from './watch/event-watch.repository.js';
import { EventWatch } from './watch/event-watch.service.js';
import { UnacknowledgedPaymentsService } from './unacknowledged-payments.service.js';
import { USER_AGENT } from './user-agent.js';
import { WebhookAttemptEntity } from './webhook-attempt.entity.js';
import { WebhookDeliveryEntity } from './webhook-delivery.entity.js';
import { WebhookDispatcher } from './webhook-dispatcher.service.js';
import { WebhookEndpointController } from './webhook-endpoint.controller.js';
import { WebhookEndpointEntity } from './webhook-endpoint.entity.js';
import { WebhookEndpointRepository } from './webhook-endpoint.repository.js';
import { WebhookEndpointService } from './webhook-endpoint.service.js';
import { WebhookLogController } from './webhook-log.controller.js';
import { WebhookLogRepository } from './webhook-log.repository.js';
import { WebhookLogService } from './webhook-log.service.js';
import { WebhookRetention } from './webhook-retention.service.js';
import { WebhookSender } from './webhook-sender.js';
import { WalletNotices } from './wallet-notices.service.js';
import { TestEventsService } from './events/test-events.service.js';

const entities = [
  DeliveryCountChangeEntity,
  DeliveryCountEntity,
  EventFeedEntity,
  WebhookAttemptEntity,
  WebhookDeliveryEntity,
  WebhookEndpointEntity,
];

const POLL_INTERVAL_MS = 1_000;
const WATCH_INTERVAL_MS = 60_000;
const RELEASE_INTERVAL_MS = 60_000;
const RETENTION_INTERVAL_MS = 10 * 60_000;
/** Long enough that the changes of an application share a count; short enough that a page has few of them to add. */
const COUNTS_INTERVAL_MS = 10_000;
/** Changes that are added to the counts at a time. */
const COUNTS_BATCH = 5_000;

/** Outbox, deliveries and attempts of webhooks (specification/webhooks.md#delivery). */
@Module({
  imports: [
    TypeOrmModule.forFeature(entities),
    ApplicationsModule,
    PaymentsModule,
    RefundsModule,
    WalletsModule,
  ],
  controllers: [
    AdminDeliveriesController,
    DeliveryExportsController,
    EventsController,
    WebhookEndpointController,
    WebhookLogController,
    DeliveryListController,
  ],
  providers: [
    WalletNotices,
    AttemptMacs,
    BlockedDeliveries,
    BlockedDeliveryRepository,
    DeliveriesService,
    DeliveryCountRepository,
    DeliveryRepository,
    DeliveryListRepository,
    DeliveryListService,
    DeliveryExportRepository,
    DeliveryExports,
    EventFeedRepository,
    EventStreams,
    EventWatch,
    EventWatchRepository,
    FailingEndpointRepository,
    FailingEndpoints,
    SignedSender,
    UnacknowledgedPaymentsService,
    WebhookDispatcher,
    WebhookEndpointRepository,
    WebhookEndpointService,
    WebhookLogRepository,
    WebhookLogService,
    WebhookRetention,
    TestEventsService,
    {
      provide: WebhookSender,
      inject: [CONFIG],
      useFactory: ({ production, webhooks }: Config) =>
        new WebhookSender({ production, ...webhooks, userAgent: USER_AGENT }),
    },
  ],
  exports: [EventWatch, FailingEndpoints, WebhookDispatcher],
})
export class WebhooksModule implements OnApplicationBootstrap {
  constructor(
    @Inject(WebhookDispatcher) private readonly dispatcher: WebhookDispatcher,
    @Inject(BlockedDeliveries) private readonly blocked: BlockedDeliveries,
    @Inject(WebhookRetention) private readonly retention: WebhookRetention,
    @Inject(DeliveryCountRepository) private readonly counts: DeliveryCountRepository,
    @Inject(EventStreams) private readonly streams: EventStreams,
    @Inject(EventWatch) private readonly watch: EventWatch,
    @Inject(PollingLoops) private readonly loops: PollingLoops,
  ) {}

  onApplicationBootstrap(): void {
    this.loops.start({ name: LoopName.WebhookDelivery, role: 'worker', intervalMs: POLL_INTERVAL_MS }, () =>
      this.dispatcher.next(),
    );
    this.loops.start(
      { name: LoopName.BlockedWebhooks, role: 'worker', intervalMs: RELEASE_INTERVAL_MS },
      () => this.blocked.runOnce(),
    );
    this.loops.start(
      { name: LoopName.WebhookRetention, role: 'worker', intervalMs: RETENTION_INTERVAL_MS },
      () => this.retention.runOnce(),
    );
    this.loops.start(
      { name: LoopName.DeliveryCounts, role: 'worker', intervalMs: COUNTS_INTERVAL_MS },
      async () => (await this.counts.add(COUNTS_BATCH)) === COUNTS_BATCH,
    );
    this.loops.start({ name: LoopName.EventWatch, role: 'worker', intervalMs: WATCH_INTERVAL_MS }, () =>
      this.watch.runOnce(),
    );
    this.loops.start({ name: LoopName.EventStreams, role: 'api', intervalMs: POLL_INTERVAL_MS }, () =>
      this.streams.runOnce(),
    );
  }
}
