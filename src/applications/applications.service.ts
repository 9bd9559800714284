import { Inject, Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type FindOptionsWhere, IsNull, Not, Repository } from 'typeorm';
import { ChainsService } from '../chains/chains.service.js';
import type { AuditAction, AuditDetail } from '../platform/audit/audit-actions.pure.js';
import { AuditLog } from '../platform/audit/audit-log.service.js';
import { Clock } from '../platform/runtime/clock.pure.js';
import { STANDARD_EVENTS } from './event-types.pure.js';
import { NotFoundError, ValidationError } from '../platform/errors/errors.pure.js';
import { newId, UUID } from '../platform/runtime/ids.pure.js';
import { Keyring, UnsealError } from '../platform/security/keyring.js';
import type { PageQuery } from '../platform/http/pagination.js';
import type { Draft } from '../platform/contract/read-dto.js';
import { type Queryable, Sql } from '../platform/database/sql.js';
import { CONFIG, type Config } from '../config.js';
import { applicationDeleted } from './application-deleted.pure.js';
import { Application } from './application.entity.js';
import { type ApplicationView, toApplicationView } from './application-view.pure.js';
import type { CreateApplicationDto, UpdateApplicationDto } from './applications.contract.js';
import { CallbackUrlChangesService } from './callback-url-changes.service.js';
import { newClientId } from './client-id.pure.js';
import { misplacedSiteFields } from './misplaced-site.pure.js';
import { SECRET_PURPOSE } from './encrypted-columns.js';
import { confirmationProblems } from './confirmation-overrides.pure.js';
import { whitelistProblems } from './whitelist-problems.pure.js';
import {
  adviceFor,
  isLocalName,
  checkWebhookUrl,
  type WebhookUrlPolicy,
  webhookUrlPolicy,
} from './webhook-url-policy.pure.js';

/** How long the previous secret signs beside the new one (specification/webhooks.md#secret-rotation). */
const PREVIOUS_SECRET_MS = 24 * 3_600 * 1_000;

/** An {@link ApplicationView} as one row; completed by the condition that finds it. */
const SELECT_VIEW = `
  select a.id, a.user_id as "userId", a.name, a.client_id as "clientId",
    a.currency_whitelist as "currencyWhitelist", a.created_at as "createdAt", a.deleted_at as "deletedAt",
    json_build_object(
      'id', s.id, 'title', s.title, 'url', s.url, 'callbackUrl', s.callback_url,
      'settingId', s.setting_id, 'settingTitle', s.setting_title,
      'allowOverpay', s.allow_overpay, 'allowUnderpay', s.allow_underpay, 'confirmations', s.confirmations,
      'events', s.events
    ) as site
  from payment_applications a join sites s on s.application_id = a.id`;
const FIND_BY_ID = `${SELECT_VIEW} where a.id = $1`;
const FIND_OWNED = `${SELECT_VIEW} where a.id = $1 and a.user_id = $2`;
const FIND_BY_CLIENT_ID = `${SELECT_VIEW} where a.client_id = $1`;
const FIND_BY_SITE_ID = `${SELECT_VIEW} where s.id = $1`;

interface CurrentRow {
  name: string;
  sealedSecret: string;
  isDeleted: boolean;
  callbackUrl: string | null;
}

/** Names of the changed fields, in order. */
function givenFields(changes: UpdateApplicationDto): string[] {
  const given = Object.entries(changes).filter(([, value]) => value !== undefined);
  return given.map(([name]) => name).toSorted();
}

/** Of an address that may carry a secret in its path. */
function originOf(url: string | null): string | null {
  return url === null ? null : new URL(url).origin;
}

function notFound(): NotFoundError {
  return new NotFoundError('payment_application_not_found', 'Payment application not found');
}

/** Payment applications with their sites: written here only (specification/applications.md#settings). */
@Injectable()
export class ApplicationsService {
  private readonly targets: WebhookUrlPolicy;

  constructor(
    @InjectRepository(Application) private readonly applications: Repository<Application>,
    private readonly sql: Sql,
    private readonly clock: Clock,
    private readonly audit: AuditLog,
    private readonly keyring: Keyring,
    private readonly chains: ChainsService,
    private readonly callbackUrlChanges: CallbackUrlChangesService,
    @Inject(CONFIG) private readonly config: Config,
  ) {
    this.targets = webhookUrlPolicy(config.production, config.webhooks.allowedCidrs);
  }

