import { Inject, Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type FindOptionsWhere, IsNull, Not, Repository } from 'typeorm';
import { Clock } from '../common/clock.js';
import { ConflictError, NotFoundError, ValidationError } from '../common/errors.js';
import { newId, UUID } from '../common/ids.js';
import { Keyring, UnsealError } from '../common/keyring.js';
import type { PageQuery } from '../common/pagination.js';
import { type Queryable, Sql } from '../common/sql.js';
import { CONFIG, type Config } from '../config.js';
import { Application } from './application.entity.js';
import { type ApplicationView, toApplicationView } from './application-view.js';
import type { CreateApplicationDto, UpdateApplicationDto } from './applications.dto.js';
import { callbackUrlProblem } from './callback-url.js';
import { newClientId } from './client-id.js';

/** What the keyring seals webhook secrets for; the context is the application's id. */
const SECRET_PURPOSE = 'webhook-secret';
/** How long the secret before the last change signs beside the new one (api.md G3). */
const PREVIOUS_SECRET_MS = 24 * 3_600 * 1_000;

/** An {@link ApplicationView} as one row; completed by the condition that finds it. */
const SELECT_VIEW = `
  select a.id, a.user_id as "userId", a.name, a.client_id as "clientId",
    a.currency_whitelist as "currencyWhitelist", a.created_at as "createdAt", a.deleted_at as "deletedAt",
    json_build_object(
      'id', s.id, 'title', s.title, 'url', s.url, 'callbackUrl', s.callback_url,
      'settingId', s.setting_id, 'settingTitle', s.setting_title,
      'allowOverpay', s.allow_overpay, 'allowUnderpay', s.allow_underpay
    ) as site
  from payment_applications a join sites s on s.application_id = a.id`;
const FIND_BY_ID = `${SELECT_VIEW} where a.id = $1`;
const FIND_OWNED = `${SELECT_VIEW} where a.id = $1 and a.user_id = $2`;
const FIND_BY_CLIENT_ID = `${SELECT_VIEW} where a.client_id = $1`;
const FIND_BY_SITE_ID = `${SELECT_VIEW} where s.id = $1`;

interface SecretRow {
  sealed: string;
  previous: string | null;
  until: Date | null;
}

function notFound(): NotFoundError {
  return new NotFoundError('payment_application_not_found', 'Payment application not found');
}

