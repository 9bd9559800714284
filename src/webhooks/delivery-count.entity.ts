import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { EventType } from '../applications/event-types.pure.js';
import type { DeliveryStatus } from './webhook-delivery.contract.js';

/** How many deliveries of one kind were created in an hour of UTC. */
@Entity('webhook_delivery_counts')
export class DeliveryCountEntity {
  @PrimaryColumn({ name: 'user_id', type: 'text' })
  userId: string;

  @PrimaryColumn({ name: 'application_id', type: 'uuid' })
  applicationId: string;

  /** Its beginning. */
  @PrimaryColumn({ type: 'timestamptz' })
  hour: Date;

  @PrimaryColumn({ type: 'text' })
  type: EventType;

  @PrimaryColumn({ type: 'text' })
  status: DeliveryStatus;

  /** Below zero while changes of a delivery are added in two turns. */
  @Column({ type: 'bigint' })
  total: string;
}
