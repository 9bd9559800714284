import { Injectable, type OnModuleInit } from '@nestjs/common';
import { ApplicationsService } from '../applications/applications.service.js';
import { SigningSecretsService } from '../applications/signing-secrets.service.js';
import { AuditLog } from '../platform/integrity/audit-log.service.js';
import { Clock, toIsoSecondsOrNull } from '../platform/kernel/clock.pure.js';
import { PollingLoops } from '../platform/database/polling-loop.js';
import { LoopName } from '../platform/kernel/loop-name.pure.js';
import { Sql } from '../platform/database/sql.js';
import type { WebhookEndpointContract } from './webhook-endpoint.contract.js';
import { type EndpointRecord, WebhookEndpointRepository } from './webhook-endpoint.repository.js';

/** The endpoint of an application: whether it is paused, and how its deliveries fare. */
@Injectable()
export class WebhookEndpointService implements OnModuleInit {
  constructor(
    private readonly sql: Sql,
    private readonly clock: Clock,
    private readonly applications: ApplicationsService,
    private readonly loops: PollingLoops,
    private readonly audit: AuditLog,
    private readonly endpoints: WebhookEndpointRepository,
    private readonly secrets: SigningSecretsService,
  ) {}

  onModuleInit(): void {
    this.applications.callbackUrlSaved.listen((applicationId) => this.endpoints.resumeGone(applicationId));
  }

  /** @throws NotFoundError */
  async get(userId: string, applicationId: string): Promise<WebhookEndpointContract> {
    const { id } = await this.applications.getOwned(userId, applicationId);
    const record = await this.endpoints.findRecord(id);
    if (!record) throw new Error(`application ${id} has no site`);
    return present(record, await this.secrets.findPreviousUntil(id));
  }

  /** Attempts in flight end; new events wait. Repeating it changes only the reason. */
  async pause(
    userId: string,
    applicationId: string,
    reason: string | null,
  ): Promise<WebhookEndpointContract> {
    const { id } = await this.applications.getOwned(userId, applicationId);
    await this.sql.transaction(async () => {
      await this.endpoints.pause(id, reason, this.clock.now());
      const target = { kind: 'application', id };
      await this.audit.record({
        act: 'endpoint.paused',
        userId,
        target,
        details: { reason: 'merchant' },
      });
    });
    return this.get(userId, applicationId);
  }

  /** Only the current secret signs from now on. Repeating it changes nothing. */
  async endPreviousSecret(userId: string, applicationId: string): Promise<WebhookEndpointContract> {
    await this.applications.endPreviousSecret(userId, applicationId);
    return this.get(userId, applicationId);
  }

  /** Waiting deliveries are sent now, in order per payment. Repeating it changes nothing. */
  async resume(userId: string, applicationId: string): Promise<WebhookEndpointContract> {
    const { id } = await this.applications.getOwned(userId, applicationId);
    await this.sql.transaction(async () => {
      if (!(await this.endpoints.resume(id))) return;
      await this.audit.record({ act: 'endpoint.resumed', userId, target: { kind: 'application', id } });
    });
    this.loops.wake(LoopName.WebhookDelivery);
    return this.get(userId, applicationId);
  }
}

const PAUSED_BY = { gone: 'GONE', merchant: 'MERCHANT' } as const;

function present(record: EndpointRecord, previousSecretUntil: Date | null): WebhookEndpointContract {
  return {
    callbackUrl: record.callbackUrl,
    paused: record.pausedAt !== null,
    pausedAt: toIsoSecondsOrNull(record.pausedAt),
    pausedBy: record.pausedBy && PAUSED_BY[record.pausedBy],
    pauseReason: record.pauseReason,
    waiting: record.waiting,
    consecutiveFailures: record.consecutiveFailures,
    lastFailureAt: toIsoSecondsOrNull(record.lastFailureAt),
    lastError: record.lastError,
    lastSuccessAt: toIsoSecondsOrNull(record.lastSuccessAt),
    previousSecretUntil: toIsoSecondsOrNull(previousSecretUntil),
  };
}
