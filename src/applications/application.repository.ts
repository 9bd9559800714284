import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { IsNull, Not, type Repository } from 'typeorm';
import { columnsOf } from '../platform/database/entity-sql.js';
import { namedStatement } from '../platform/database/named-statement.pure.js';
import { Sql } from '../platform/database/sql.js';
import type { PageQuery } from '../platform/web/http/pagination.js';
import type { AuthenticatedRows } from '../platform/integrity/authenticated-rows.js';
import { AuditHistory } from '../platform/integrity/audit-history.service.js';
import { rowChanged } from '../platform/integrity/audited-table.js';
import { RowFingerprints } from '../platform/integrity/row-fingerprints.service.js';
import { RowAuthenticator } from '../platform/integrity/row-authenticator.service.js';
import { type RecentRead, RecentReads } from '../platform/database/recent-reads.js';
import { APPLICATIONS, ApplicationEntity } from './application.entity.js';
import {
  APPLICATION_FIELDS,
  type ApplicationView,
  SITE_FIELDS,
  type SiteView,
} from './application-view.pure.js';
import { SettingsIntegrityError } from './settings-integrity.pure.js';
import { SITE_VERSION, SiteEntity, SITES } from './site.entity.js';
import { UNDERPAY_SHARES } from './underpay-shares.pure.js';

/** A new application; the columns that are left out get their defaults. */
export type NewApplication = Pick<
  ApplicationEntity,
  'id' | 'userId' | 'name' | 'clientId' | 'sealedSecret' | 'currencyWhitelist' | 'createdAt'
>;
export type NewSite = Omit<SiteEntity, 'settingTitle' | 'logoId' | 'logoHash' | 'mac'>;

/** What a change of an application depends on; its row is locked. */
export interface LockedApplication extends Pick<ApplicationEntity, 'name' | 'sealedSecret' | 'deletedAt'> {
  callbackUrl: string | null;
}

/** Fields that are undefined keep their values; null clears an address. */
export interface SiteChanges extends Partial<
  Pick<
    SiteEntity,
    | 'url'
    | 'callbackUrl'
    | 'allowOverpay'
    | 'allowUnderpay'
    | 'underpayLeastShareBps'
    | 'underpayToleranceBps'
    | 'confirmations'
    | 'events'
    | 'accent'
    | 'supportUrl'
    | 'defaultLanguage'
  >
> {
  /** The application's owner. */
  userId: string;
  /** The application's name before and after the change. */
  oldName: string;
  newName: string | undefined;
}

/** A site with all that its MAC covers. */
export type StoredSite = Pick<SiteEntity, (typeof STORED_FIELDS)[number]>;

/** Whether soft-deleted applications are listed beside the others, alone, or not at all. */
export type Trashed = 'with' | 'only' | undefined;

const APPLICATION = columnsOf(ApplicationEntity, 'a', APPLICATION_FIELDS);
const STORED_FIELDS = [...SITES.fields, 'mac'] as const;
const VIEW_SITE = columnsOf(SiteEntity, 's', STORED_FIELDS, 'site.');
// One row with its site, to be completed by the condition that finds it.
const SELECT_VIEW = `
  select ${APPLICATION.list}, ${VIEW_SITE.list}
  from payment_applications a join sites s on s.application_id = a.id`;
const FIND_BY_ID = `${SELECT_VIEW} where a.id = $1`;
// The site's MAC says whose it is: whom a writer of the database made the owner of the application alone has none.
const FIND_OWNED = `${SELECT_VIEW} where a.id = $1 and a.user_id = $2 and s.user_id = $2`;
const FIND_BY_CLIENT_ID = `${SELECT_VIEW} where a.client_id = $1`;
const FIND_BY_SITE_ID = `${SELECT_VIEW} where s.id = $1`;
const LISTED = `a.user_id = $1 and ($2::boolean is null or (a.deleted_at is not null) = $2)`;
const LIST = `${SELECT_VIEW} where ${LISTED} order by a.created_at desc, a.id desc limit $3 offset $4`;
const COUNT = `select count(*)::int as total from payment_applications a where ${LISTED}`;

