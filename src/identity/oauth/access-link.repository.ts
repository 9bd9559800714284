import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type FindOptionsWhere, In, IsNull, LessThan, MoreThan, type Repository } from 'typeorm';
import type { AuthenticatedRows } from '../../platform/integrity/authenticated-rows.js';
import { RowAuthenticator } from '../../platform/integrity/row-authenticator.service.js';
import { ACCESS_LINKS, AccessLinkEntity, type AccessLinkKind } from './access-link.entity.js';

const LOCK = { mode: 'pessimistic_write' } as const;

/** One-time links (access_links). A row that the gateway did not write is as unknown. */
@Injectable()
export class AccessLinkRepository {
  private readonly authenticated: AuthenticatedRows<AccessLinkEntity, (typeof ACCESS_LINKS.fields)[number]>;

  constructor(
    @InjectRepository(AccessLinkEntity) private readonly rows: Repository<AccessLinkEntity>,
    authenticator: RowAuthenticator,
  ) {
    this.authenticated = authenticator.register(ACCESS_LINKS);
  }

  async insert(link: Omit<AccessLinkEntity, 'mac'>): Promise<void> {
    await this.rows.insert({ ...link, mac: this.authenticated.mac(link) });
  }

  /** @param hashes the token's, by every key of APP_KEYS */
  async find(hashes: readonly Buffer[]): Promise<AccessLinkEntity | null> {
    return this.authenticated.authentic(await this.rows.findOneBy({ tokenHash: In(hashes) }));
  }

  /** Locks the link until the transaction ends. */
  async lock(id: string): Promise<AccessLinkEntity | null> {
    return this.authenticated.authentic(await this.rows.findOne({ where: { id }, lock: LOCK }));
  }

  /** Locks every link of the kind, in one order, so that two of them are not used at once. */
  async lockAll(kind: AccessLinkKind): Promise<void> {
    await this.rows.find({ select: { id: true }, where: { kind }, order: { id: 'ASC' }, lock: LOCK });
  }

  /** @param link as {@link lock} returned it in this transaction */
  async setUsed(link: AccessLinkEntity, usedAt: Date): Promise<void> {
    await this.rows.update({ id: link.id }, { usedAt, mac: this.authenticated.mac(link, { usedAt }) });
  }

  /** Those of a user that were not used. */
  async deleteUnused(kind: AccessLinkKind, userId: string): Promise<void> {
    await this.delete({ kind, userId, usedAt: IsNull() });
  }

  /** Of an account, the newest first: neither used nor expired. */
  async listOpenInvitations(accountId: string, now: Date): Promise<AccessLinkEntity[]> {
    const found = await this.rows.find({
      where: { kind: 'invitation', accountId, usedAt: IsNull(), expiresAt: MoreThan(now) },
      order: { createdAt: 'DESC', id: 'DESC' },
    });
    return found.filter((link) => this.authenticated.isAuthentic(link));
  }

  /** Invitations of the account for an address that were not used. */
  async deleteOpenInvitations(accountId: string, email: string): Promise<void> {
    await this.delete({ kind: 'invitation', accountId, email, usedAt: IsNull() });
  }

  /** False: there is none that was not used. */
  async deleteInvitation(accountId: string, id: string): Promise<boolean> {
    return (await this.delete({ id, kind: 'invitation', accountId, usedAt: IsNull() })) === 1;
  }

  /** Links for a user, to the user's account, and invitations for the address. */
  async deleteAllOf(userId: string, email: string): Promise<void> {
    await this.delete({ userId });
    await this.delete({ accountId: userId });
    await this.delete({ email });
  }

  async deleteEndedBefore(time: Date): Promise<void> {
    await this.rows.delete({ expiresAt: LessThan(time) });
  }

  /** Before their time is over: the entry in the audit log lists them. Returns how many. */
  private async delete(where: FindOptionsWhere<AccessLinkEntity>): Promise<number> {
    const links = await this.rows.find({ where, order: { id: 'ASC' }, lock: LOCK });
    for (const link of links) this.authenticated.changed(link);
    if (links.length > 0) await this.rows.delete({ id: In(links.map(({ id }) => id)) });
    return links.length;
  }
}
