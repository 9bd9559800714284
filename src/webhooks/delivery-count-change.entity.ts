import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { EventType } from '../applications/event-types.pure.js';
import type { DeliveryStatus } from './webhook-delivery.contract.js';

/**
 * What the count of a kind of deliveries changes by. Triggers write it once for each statement; a loop adds it to the
 * counts within seconds and deletes it.
 */
@Entity('webhook_delivery_count_changes')
export class DeliveryCountChangeEntity {
  @PrimaryColumn({ name: 'user_id', type: 'text' })
  userId: string;

  @PrimaryColumn({ name: 'application_id', type: 'uuid' })
  applicationId: string;

  @PrimaryColumn({ type: 'bigint' })
  seq: string;

  /** In which the deliveries were created; its beginning. */
  @Column({ type: 'timestamptz' })
  hour: Date;

  @Column({ type: 'text' })
  type: EventType;

  @Column({ type: 'text' })
  status: DeliveryStatus;

  @Column({ type: 'bigint' })
  change: string;
}