const COUNT_ACTIVE = `
  select a.user_id as "userId", count(*)::int as count from payment_applications a
  where a.user_id = any ($1) and a.deleted_at is null group by a.user_id`;

const LOCKED = columnsOf(ApplicationEntity, 'a', ['name', 'sealedSecret', 'deletedAt']);
const LOCK_OWNED = `
  select ${LOCKED.list}, s.callback_url as "callbackUrl"
  from payment_applications a join sites s on s.application_id = a.id
  where a.id = $1 and a.user_id = $2 and s.user_id = $2 for update of a`;
const LOCK = `select from payment_applications where id = $1 for no key update`;
const UPDATE = `
  update payment_applications
  set name = coalesce($2, name), currency_whitelist = coalesce($3, currency_whitelist)
  where id = $1`;
const SITE = columnsOf(SiteEntity, 's', STORED_FIELDS);
const LIST_SITES = `
  select ${SITE_VERSION} as version, ${SITE.list} from sites s where s.application_id = any($1::uuid[])`;
const LOCK_SITE = `select ${SITE.list} from sites s where s.application_id = $1 for no key update`;
const UPDATE_SITE = namedStatement<SiteColumns>(`
  update sites set
    user_id = :userId,
    -- The title follows the name as long as the two are equal (specification/applications.md#settings).
    title = case when title = :oldName or :isUntrusted::boolean then coalesce(:newName, :oldName) else title end,
    url = case when :hasUrl then :url else url end,
    callback_url = case when :hasCallbackUrl then :callbackUrl else callback_url end,
    allow_overpay = coalesce(:allowOverpay, allow_overpay),
    allow_underpay = coalesce(:allowUnderpay, allow_underpay),
    underpay_least_share_bps = coalesce(:underpayLeastShareBps::integer,
      case when :isUntrusted::boolean then ${UNDERPAY_SHARES.underpayLeastShareBps} else underpay_least_share_bps end),
    underpay_tolerance_bps = coalesce(:underpayToleranceBps::integer,
      case when :isUntrusted::boolean then ${UNDERPAY_SHARES.underpayToleranceBps} else underpay_tolerance_bps end),
    confirmations = coalesce(:confirmations::jsonb, confirmations),
    events = coalesce(:events::text[], events),
    accent = case when :hasAccent then :accent when not :isUntrusted::boolean then accent end,
    support_url = case when :hasSupportUrl then :supportUrl when not :isUntrusted::boolean then support_url end,
    default_language =
      case when :hasDefaultLanguage then :defaultLanguage when not :isUntrusted::boolean then default_language end,
    logo_id = case when not :isUntrusted::boolean then logo_id end,
    logo_hash = case when not :isUntrusted::boolean then logo_hash end,
    -- Links that ended while the event was not listed are never announced: listing it again begins anew.
    expired_since = case when 'payment.expired' = any (coalesce(:events::text[], events))
      then coalesce(expired_since, :now::timestamptz) end
  where application_id = :applicationId`);
const LOCK_OWNER = `select pg_advisory_xact_lock(hashtextextended('payment-applications|' || $1, 0))`;

/** Values of {@link UPDATE_SITE}. */
interface SiteColumns extends Omit<SiteChanges, 'confirmations'> {
  applicationId: string;
  /** What the row has is not kept. */
  isUntrusted: boolean;
  hasUrl: boolean;
  hasCallbackUrl: boolean;
  hasAccent: boolean;
  hasSupportUrl: boolean;
  hasDefaultLanguage: boolean;
  /** JSON. */
  confirmations: string | undefined;
  now: Date;
}

/** Payment applications with their sites, but for their secrets (payment_applications, sites). */
@Injectable()
export class ApplicationRepository {
  /** By condition and its value. */
  private readonly recent: RecentRead<ApplicationView>;
  private readonly authenticated: AuthenticatedRows<SiteEntity, (typeof SITES.fields)[number]>;

  constructor(
    @InjectRepository(ApplicationEntity) private readonly applications: Repository<ApplicationEntity>,
    @InjectRepository(SiteEntity) private readonly sites: Repository<SiteEntity>,
    private readonly sql: Sql,
    private readonly history: AuditHistory,
    authenticator: RowAuthenticator,
    fingerprints: RowFingerprints,
    recent: RecentReads,
  ) {
    this.recent = recent.of();
    this.authenticated = authenticator.register(SITES);
    fingerprints.register(APPLICATIONS);
  }

