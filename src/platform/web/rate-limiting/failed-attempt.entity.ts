import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { BudgetKind } from './brute-force-throttle.pure.js';

/** A budget of failures or guesses from which something was taken. A budget without a row is whole. */
@Entity('failed_attempts')
export class FailedAttemptEntity {
  @PrimaryColumn({ type: 'text' })
  kind: BudgetKind;

  /** The client's address, a hash, or the user's id, by kind. */
  @PrimaryColumn({ type: 'text' })
  subject: string;

  /** When the budget is whole again (rate-limit.pure.ts). */
  @Column({ name: 'restored_at', type: 'timestamptz' })
  restoredAt: Date;
}
