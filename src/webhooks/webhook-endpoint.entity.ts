import type { AuditedTable } from '../platform/integrity/audited-table.js';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A paused endpoint; applications without a row are not paused. */
@Entity('webhook_endpoints')
export class WebhookEndpointEntity {
  @PrimaryColumn({ name: 'application_id', type: 'uuid' })
  applicationId: string;

  @Column({ name: 'paused_at', type: 'timestamptz' })
  pausedAt: Date;

  @Column({ type: 'text' })
  reason: string;

  /** `gone`: the endpoint returned 410, and saving its URL ends the pause. */
  @Column({ name: 'paused_by', type: 'text' })
  pausedBy: 'gone' | 'merchant';
}

export const WEBHOOK_ENDPOINTS: AuditedTable<WebhookEndpointEntity> = {
  entity: WebhookEndpointEntity,
  key: ['applicationId'],
  fields: ['pausedAt', 'reason', 'pausedBy'],
  enteredBy: 'endpoint.paused',
};