  findById(id: string): Promise<ApplicationView | null> {
    return this.recent.get(`id ${id}`, () => this.find(FIND_BY_ID, [id]));
  }

  async findOwned(userId: string, id: string): Promise<ApplicationView | null> {
    const found = await this.find(FIND_OWNED, [id, userId]);
    return found && (await this.isOwned(found)) ? found : null;
  }

  findByClientId(clientId: string): Promise<ApplicationView | null> {
    return this.recent.get(`client ${clientId}`, () => this.find(FIND_BY_CLIENT_ID, [clientId]));
  }

  findBySiteId(siteId: string): Promise<ApplicationView | null> {
    return this.recent.get(`site ${siteId}`, () => this.find(FIND_BY_SITE_ID, [siteId]));
  }

  /** Newest first. @param page null: all of them */
  async list(
    userId: string,
    trashed: Trashed,
    page: PageQuery | null,
  ): Promise<{ items: ApplicationView[]; total: number }> {
    const isDeleted = { with: null, only: true, none: false }[trashed ?? 'none'];
    const [rows, [count]] = await Promise.all([
      this.sql.query<object>(LIST, [userId, isDeleted, page?.limit ?? null, page?.offset ?? 0]),
      this.sql.query<{ total: number }>(COUNT, [userId, isDeleted]),
    ]);
    const items = rows.map((row) => this.viewOf(row));
    const owned = await Promise.all(items.map((item) => this.isOwned(item)));
    return { items: items.filter((_, i) => owned[i]), total: count?.total ?? 0 };
  }

  /** As they are stored: whether they are authentic is not checked. Applications without one are left out. */
  async listSites(applicationIds: readonly string[]): Promise<{ version: string; site: StoredSite }[]> {
    const rows = await this.sql.query<{ version: string }>(LIST_SITES, [applicationIds]);
    return rows.map((row) => ({ version: row.version, site: SITE.toEntity(row) }));
  }

  /** Those that are not deleted; users without one are left out. */
  countActive(userIds: readonly string[]): Promise<{ userId: string; count: number }[]> {
    return this.sql.query(COUNT_ACTIVE, [userIds]);
  }

  async insert(application: NewApplication, site: NewSite): Promise<void> {
    await this.applications.insert(application);
    rowChanged(APPLICATIONS, application.id);
    await this.sites.insert(site);
    await this.authenticate(site.applicationId);
  }

  /** Also a soft-deleted one; null when the user has no such application. */
  async lockOwned(userId: string, id: string): Promise<LockedApplication | null> {
    const [row] = await this.sql.query<LockedApplication>(LOCK_OWNED, [id, userId]);
    return row && (await this.findOwned(userId, id)) ? row : null;
  }

  /** Locks an application until the transaction ends. */
  async lock(id: string): Promise<void> {
    await this.sql.query(LOCK, [id]);
  }

  /** Undefined keeps the value. */
  async update(id: string, name: string | undefined, currencyWhitelist: string[] | undefined): Promise<void> {
    rowChanged(APPLICATIONS, id);
    await this.sql.query(UPDATE, [id, name, currencyWhitelist]);
  }

