import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A user who can sign in here. */
@Entity('users')
export class UserEntity {
  @PrimaryColumn('uuid')
  id: string;

  /** Lower case. */
  @Column({ type: 'text' })
  email: string;

  /** The display name; null: none. */
  @Column({ type: 'text', nullable: true })
  name: string | null;

  /** Argon2id in PHC string format. */
  @Column({ name: 'password_hash', type: 'text', select: false })
  passwordHash: string;

  /** May see the operator's views (specification/operations.md#operator-views). */
  @Column({ name: 'is_operator', type: 'boolean' })
  isOperator: boolean;

  @Column({ name: 'disabled_at', type: 'timestamptz', nullable: true })
  disabledAt: Date | null;

  @Column({ name: 'created_at', type: 'timestamptz' })
  createdAt: Date;
}
