import { Inject, Module, type OnApplicationBootstrap } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ApplicationsModule } from '../applications/applications.module.js';
import { PollingLoops } from '../platform/database/polling-loop.js';
import { LoopName } from '../platform/kernel/loop-name.pure.js';
import { OAuthModule } from '../identity/oauth/oauth.module.js';
import { UserErasure } from '../identity/oauth/people/user-erasure.service.js';
import { AccessGuard } from './auth.guard.js';
import { AccountAccess } from './account-access.service.js';
import { BearerStrategy } from './bearer.strategy.js';
import { ClientTokenEntity } from './client-token.entity.js';
import { ClientTokenRepository } from './client-token.repository.js';
import { ClientTokenPrincipalsService } from './client-token-principals.service.js';
import { ClientTokensController } from './client-tokens.controller.js';
import { ClientTokensService } from './client-tokens.service.js';
import { RequestLogController } from './requests/request-log.controller.js';
import { RequestLogEntity } from './requests/request-log.entity.js';
import { RequestLogRepository } from './requests/request-log.repository.js';
import { RequestLog } from './requests/request-log.service.js';
import { TokenRefusals } from './token-refusals.service.js';

export const entities = [ClientTokenEntity, RequestLogEntity];

/** Milliseconds. */
const WRITE_INTERVAL_MS = 1_000;
const PURGE_INTERVAL_MS = 10 * 60_000;

/** The global access guard, client tokens, and the log of what servers ask. */
@Module({
  imports: [TypeOrmModule.forFeature(entities), ApplicationsModule, OAuthModule],
  controllers: [ClientTokensController, RequestLogController],
  providers: [
    AccountAccess,
    BearerStrategy,
    ClientTokenPrincipalsService,
    ClientTokenRepository,
    ClientTokensService,
    RequestLog,
    RequestLogRepository,
    TokenRefusals,
    { provide: APP_GUARD, useClass: AccessGuard },
  ],
})
export class TokensModule implements OnApplicationBootstrap {
  constructor(
    @Inject(RequestLog) private readonly log: RequestLog,
    @Inject(PollingLoops) private readonly loops: PollingLoops,
    @Inject(UserErasure) private readonly erasure: UserErasure,
  ) {}

  onApplicationBootstrap(): void {
    this.erasure.erasing.listen((userId) => this.log.forget(userId));
    this.loops.start({ name: LoopName.RequestLog, role: 'api', intervalMs: WRITE_INTERVAL_MS }, () =>
      this.log.writeOnce(),
    );
    this.loops.start({ name: LoopName.RequestLogPurge, role: 'worker', intervalMs: PURGE_INTERVAL_MS }, () =>
      this.log.purge(),
    );
  }
}
