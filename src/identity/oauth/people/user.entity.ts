import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { AuthenticatedTable } from '../../../platform/integrity/authenticated-rows.js';

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

  /** Argon2id in PHC string format (passwords.ts). */
  @Column({ name: 'password_hash', type: 'text', select: false })
  passwordHash: string;

  /** Id of the key of APP_KEYS that peppered the password. */
  @Column({ name: 'password_key', type: 'text', select: false })
  passwordKey: string;

  /** May see the operator's views (specification/operations.md#operator-views). */
  @Column({ name: 'is_operator', type: 'boolean' })
  isOperator: boolean;

  @Column({ name: 'disabled_at', type: 'timestamptz', nullable: true })
  disabledAt: Date | null;

  /** Whether signing in takes a code, so that a deleted row of second_factors does not switch that off. */
  @Column({ name: 'has_second_factor', type: 'boolean', default: false })
  hasSecondFactor: boolean;

  @Column({ name: 'created_at', type: 'timestamptz' })
  createdAt: Date;

  @Column({ type: 'text', nullable: true, select: false })
  mac: string | null;
}

/** The name is left out: it grants nothing. */
const AUTHENTICATED = [
  'id',
  'email',
  'passwordHash',
  'passwordKey',
  'isOperator',
  'disabledAt',
  'hasSecondFactor',
] as const;

export const USERS: AuthenticatedTable<UserEntity, (typeof AUTHENTICATED)[number]> = {
  entity: UserEntity,
  key: ['id'],
  fields: AUTHENTICATED,
  audited: { changes: 'all' },
};
