import { Column, Entity, PrimaryColumn } from 'typeorm';

/** What was wrong: the password, or the code after a right password. */
export const REFUSAL_REASONS = ['password', 'code'] as const;
export type RefusalReason = (typeof REFUSAL_REASONS)[number];

/** Stands for every account that does not exist, so that a refusal writes the same for them. */
export const NO_USER = '00000000-0000-0000-0000-000000000000';

/** How many sign-ins of an account were refused. */
@Entity('refused_sign_ins')
export class RefusedSignInEntity {
  /** {@link NO_USER} for accounts that do not exist. */
  @PrimaryColumn({ name: 'user_id', type: 'uuid' })
  userId: string;

  @PrimaryColumn({ type: 'text' })
  reason: RefusalReason;

  /** Since the last sign-in. */
  @Column({ name: 'since_last', type: 'integer' })
  sinceLast: number;

  /** Between the last two sign-ins. */
  @Column({ name: 'before_last', type: 'integer', default: 0 })
  beforeLast: number;

  @Column({ name: 'refused_at', type: 'timestamptz' })
  refusedAt: Date;

  /** Whether the bound of the account was reached since the last sign-in. */
  @Column({ name: 'is_bound_reached', type: 'boolean', default: false })
  isBoundReached: boolean;

  /** When the audit log last said that the bound was reached. */
  @Column({ name: 'reported_at', type: 'timestamptz', nullable: true })
  reportedAt: Date | null;
}
