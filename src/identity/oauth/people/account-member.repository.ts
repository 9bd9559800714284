import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import type { InvitedRole } from '../../../platform/kernel/account-roles.pure.js';
import type { AuthenticatedRows } from '../../../platform/integrity/authenticated-rows.js';
import { RowAuthenticator } from '../../../platform/integrity/row-authenticator.service.js';
import { ACCOUNT_MEMBERS, AccountMemberEntity } from './account-member.entity.js';

/** Members of accounts (account_members). A row that the gateway did not write is as unknown. */
@Injectable()
export class AccountMemberRepository {
  private readonly authenticated: AuthenticatedRows<
    AccountMemberEntity,
    (typeof ACCOUNT_MEMBERS.fields)[number]
  >;

  constructor(
    @InjectRepository(AccountMemberEntity) private readonly rows: Repository<AccountMemberEntity>,
    authenticator: RowAuthenticator,
  ) {
    this.authenticated = authenticator.register(ACCOUNT_MEMBERS);
  }

  async find(accountId: string, userId: string): Promise<AccountMemberEntity | null> {
    return this.authenticated.authentic(await this.rows.findOneBy({ accountId, userId }));
  }

  /** The oldest first. */
  async listOfAccount(accountId: string): Promise<AccountMemberEntity[]> {
    const found = await this.rows.find({ where: { accountId }, order: { createdAt: 'ASC', userId: 'ASC' } });
    return found.filter((row) => this.authenticated.isAuthentic(row));
  }

  /** Where the user is a member. */
  async listOfUser(userId: string): Promise<AccountMemberEntity[]> {
    const found = await this.rows.find({ where: { userId }, order: { createdAt: 'ASC', accountId: 'ASC' } });
    return found.filter((row) => this.authenticated.isAuthentic(row));
  }

  async insert(member: Omit<AccountMemberEntity, 'mac'>): Promise<void> {
    await this.rows.insert({ ...member, mac: this.authenticated.mac(member) });
  }

  async setRole(member: AccountMemberEntity, role: InvitedRole): Promise<void> {
    const { accountId, userId } = member;
    await this.rows.update({ accountId, userId }, { role, mac: this.authenticated.mac(member, { role }) });
  }

  /** False: there was none. */
  async delete(accountId: string, userId: string): Promise<boolean> {
    const member = await this.rows.findOneBy({ accountId, userId });
    if (!member) return false;
    this.authenticated.changed(member);
    return (await this.rows.delete({ accountId, userId })).affected === 1;
  }
}
