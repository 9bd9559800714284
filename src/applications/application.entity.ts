import type { AuditedTable } from '../platform/integrity/audited-table.js';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A merchant's payment application. Its settings are in its site. */
@Entity('payment_applications')
export class ApplicationEntity {
  @PrimaryColumn({ type: 'uuid' })
  id: string;

  @Column({ name: 'user_id', type: 'text' })
  userId: string;

  @Column({ type: 'text' })
  name: string;

  @Column({ name: 'client_id', type: 'text' })
  clientId: string;

  /** The secret that signs webhooks, encrypted. */
  @Column({ name: 'sealed_secret', type: 'text', select: false })
  sealedSecret: string;

  /** Signs beside the new secret until {@link previousSecretUntil}; null exactly where that is. */
  @Column({ name: 'sealed_previous_secret', type: 'text', nullable: true, select: false })
  sealedPreviousSecret: string | null;

  @Column({ name: 'previous_secret_until', type: 'timestamptz', nullable: true, select: false })
  previousSecretUntil: Date | null;

  /** Empty: every currency. */
  @Column({ name: 'currency_whitelist', type: 'text', array: true })
  currencyWhitelist: string[];

  @Column({ name: 'created_at', type: 'timestamptz' })
  createdAt: Date;

  @Column({ name: 'deleted_at', type: 'timestamptz', nullable: true })
  deletedAt: Date | null;
}

/** Who owns it, and the secrets that sign its webhooks. */
export const APPLICATIONS: AuditedTable<ApplicationEntity> = {
  entity: ApplicationEntity,
  key: ['id'],
  fields: [
    'userId',
    'name',
    'clientId',
    'sealedSecret',
    'sealedPreviousSecret',
    'previousSecretUntil',
    'currencyWhitelist',
    'deletedAt',
  ],
};
