import { Inject, Module, type OnApplicationBootstrap } from '@nestjs/common';
import { ApplicationsModule } from '../applications/applications.module.js';
import { PollingLoops } from '../common/polling-loop.js';
import { CONFIG, type Config } from '../config.js';
import { PaymentsModule } from '../payments/payments.module.js';
import { DeliveriesService } from './deliveries.service.js';
import { USER_AGENT } from './user-agent.js';
import { WebhookDispatcher, WEBHOOKS_LOOP } from './webhook-dispatcher.service.js';
import { WebhookLogController } from './webhook-log.controller.js';
import { WebhookLogService } from './webhook-log.service.js';
import { WebhookSender } from './webhook-sender.js';

const POLL_INTERVAL_MS = 1_000;
const RELEASE_INTERVAL_MS = 60_000;

/** Outbox, delivery, attempt: what the merchants' servers are told (api.md G). */
@Module({
  imports: [ApplicationsModule, PaymentsModule],
  controllers: [WebhookLogController],
  providers: [
    DeliveriesService,
    WebhookDispatcher,
    WebhookLogService,
    {
      provide: WebhookSender,
      inject: [CONFIG],
      useFactory: ({ production, webhooks }: Config) =>
        new WebhookSender({ production, ...webhooks, userAgent: USER_AGENT }),
    },
  ],
  exports: [WebhookDispatcher],
})
export class WebhooksModule implements OnApplicationBootstrap {
  constructor(
    @Inject(WebhookDispatcher) private readonly dispatcher: WebhookDispatcher,
    @Inject(PollingLoops) private readonly loops: PollingLoops,
  ) {}

  onApplicationBootstrap(): void {
    this.loops.start('worker', WEBHOOKS_LOOP, POLL_INTERVAL_MS, () => this.dispatcher.poll());
    this.loops.start('worker', 'webhooks-blocked', RELEASE_INTERVAL_MS, () =>
      this.dispatcher.releaseBlocked(),
    );
  }
}