/** Payment applications with their sites: written here only (spec.md, api.md F). */
@Injectable()
export class ApplicationsService {
  constructor(
    @InjectRepository(Application) private readonly applications: Repository<Application>,
    private readonly sql: Sql,
    private readonly clock: Clock,
    private readonly keyring: Keyring,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** Also soft-deleted ones: somebody must see what to restore. */
  async getOwned(userId: string, applicationId: string): Promise<ApplicationView> {
    const [view] = UUID.test(applicationId)
      ? await this.sql.query<ApplicationView>(FIND_OWNED, [applicationId, userId])
      : [];
    if (!view) throw notFound();
    return view;
  }

  /** Of any owner, also soft-deleted. */
  async getById(applicationId: string): Promise<ApplicationView> {
    const [view] = await this.sql.query<ApplicationView>(FIND_BY_ID, [applicationId]);
    if (!view) throw notFound();
    return view;
  }

  /** Of any owner, also soft-deleted: `deletedAt` says so. */
  async findByClientId(clientId: string): Promise<ApplicationView | null> {
    const [view] = await this.sql.query<ApplicationView>(FIND_BY_CLIENT_ID, [clientId]);
    return view ?? null;
  }

  /** Of any owner, also soft-deleted. @param siteId a UUID */
  async findBySiteId(siteId: string): Promise<ApplicationView | null> {
    const [view] = await this.sql.query<ApplicationView>(FIND_BY_SITE_ID, [siteId]);
    return view ?? null;
  }

  /**
   * The keys that webhooks are signed with; the previous one for 24 h after a change.
   * @throws UnsealError when the keyring cannot open them: such a secret never signs
   */
  async getSigningSecrets(applicationId: string): Promise<{ current: string; previous: string | null }> {
    const [row] = await this.sql.query<SecretRow>(
      `select sealed_secret as sealed, sealed_previous_secret as previous, previous_secret_until as until
       from payment_applications where id = $1`,
      [applicationId],
    );
    if (!row) throw notFound();
    const unseal = (sealed: string) => this.keyring.unseal(SECRET_PURPOSE, applicationId, sealed);
    const isPreviousValid = row.previous !== null && row.until !== null && row.until > this.clock.now();
    return {
      current: unseal(row.sealed),
      previous: isPreviousValid && row.previous !== null ? unseal(row.previous) : null,
    };
  }

  /** The application of a site, by the rules of {@link getOwned}. */
  async getOwnedBySiteId(userId: string, siteId: string): Promise<ApplicationView> {
    const view = UUID.test(siteId) ? await this.findBySiteId(siteId) : null;
    if (view?.userId !== userId) throw new NotFoundError('not_found', 'Site not found');
    return view;
  }

  /** Newest first; all of them without a page (api.md F). */
  async list(
    userId: string,
    trashed: 'with' | 'only' | undefined,
    page: PageQuery | null,
  ): Promise<{ items: ApplicationView[]; total: number }> {
    const deletion = { with: {}, only: { deletedAt: Not(IsNull()) }, none: { deletedAt: IsNull() } };
    const [applications, total] = await this.applications.findAndCount({
      where: { userId, ...deletion[trashed ?? 'none'] } satisfies FindOptionsWhere<Application>,
      relations: { site: true },
      order: { createdAt: 'DESC', id: 'DESC' },
      ...(page && { skip: page.offset, take: page.limit }),
    });
    return { items: applications.map(toApplicationView), total };
  }

  async create(userId: string, fields: CreateApplicationDto): Promise<ApplicationView> {
    this.checkCallbackUrl(fields.callbackUrl);
    const now = this.clock.now();
    const id = newId(now);
    const sealedSecret = this.keyring.seal(SECRET_PURPOSE, id, fields.secret);
    const { name, url = null, callbackUrl = null, currencyWhitelist = [] } = fields;
    const { allowOverpay = true, allowUnderpay = false } = fields;
    await this.sql.transaction(async (tx) => {
      await tx.query(
        `insert into payment_applications (id, user_id, name, client_id, sealed_secret, currency_whitelist, created_at)
         values ($1, $2, $3, $4, $5, $6, $7)`,
        [id, userId, name, newClientId(), sealedSecret, currencyWhitelist, now],
      );
      await tx.query(
        `insert into sites (id, application_id, user_id, title, url, callback_url, setting_id, allow_overpay, allow_underpay)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
        [newId(now), id, userId, name, url, callbackUrl, newId(now), allowOverpay, allowUnderpay],
      );
      await this.refuseAboveLimit(tx, userId);
    });
    return this.getById(id);
  }

  /** Changes what is given; an explicit null clears an address. */
  async update(userId: string, id: string, changes: UpdateApplicationDto): Promise<ApplicationView> {
    if (!UUID.test(id)) throw notFound();
    this.checkCallbackUrl(changes.callbackUrl);
    await this.sql.transaction(async (tx) => {
      const [current] = await tx.query<{ name: string; sealedSecret: string; isDeleted: boolean }>(
        `select name, sealed_secret as "sealedSecret", deleted_at is not null as "isDeleted"
         from payment_applications where id = $1 and user_id = $2 for update`,
        [id, userId],
      );
      if (!current) throw notFound();
      if (current.isDeleted)
        throw new ConflictError(
          'application_deleted',
          'The payment application is deleted. Restore it first.',
        );
      await this.updateSite(tx, id, current.name, changes);
      await tx.query(
        `update payment_applications
         set name = coalesce($2, name), currency_whitelist = coalesce($3, currency_whitelist)
         where id = $1`,
        [id, changes.name, changes.currencyWhitelist],
      );
      if (changes.secret !== undefined)
        await this.replaceSecret(tx, id, current.sealedSecret, changes.secret);
    });
    return this.getById(id);
  }

  /** Soft: payments stay, and their tracking and webhooks go on (api.md F). Again: no change. */
  async delete(userId: string, id: string): Promise<ApplicationView> {
    const { deletedAt } = await this.getOwned(userId, id);
    if (deletedAt === null)
      await this.applications.update({ id, userId, deletedAt: IsNull() }, { deletedAt: this.clock.now() });
    return this.getById(id);
  }

  /** Makes a deleted application active again. Again: no change. */
  async restore(userId: string, id: string): Promise<ApplicationView> {
    const { deletedAt } = await this.getOwned(userId, id);
    if (deletedAt !== null)
      await this.sql.transaction(async (tx) => {
        await tx.query('update payment_applications set deleted_at = null where id = $1 and user_id = $2', [
          id,
          userId,
        ]);
        await this.refuseAboveLimit(tx, userId);
      });
    return this.getById(id);
  }

  private checkCallbackUrl(url: string | null | undefined): void {
    const problem = url ? callbackUrlProblem(url, this.config.production) : null;
    if (problem) throw ValidationError.of('callbackUrl', problem);
  }

  /** Undoes the transaction. Counts under a lock of the owner: parallel requests cannot pass the limit together. */
  private async refuseAboveLimit(tx: Queryable, userId: string): Promise<void> {
    await tx.query(`select pg_advisory_xact_lock(hashtextextended('payment-applications|' || $1, 0))`, [
      userId,
    ]);
    const [row] = await tx.query<{ active: number }>(
      'select count(*)::int as active from payment_applications where user_id = $1 and deleted_at is null',
      [userId],
    );
    const limit = this.config.maxApplicationsPerUser;
    if (row && row.active > limit)
      throw ValidationError.of(
        'application',
        `You already have ${limit} payment applications, which is the limit. Delete one first.`,
      );
  }

  private async updateSite(
    tx: Queryable,
    applicationId: string,
    oldName: string,
    changes: UpdateApplicationDto,
  ): Promise<void> {
    const { name, url, callbackUrl, allowOverpay, allowUnderpay } = changes;
    await tx.query(
      `update sites set
         -- The title follows the name as long as the two are equal (api.md F).
         title = case when title = $2 then coalesce($3, title) else title end,
         url = case when $4 then $5 else url end,
         callback_url = case when $6 then $7 else callback_url end,
         allow_overpay = coalesce($8, allow_overpay),
         allow_underpay = coalesce($9, allow_underpay)
       where application_id = $1`,
      [
        applicationId,
        oldName,
        name,
        url !== undefined,
        url,
        callbackUrl !== undefined,
        callbackUrl,
        allowOverpay,
        allowUnderpay,
      ],
    );
    // An endpoint that answered 410 rests until its address is saved again (api.md G4).
    if (callbackUrl !== undefined)
      await tx.query('delete from webhook_endpoints where application_id = $1', [applicationId]);
  }

  private async replaceSecret(
    tx: Queryable,
    id: string,
    sealedCurrent: string,
    secret: string,
  ): Promise<void> {
    const current = this.unsealOrNull(id, sealedCurrent);
    // Saving the same secret again is no change: it must not cut short the time of the one before.
    if (current === secret) return;
    // A secret that cannot be opened must not come along as the previous one: it would block signing.
    const previous = current === null ? null : sealedCurrent;
    const until = previous && new Date(this.clock.now().getTime() + PREVIOUS_SECRET_MS);
    await tx.query(
      `update payment_applications
       set sealed_secret = $2, sealed_previous_secret = $3, previous_secret_until = $4 where id = $1`,
      [id, this.keyring.seal(SECRET_PURPOSE, id, secret), previous, until],
    );
  }

  private unsealOrNull(id: string, sealed: string): string | null {
    try {
      return this.keyring.unseal(SECRET_PURPOSE, id, sealed);
    } catch (error) {
      if (error instanceof UnsealError) return null;
      throw error;
    }
  }
}
