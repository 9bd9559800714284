import { Inject, Injectable } from '@nestjs/common';
import { ChainsService } from '../chains/chains.service.js';
import type { AuditAction, AuditDetail } from '../platform/kernel/audit-actions.pure.js';
import { rowChanged } from '../platform/integrity/audited-table.js';
import { AuditLog } from '../platform/integrity/audit-log.service.js';
import { Hook } from '../platform/kernel/hook.js';
import { Clock } from '../platform/kernel/clock.pure.js';
import { type ListableEvent, STANDARD_EVENTS } from './event-types.pure.js';
import { NotFoundError, ValidationError } from '../platform/kernel/errors/errors.pure.js';
import { newId, UUID } from '../platform/kernel/ids.pure.js';
import type { PageQuery } from '../platform/web/http/pagination.js';
import type { Draft } from '../platform/web/contract/read-contract.js';
import { Sql } from '../platform/database/sql.js';
import { CONFIG, type Config } from '../config.js';
import { applicationDeleted } from './application-deleted.pure.js';
import { APPLICATIONS } from './application.entity.js';
import { ApplicationRepository, type Trashed } from './application.repository.js';
import type { ApplicationView } from './application-view.pure.js';
import type { CreateApplicationContract, UpdateApplicationContract } from './applications.contract.js';
import { newClientId } from './client-id.pure.js';
import { misplacedSiteFields } from './misplaced-site.pure.js';
import { isMailto } from './branding/support-url.pure.js';
import { confirmationProblems } from './confirmation-overrides.pure.js';
import { SigningSecretsService } from './signing-secrets.service.js';
import { contradictions, UNDERPAY_SHARES } from './underpay-shares.pure.js';
import { whitelistProblems } from './whitelist-problems.pure.js';
import {
  adviceFor,
  isLocalName,
  checkWebhookUrl,
  type WebhookUrlPolicy,
  webhookUrlPolicy,
} from './webhook-url-policy.pure.js';

/** Names of the changed fields, in order. */
function givenFields(changes: UpdateApplicationContract): string[] {
  const given = Object.entries(changes).filter(([, value]) => value !== undefined);
  return given.map(([name]) => name).toSorted();
}

