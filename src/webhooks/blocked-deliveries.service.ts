import { Injectable, Logger } from '@nestjs/common';
import { ApplicationsService } from '../applications/applications.service.js';
import { SigningSecretsService } from '../applications/signing-secrets.service.js';
import { Clock } from '../platform/kernel/clock.pure.js';
import { BlockedDeliveryRepository } from './blocked-delivery.repository.js';
import { SignedSender } from './signed-sender.service.js';

/** Deliveries that wait as `blocked`: they cannot be signed, or the settings of their application are not authentic. */
@Injectable()
export class BlockedDeliveries {
  private readonly logger = new Logger('BlockedDeliveries');

  constructor(
    private readonly clock: Clock,
    private readonly deliveries: BlockedDeliveryRepository,
    private readonly applications: ApplicationsService,
    private readonly secrets: SigningSecretsService,
    private readonly sender: SignedSender,
  ) {}

  /**
   * Releases those whose secret can be decrypted now (a key was restored, or the secret replaced) and whose settings are
   * authentic again, and those that have no endpoint any more, which need no signature. Returns false: nothing more to
   * do at once.
   */
  async runOnce(): Promise<boolean> {
    for (const { id: applicationId, hasEndpoint } of await this.deliveries.listApplications()) {
      if (!(await this.applications.getById(applicationId)).isSiteAuthentic) continue;
      if (hasEndpoint && !this.sender.canSign(await this.secrets.getSealed(applicationId))) continue;
      const count = await this.deliveries.release(applicationId, this.clock.now());
      this.logger.log({ applicationId, count }, 'blocked webhooks released');
    }
    return false;
  }
}
