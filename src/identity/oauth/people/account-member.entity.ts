import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { InvitedRole } from '../../../platform/kernel/account-roles.pure.js';
import type { AuthenticatedTable } from '../../../platform/integrity/authenticated-rows.js';

/** A user who may act in the account of another one (specification/authentication.md#members). */
@Entity('account_members')
export class AccountMemberEntity {
  /** The owner. */
  @PrimaryColumn({ name: 'account_id', type: 'uuid' })
  accountId: string;

  @PrimaryColumn({ name: 'user_id', type: 'uuid' })
  userId: string;

  @Column({ type: 'text' })
  role: InvitedRole;

  @Column({ name: 'created_at', type: 'timestamptz' })
  createdAt: Date;

  @Column({ type: 'text' })
  mac: string;
}

const AUTHENTICATED = ['accountId', 'userId', 'role'] as const;

export const ACCOUNT_MEMBERS: AuthenticatedTable<AccountMemberEntity, (typeof AUTHENTICATED)[number]> = {
  entity: AccountMemberEntity,
  key: ['accountId', 'userId'],
  fields: AUTHENTICATED,
  audited: { changes: 'all' },
};
