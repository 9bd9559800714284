import { Inject, Module, type OnApplicationBootstrap } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ChainsModule } from '../chains/chains.module.js';
import { PollingLoops } from '../platform/database/polling-loop.js';
import { LoopName } from '../platform/kernel/loop-name.pure.js';
import { ApplicationEntity } from './application.entity.js';
import { ApplicationRepository } from './application.repository.js';
import { ApplicationsController } from './applications.controller.js';
import { ApplicationsService } from './applications.service.js';
import { LogoEntity } from './branding/logo.entity.js';
import { LogoRepository } from './branding/logo.repository.js';
import { LogosController } from './branding/logos.controller.js';
import { LogosService } from './branding/logos.service.js';
import { JoinedSites } from './joined-sites.service.js';
import { SigningSecretRepository } from './signing-secret.repository.js';
import { SigningSecretsService } from './signing-secrets.service.js';
import { SiteRecords } from './site-records.service.js';
import { SiteRecordsRepository } from './site-records.repository.js';
import { SiteEntity } from './site.entity.js';
import { SitesController } from './sites.controller.js';

const entities = [ApplicationEntity, SiteEntity, LogoEntity];
/** Milliseconds. Webhook secrets may be stored that much longer than the 24 h for which they still sign. */
const FORGET_INTERVAL_MS = 10 * 60_000;

/** Payment applications, their site and its settings. */
@Module({
  imports: [TypeOrmModule.forFeature(entities), ChainsModule],
  controllers: [ApplicationsController, LogosController, SitesController],
  providers: [
    ApplicationRepository,
    ApplicationsService,
    JoinedSites,
    LogoRepository,
    LogosService,
    SiteRecords,
    SiteRecordsRepository,
    SigningSecretRepository,
    SigningSecretsService,
  ],
  exports: [ApplicationsService, JoinedSites, LogosService, SigningSecretsService, SiteRecords],
})
export class ApplicationsModule implements OnApplicationBootstrap {
  constructor(
    @Inject(ApplicationsService) private readonly applications: ApplicationsService,
    @Inject(PollingLoops) private readonly loops: PollingLoops,
  ) {}

  onApplicationBootstrap(): void {
    this.loops.start(
      { name: LoopName.ExpiredSecrets, role: 'worker', intervalMs: FORGET_INTERVAL_MS },
      async () => {
        await this.applications.forgetExpiredSecrets();
        return false;
      },
    );
  }
}
