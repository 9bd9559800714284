import { Column, Entity, PrimaryColumn } from 'typeorm';

/** How far the payments have been compared: at most one row. */
@Entity('reconciliation_progress')
export class ReconciliationProgressEntity {
  /** Always true. */
  @PrimaryColumn({ name: 'only_one', type: 'boolean' })
  onlyOne: boolean;

  /** Encrypted text of {@link formatProgress}. Unreadable under other APP_KEYS: then all payments are compared. */
  @Column({ name: 'sealed_progress', type: 'text' })
  sealedProgress: string;
}