  /** Soft-deleted ones included, so that they can be found and restored. */
  async getOwned(userId: string, applicationId: string): Promise<ApplicationView> {
    const view = await this.findOwned(userId, applicationId);
    if (!view) throw notFound();
    return view;
  }

  /** {@link getOwned}, or null. */
  async findOwned(userId: string, applicationId: string): Promise<ApplicationView | null> {
    const [view] = UUID.test(applicationId)
      ? await this.sql.query<ApplicationView>(FIND_OWNED, [applicationId, userId])
      : [];
    return view ?? null;
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

  /** {@link getOwnedBySiteId}, or null. */
  async findOwnedBySiteId(userId: string, siteId: string): Promise<ApplicationView | null> {
    const view = UUID.test(siteId) ? await this.findBySiteId(siteId) : null;
    return view?.userId === userId ? view : null;
  }

  /** The application of a site, by the rules of {@link getOwned}. */
  async getOwnedBySiteId(userId: string, siteId: string): Promise<ApplicationView> {
    const view = await this.findOwnedBySiteId(userId, siteId);
    if (!view) throw new NotFoundError('not_found', 'Site not found');
    return view;
  }

  /** Newest first; all of them without a page (specification/applications.md#routes). */
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

  async create(userId: string, draft: Draft<CreateApplicationDto>): Promise<ApplicationView> {
    this.check(draft, null);
    const fields = draft.finish();
    const now = this.clock.now();
    const id = newId(now);
    const sealedSecret = this.keyring.seal(SECRET_PURPOSE, id, fields.secret);
    const { name, url = null, callbackUrl = null, currencyWhitelist = [] } = fields;
    const {
      allowOverpay = true,
      allowUnderpay = false,
      confirmations = {},
      events = STANDARD_EVENTS,
    } = fields;
    await this.sql.transaction(async (tx) => {
      await tx.query(
        `insert into payment_applications (id, user_id, name, client_id, sealed_secret, currency_whitelist, created_at)
         values ($1, $2, $3, $4, $5, $6, $7)`,
        [id, userId, name, newClientId(), sealedSecret, currencyWhitelist, now],
      );
      await tx.query(
        `insert into sites (id, application_id, user_id, title, url, callback_url, setting_id, allow_overpay, allow_underpay,
           confirmations, events, expired_since)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11::text[],
           case when 'payment.expired' = any ($11::text[]) then $12::timestamptz end)`,
        [
          newId(now),
          id,
          userId,
          name,
          url,
          callbackUrl,
          newId(now),
          allowOverpay,
          allowUnderpay,
          JSON.stringify(confirmations),
          events,
          now,
        ],
      );
      await this.refuseAboveLimit(tx, userId);
      await this.record(tx, 'application.created', userId, id, { callbackOrigin: originOf(callbackUrl) });
    });
    return this.getById(id);
  }

  /** Changes the given fields; an explicit null clears an address. */
  async update(userId: string, id: string, draft: Draft<UpdateApplicationDto>): Promise<ApplicationView> {
    this.check(draft, await this.findOwned(userId, id));
    const changes = draft.finish();
    if (!UUID.test(id)) throw notFound();
    await this.sql.transaction(async (tx) => {
      const [current] = await tx.query<CurrentRow>(
        `select a.name, a.sealed_secret as "sealedSecret", a.deleted_at is not null as "isDeleted",
           s.callback_url as "callbackUrl"
         from payment_applications a join sites s on s.application_id = a.id
         where a.id = $1 and a.user_id = $2 for update of a`,
        [id, userId],
      );
      if (!current) throw notFound();
      if (current.isDeleted) throw applicationDeleted(id);
      await this.updateSite(tx, id, current.name, changes);
      await tx.query(
        `update payment_applications
         set name = coalesce($2, name), currency_whitelist = coalesce($3, currency_whitelist)
         where id = $1`,
        [id, changes.name, changes.currencyWhitelist],
      );
      const isSecretRotated =
        changes.secret !== undefined &&
        (await this.replaceSecret(tx, id, current.sealedSecret, changes.secret));
      const { callbackUrl = current.callbackUrl } = changes;
      await this.record(tx, 'application.changed', userId, id, {
        fields: givenFields(changes),
        secretRotated: isSecretRotated,
        callbackChanged: callbackUrl !== current.callbackUrl,
        callbackOrigin: originOf(callbackUrl),
      });
    });
    return this.getById(id);
  }

  /** Soft and repeatable: payments, their tracking and webhooks go on (specification/applications.md#deletion). */
  async delete(userId: string, id: string): Promise<ApplicationView> {
    const { deletedAt } = await this.getOwned(userId, id);
    if (deletedAt === null)
      await this.sql.transaction(async (tx) => {
        const deleted = await tx.query(
          `update payment_applications set deleted_at = $3
           where id = $1 and user_id = $2 and deleted_at is null returning id`,
          [id, userId, this.clock.now()],
        );
        if (deleted.length > 0) await this.record(tx, 'application.deleted', userId, id);
      });
    return this.getById(id);
  }

  /** Makes a deleted application active again. Again: no change. */
  async restore(userId: string, id: string): Promise<ApplicationView> {
    const { deletedAt } = await this.getOwned(userId, id);
    if (deletedAt !== null)
      await this.sql.transaction(async (tx) => {
        const restored = await tx.query(
          `update payment_applications set deleted_at = null
           where id = $1 and user_id = $2 and deleted_at is not null returning id`,
          [id, userId],
        );
        await this.refuseAboveLimit(tx, userId);
        if (restored.length > 0) await this.record(tx, 'application.restored', userId, id);
      });
    return this.getById(id);
  }

  private record(
    tx: Queryable,
    act: AuditAction,
    userId: string,
    id: string,
    details: Record<string, AuditDetail> = {},
  ): Promise<void> {
    return this.audit.record(tx, { act, userId, target: { kind: 'application', id }, details });
  }

  /**
   * What depends on the configuration, for the answer that names every wrong field.
   * @param stored null: the application is new. Its codes stay allowed when their chain is watched no more
   */
  private check(
    { given, problems, sent }: Draft<UpdateApplicationDto>,
    stored: ApplicationView | null,
  ): void {
    const { url, callbackUrl, confirmations = {}, currencyWhitelist = [] } = given;
    // Tells the merchant early; every attempt checks again, names included
    // (specification/webhooks.md#target-addresses).
    const verdict = callbackUrl ? checkWebhookUrl(callbackUrl, this.targets) : null;
    if (verdict?.isAllowed === false)
      problems.add(
        'callbackUrl',
        `The callbackUrl field must be an address that webhooks may go to: ${verdict.reason}.${adviceFor(verdict.reason)}`,
      );
    for (const [field, address] of Object.entries({ url, callbackUrl }))
      if (address && isLocalName(address, this.targets))
        problems.add(
          field,
          `The ${field} field must have a public host name, such as shop.example: a name without a dot is known in one network only.`,
        );
    problems.addAll(misplacedSiteFields(sent['site'], given, stored?.site ?? null));
    problems.addAll(confirmationProblems(confirmations, this.chains.list()));
    problems.addAll(
      whitelistProblems(currencyWhitelist, this.chains.enabledCodes, stored?.currencyWhitelist ?? []),
    );
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
    const { name, url, callbackUrl, allowOverpay, allowUnderpay, confirmations, events } = changes;
    await tx.query(
      `update sites set
         -- The title follows the name as long as the two are equal (specification/applications.md#settings).
         title = case when title = $2 then coalesce($3, title) else title end,
         url = case when $4 then $5 else url end,
         callback_url = case when $6 then $7 else callback_url end,
         allow_overpay = coalesce($8, allow_overpay),
         allow_underpay = coalesce($9, allow_underpay),
         confirmations = coalesce($10::jsonb, confirmations),
         events = coalesce($11::text[], events),
         -- A link that ended while nobody asked is never announced: asking again begins anew.
         expired_since = case when 'payment.expired' = any (coalesce($11::text[], events))
           then coalesce(expired_since, $12::timestamptz) end
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
        confirmations && JSON.stringify(confirmations),
        events,
        this.clock.now(),
      ],
    );
    if (callbackUrl !== undefined) await this.callbackUrlChanges.publish(tx, applicationId);
  }

  /** False if it already was the secret. */
  private async replaceSecret(
    tx: Queryable,
    id: string,
    sealedCurrent: string,
    secret: string,
  ): Promise<boolean> {
    const current = this.unsealOrNull(id, sealedCurrent);
    // Saving the same secret again is no change: it must not shorten the validity of the previous one.
    if (current === secret) return false;
    // A secret that cannot be opened must not come along as the previous one: it would block signing.
    const previous = current === null ? null : sealedCurrent;
    const until = previous && new Date(this.clock.now().getTime() + PREVIOUS_SECRET_MS);
    await tx.query(
      `update payment_applications
       set sealed_secret = $2, sealed_previous_secret = $3, previous_secret_until = $4 where id = $1`,
      [id, this.keyring.seal(SECRET_PURPOSE, id, secret), previous, until],
    );
    return true;
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
