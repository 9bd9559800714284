import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { IsNull, LessThan, MoreThan, type Repository } from 'typeorm';
import { columnsOf } from '../../platform/database/entity-sql.js';
import { Sql } from '../../platform/database/sql.js';
import type { AuthenticatedRows } from '../../platform/integrity/authenticated-rows.js';
import { RowAuthenticator } from '../../platform/integrity/row-authenticator.service.js';
import { ACCESS_LINKS, AccessLinkEntity, type AccessLinkKind } from './access-link.entity.js';

const LINK = columnsOf(AccessLinkEntity, 'l');
const FIND = `select ${LINK.list} from access_links l where l.token_hash = any($1)`;
const LOCK = `select ${LINK.list} from access_links l where l.id = $1 for update`;
const LOCK_KIND = `select from access_links where kind = $1 order by id for update`;

/** One-time links (access_links). A row that the gateway did not write is as unknown. */
@Injectable()
export class AccessLinkRepository {
  private readonly authenticated: AuthenticatedRows<AccessLinkEntity, (typeof ACCESS_LINKS.fields)[number]>;

  constructor(
    @InjectRepository(AccessLinkEntity) private readonly rows: Repository<AccessLinkEntity>,
    private readonly sql: Sql,
    authenticator: RowAuthenticator,
  ) {
    this.authenticated = authenticator.register(ACCESS_LINKS);
  }

  async insert(link: Omit<AccessLinkEntity, 'mac'>): Promise<void> {
    await this.rows.insert({ ...link, mac: this.authenticated.mac(link) });
  }

  /** @param hashes the token's, by every key of APP_KEYS */
  async find(hashes: readonly Buffer[]): Promise<AccessLinkEntity | null> {
    const [row] = await this.sql.query<object>(FIND, [hashes]);
    return this.authenticated.authentic(row && LINK.toEntity(row));
  }

  /** Locks the link until the transaction ends. */
  async lock(id: string): Promise<AccessLinkEntity | null> {
    const [row] = await this.sql.query<object>(LOCK, [id]);
    return this.authenticated.authentic(row && LINK.toEntity(row));
  }

  /** Locks every link of the kind, in one order, so that two of them are not used at once. */
  async lockAll(kind: AccessLinkKind): Promise<void> {
    await this.sql.query(LOCK_KIND, [kind]);
  }

  /** @param link as {@link lock} returned it in this transaction */
  async setUsed(link: AccessLinkEntity, usedAt: Date): Promise<void> {
    await this.rows.update({ id: link.id }, { usedAt, mac: this.authenticated.mac(link, { usedAt }) });
  }

  /** Those of a user that were not used. */
  async deleteUnused(kind: AccessLinkKind, userId: string): Promise<void> {
    await this.rows.delete({ kind, userId, usedAt: IsNull() });
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
    await this.rows.delete({ kind: 'invitation', accountId, email, usedAt: IsNull() });
  }

  /** False: there is none that was not used. */
  async deleteInvitation(accountId: string, id: string): Promise<boolean> {
    const where = { id, kind: 'invitation', accountId, usedAt: IsNull() } as const;
    return (await this.rows.delete(where)).affected === 1;
  }

  /** Links for a user, to the user's account, and invitations for the address. */
  async deleteAllOf(userId: string, email: string): Promise<void> {
    await this.rows.delete({ userId });
    await this.rows.delete({ accountId: userId });
    await this.rows.delete({ email });
  }

  async deleteEndedBefore(time: Date): Promise<void> {
    await this.rows.delete({ expiresAt: LessThan(time) });
  }
}