  /**
   * Settings that were changed outside of the gateway are accepted again only if every one is given that decides about
   * payments; branding that is not given is cleared then.
   * @throws SettingsIntegrityError
   */
  async updateSite(applicationId: string, changes: SiteChanges, now: Date): Promise<void> {
    const { url, callbackUrl, allowOverpay, allowUnderpay, events, accent, supportUrl, defaultLanguage } =
      changes;
    const stored = await this.lockSite(applicationId);
    const isUntrusted = !this.authenticated.isAuthentic(stored);
    // Who was made its owner by a writer of the database must not make the settings theirs.
    if (!isUntrusted && !this.isOfOwner(stored, changes.userId)) throw new SettingsIntegrityError();
    const given = [url, callbackUrl, allowOverpay, allowUnderpay, events, changes.confirmations];
    if (isUntrusted && given.includes(undefined)) throw new SettingsIntegrityError();
    const columns: SiteColumns = {
      ...changes,
      // Also those that were not given: the statement needs each of them.
      url,
      callbackUrl,
      allowOverpay,
      allowUnderpay,
      underpayLeastShareBps: changes.underpayLeastShareBps,
      underpayToleranceBps: changes.underpayToleranceBps,
      events,
      accent,
      supportUrl,
      defaultLanguage,
      applicationId,
      isUntrusted,
      hasUrl: url !== undefined,
      hasCallbackUrl: callbackUrl !== undefined,
      hasAccent: accent !== undefined,
      hasSupportUrl: supportUrl !== undefined,
      hasDefaultLanguage: defaultLanguage !== undefined,
      confirmations: changes.confirmations && JSON.stringify(changes.confirmations),
      now,
    };
    await this.sql.query(UPDATE_SITE.text, UPDATE_SITE.values(columns));
    await this.authenticate(applicationId);
  }

  /** @param logo null: none. @throws SettingsIntegrityError */
  async setLogo(applicationId: string, logo: { id: string; sha256: string } | null): Promise<void> {
    if (!this.authenticated.isAuthentic(await this.lockSite(applicationId)))
      throw new SettingsIntegrityError();
    await this.sites.update({ applicationId }, { logoId: logo?.id ?? null, logoHash: logo?.sha256 ?? null });
    await this.authenticate(applicationId);
  }

  /** False: it was deleted already. */
  async delete(userId: string, id: string, now: Date): Promise<boolean> {
    const { affected } = await this.applications.update(
      { id, userId, deletedAt: IsNull() },
      { deletedAt: now },
    );
    if (affected === 1) rowChanged(APPLICATIONS, id);
    return affected === 1;
  }

  /** False: it was not deleted. */
  async restore(userId: string, id: string): Promise<boolean> {
    const { affected } = await this.applications.update(
      { id, userId, deletedAt: Not(IsNull()) },
      { deletedAt: null },
    );
    if (affected === 1) rowChanged(APPLICATIONS, id);
    return affected === 1;
  }

  /**
   * How many applications of a user are not deleted. Until the transaction ends no other one can count them, so
   * parallel requests cannot pass a limit together.
   */
  async lockAndCountActive(userId: string): Promise<number> {
    await this.sql.query(LOCK_OWNER, [userId]);
    return this.applications.countBy({ userId, deletedAt: IsNull() });
  }

  private async find(statement: string, values: readonly string[]): Promise<ApplicationView | null> {
    const [row] = await this.sql.query<object>(statement, values);
    return row ? this.viewOf(row) : null;
  }

  private viewOf(row: object): ApplicationView {
    const stored = VIEW_SITE.toEntity(row);
    const site = Object.fromEntries(SITE_FIELDS.map((field) => [field, stored[field]])) as SiteView;
    const application = APPLICATION.toEntity(row);
    return { ...application, site, isSiteAuthentic: this.isOfOwner(stored, application.userId) };
  }

  /** Without an authentic site, the audit log says who made the application: it changes hands by no act. */
  private async isOwned({ id, userId, isSiteAuthentic }: ApplicationView): Promise<boolean> {
    if (isSiteAuthentic) return true;
    return this.history.hasDone(userId, 'application.created', { kind: 'application', id });
  }

  /** The site's MAC says who owns the application. */
  private isOfOwner(stored: StoredSite, userId: string): boolean {
    if (!this.authenticated.isAuthentic(stored)) return false;
    if (stored.userId === userId) return true;
    this.authenticated.reportMissing(stored.id, userId);
    return false;
  }

  private async lockSite(applicationId: string) {
    const [row] = await this.sql.query<object>(LOCK_SITE, [applicationId]);
    if (!row) throw new Error(`application ${applicationId} has no site`);
    return SITE.toEntity(row);
  }

  /** Of the row as it is stored: Postgres decides what becomes of the defaults and of a change. */
  private async authenticate(applicationId: string): Promise<void> {
    const mac = this.authenticated.mac(await this.lockSite(applicationId));
    await this.sites.update({ applicationId }, { mac });
  }
}