/** The part of an address that is never secret: its path may contain a token. */
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
  readonly created = new Hook<{ id: string; userId: string }>();
  /** With the application's id, also if the URL stays the same. */
  readonly callbackUrlSaved = new Hook<string>();

  constructor(
    private readonly applications: ApplicationRepository,
    private readonly secrets: SigningSecretsService,
    private readonly sql: Sql,
    private readonly clock: Clock,
    private readonly audit: AuditLog,
    private readonly chains: ChainsService,
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
    return UUID.test(applicationId) ? this.applications.findOwned(userId, applicationId) : null;
  }

  /** Locks an application until the transaction ends: whoever counts its objects before inserting one waits here. */
  lock(applicationId: string): Promise<void> {
    return this.applications.lock(applicationId);
  }

  /** {@link getById}, or null. @param applicationId a UUID */
  findById(applicationId: string): Promise<ApplicationView | null> {
    return this.applications.findById(applicationId);
  }

  /** Of any owner, also soft-deleted. */
  async getById(applicationId: string): Promise<ApplicationView> {
    const view = await this.findById(applicationId);
    if (!view) throw notFound();
    return view;
  }

  /** Of any owner, also soft-deleted: then `deletedAt` is set. */
  findByClientId(clientId: string): Promise<ApplicationView | null> {
    return this.applications.findByClientId(clientId);
  }

  /** Of any owner, also soft-deleted. @param siteId a UUID */
  findBySiteId(siteId: string): Promise<ApplicationView | null> {
    return this.applications.findBySiteId(siteId);
  }

  /** {@link getOwnedBySiteId}, or null. */
  async findOwnedBySiteId(userId: string, siteId: string): Promise<ApplicationView | null> {
    const view = UUID.test(siteId) ? await this.findBySiteId(siteId) : null;
    return view?.userId === userId ? this.findOwned(userId, view.id) : null;
  }

  /** The application of a site, by the rules of {@link getOwned}. */
  async getOwnedBySiteId(userId: string, siteId: string): Promise<ApplicationView> {
    const view = await this.findOwnedBySiteId(userId, siteId);
    if (!view) throw new NotFoundError('not_found', 'Site not found');
    return view;
  }

  /** Newest first; all of them without a page (specification/applications.md#routes). */
  list(
    userId: string,
    trashed: Trashed,
    page: PageQuery | null,
  ): Promise<{ items: ApplicationView[]; total: number }> {
    return this.applications.list(userId, trashed, page);
  }

  /** The name of each by id, also of those that are soft-deleted. */
  async namesOf(userId: string): Promise<Map<string, string>> {
    const { items } = await this.applications.list(userId, 'with', null);
    return new Map(items.map(({ id, name }) => [id, name]));
  }

  /** The applications of each user that are not deleted, by user; absent: none. */
  async countActive(userIds: readonly string[]): Promise<Map<string, number>> {
    const rows = await this.applications.countActive(userIds);
    return new Map(rows.map(({ userId, count }) => [userId, count]));
  }

  async create(userId: string, draft: Draft<CreateApplicationContract>): Promise<ApplicationView> {
    this.check(draft, null);
    const fields = draft.finish();
    const now = this.clock.now();
    const id = newId(now);
    const { name, url = null, callbackUrl = null } = fields;
    const events: readonly ListableEvent[] = fields.events ?? STANDARD_EVENTS;
    await this.sql.transaction(async () => {
      await this.applications.insert(
        {
          id,
          userId,
          name,
          clientId: newClientId(),
          sealedSecret: this.secrets.seal(id, fields.secret),
          currencyWhitelist: fields.currencyWhitelist ?? [],
          createdAt: now,
        },
        {
          id: newId(now),
          applicationId: id,
          userId,
          title: name,
          url,
          callbackUrl,
          settingId: newId(now),
          allowOverpay: fields.allowOverpay ?? true,
          allowUnderpay: fields.allowUnderpay ?? false,
          underpayLeastShareBps: fields.underpayLeastShareBps ?? UNDERPAY_SHARES.underpayLeastShareBps,
          underpayToleranceBps: fields.underpayToleranceBps ?? UNDERPAY_SHARES.underpayToleranceBps,
          confirmations: fields.confirmations ?? {},
          events,
          expiredSince: events.includes('payment.expired') ? now : null,
          accent: fields.accent ?? null,
          supportUrl: fields.supportUrl ?? null,
          defaultLanguage: fields.defaultLanguage ?? null,
        },
      );
      await this.refuseAboveLimit(userId);
      await this.created.call({ id, userId });
      await this.record('application.created', userId, id, { callbackOrigin: originOf(callbackUrl) });
    });
    return this.getById(id);
  }

  /** Changes the given fields; an explicit null clears an address. */
  async update(
    userId: string,
    id: string,
    draft: Draft<UpdateApplicationContract>,
  ): Promise<ApplicationView> {
    this.check(draft, await this.findOwned(userId, id));
    const changes = draft.finish();
    if (!UUID.test(id)) throw notFound();
    await this.sql.transaction(async () => {
      const current = await this.applications.lockOwned(userId, id);
      if (!current) throw notFound();
      if (current.deletedAt !== null) throw applicationDeleted(id);
      await this.updateSite(userId, id, current.name, changes);
      await this.applications.update(id, changes.name, changes.currencyWhitelist);
      const secretRotated =
        changes.secret !== undefined &&
        (await this.secrets.replace(id, current.sealedSecret, changes.secret));
      const { callbackUrl = current.callbackUrl } = changes;
      await this.record('application.changed', userId, id, {
        fields: givenFields(changes),
        secretRotated,
        callbackChanged: callbackUrl !== current.callbackUrl,
        callbackOrigin: originOf(callbackUrl),
      });
    });
    return this.getById(id);
  }

  /** The secret before the last change signs no longer, before its 24 hours are over. Repeatable. */
  async endPreviousSecret(userId: string, id: string): Promise<void> {
    await this.getOwned(userId, id);
    await this.sql.transaction(async () => {
      await this.applications.lock(id);
      if ((await this.secrets.findPreviousUntil(id)) === null) return;
      await this.secrets.forgetPrevious(id);
      await this.record('application.changed', userId, id, {
        fields: ['previousSecret'],
        secretRotated: false,
      });
    });
  }

  /** Deletes previous secrets whose 24 hours are over, each with an entry in the audit log. Returns how many. */
  async forgetExpiredSecrets(): Promise<number> {
    return this.sql.transaction(async () => {
      const forgotten = await this.secrets.forgetExpired();
      for (const { id, userId } of forgotten) {
        rowChanged(APPLICATIONS, id);
        await this.record('application.changed', userId, id, {
          fields: ['previousSecret'],
          secretRotated: false,
        });
      }
      return forgotten.length;
    });
  }

  /** Soft and repeatable: payments, their tracking and webhooks go on (specification/applications.md#deletion). */
  async delete(userId: string, id: string): Promise<ApplicationView> {
    const { deletedAt } = await this.getOwned(userId, id);
    if (deletedAt === null)
      await this.sql.transaction(async () => {
        const isDeleted = await this.applications.delete(userId, id, this.clock.now());
        if (isDeleted) await this.record('application.deleted', userId, id);
      });
    return this.getById(id);
  }

  /** {@link delete}s every one of a user, in the caller's transaction. */
  async deleteAll(userId: string): Promise<void> {
    const { items } = await this.list(userId, undefined, null);
    for (const { id } of items) await this.delete(userId, id);
  }

  /** Makes a deleted application active again. Again: no change. */
  async restore(userId: string, id: string): Promise<ApplicationView> {
    const { deletedAt } = await this.getOwned(userId, id);
    if (deletedAt !== null)
      await this.sql.transaction(async () => {
        const isRestored = await this.applications.restore(userId, id);
        await this.refuseAboveLimit(userId);
        if (isRestored) await this.record('application.restored', userId, id);
      });
    return this.getById(id);
  }

  private record(
    act: AuditAction,
    userId: string,
    id: string,
    details: Record<string, AuditDetail> = {},
  ): Promise<void> {
    return this.audit.record({ act, userId, target: { kind: 'application', id }, details });
  }

  /**
   * Adds the problems that depend on the configuration, so that one response names every invalid field.
   * @param stored null: the application is new. Its codes stay allowed when their chain is no longer watched
   */
  private check(
    { given, problems, sent }: Draft<UpdateApplicationContract>,
    stored: ApplicationView | null,
  ): void {
    const { url, callbackUrl, supportUrl, confirmations = {}, currencyWhitelist = [] } = given;
    // Refused early, for the merchant; every attempt checks again, names included
    // (specification/webhooks.md#target-addresses).
    const verdict = callbackUrl ? checkWebhookUrl(callbackUrl, this.targets) : null;
    if (verdict?.isAllowed === false)
      problems.add(
        'callbackUrl',
        `The callbackUrl field must be an address that webhooks may go to: ${verdict.reason}.${adviceFor(verdict.reason)}`,
      );
    for (const [field, address] of Object.entries({ url, callbackUrl, supportUrl }))
      if (address && !isMailto(address) && isLocalName(address, this.targets))
        problems.add(
          field,
          `The ${field} field must have a public host name, such as shop.example: a name without a dot is known in one network only.`,
        );
    problems.addAll(misplacedSiteFields(sent['site'], given, stored?.site ?? null));
    // Shares that were changed outside of the gateway are not kept.
    const shares = stored?.isSiteAuthentic ? stored.site : UNDERPAY_SHARES;
    problems.addAll(contradictions(given, shares));
    problems.addAll(confirmationProblems(confirmations, this.chains.list()));
    problems.addAll(
      whitelistProblems(currencyWhitelist, this.chains.enabledCodes, stored?.currencyWhitelist ?? []),
    );
  }

  /** @throws ValidationError which undoes the caller's transaction */
  private async refuseAboveLimit(userId: string): Promise<void> {
    const limit = this.config.maxApplicationsPerUser;
    if ((await this.applications.lockAndCountActive(userId)) > limit)
      throw ValidationError.of(
        'application',
        `You already have ${limit} payment applications, which is the limit. Delete one first.`,
      );
  }

  private async updateSite(
    userId: string,
    applicationId: string,
    oldName: string,
    changes: UpdateApplicationContract,
  ): Promise<void> {
    const { name: newName, ...fields } = changes;
    await this.applications.updateSite(
      applicationId,
      { ...fields, userId, oldName, newName },
      this.clock.now(),
    );
    if (changes.callbackUrl !== undefined) await this.callbackUrlSaved.call(applicationId);
  }
}
