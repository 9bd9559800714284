import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../../config.js';
import { AuditLog } from '../../platform/integrity/audit-log.service.js';
import type { Draft } from '../../platform/web/contract/read-contract.js';
import { Sql } from '../../platform/database/sql.js';
import { NotFoundError } from '../../platform/kernel/errors/errors.pure.js';
import { Clock } from '../../platform/kernel/clock.pure.js';
import { newId, UUID } from '../../platform/kernel/ids.pure.js';
import { sha256 } from '../../platform/kernel/hmac.pure.js';
import { applicationDeleted } from '../application-deleted.pure.js';
import type { ApplicationView } from '../application-view.pure.js';
import { ApplicationRepository } from '../application.repository.js';
import { ApplicationsService } from '../applications.service.js';
import type { LogoContract, PutLogoContract } from './logo.contract.js';
import { logoTypeOf, type LogoType, readLogo } from './logo.pure.js';
import { LogoRepository } from './logo.repository.js';
import { logoUrl } from './logo-url.pure.js';

/** Logos of applications (specification/applications.md#branding). */
@Injectable()
export class LogosService {
  constructor(
    private readonly applications: ApplicationsService,
    private readonly settings: ApplicationRepository,
    private readonly logos: LogoRepository,
    private readonly sql: Sql,
    private readonly clock: Clock,
    private readonly audit: AuditLog,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  async getOwned(userId: string, applicationId: string): Promise<LogoContract> {
    const application = await this.applications.getOwned(userId, applicationId);
    const content = await this.findContent(application);
    if (!content) throw new NotFoundError('not_found', 'The payment application has no logo.');
    return this.present(application, content);
  }

  /** @throws ValidationError with the reason why a picture cannot be a logo; SettingsIntegrityError */
  async replace(userId: string, applicationId: string, draft: Draft<PutLogoContract>): Promise<LogoContract> {
    const read = draft.given.content ? await readLogo(draft.given.content) : null;
    if (read && 'reason' in read)
      draft.problems.add('content', `The content field cannot be a logo, because ${read.reason}.`);
    draft.finish();
    const content = read && 'content' in read ? read.content : Buffer.alloc(0);
    const now = this.clock.now();
    await this.change(userId, applicationId, async () => {
      await this.logos.replace({ applicationId, content, createdAt: now });
      return { id: newId(now), sha256: sha256(content).toString('hex') };
    });
    return this.present(await this.applications.getById(applicationId), content);
  }

  /** Repeatable. */
  async delete(userId: string, applicationId: string): Promise<void> {
    await this.change(userId, applicationId, async () => {
      await this.logos.delete(applicationId);
      return null;
    });
  }

  /**
   * The picture at a public address, or null: another application's, one that was replaced, and one that was changed
   * outside of the gateway are not served.
   */
  async findPublic(
    applicationId: string,
    hash: string,
  ): Promise<{ content: Buffer; mediaType: LogoType } | null> {
    if (!UUID.test(applicationId)) return null;
    const application = await this.applications.findById(applicationId);
    if (application?.site.logoHash !== hash || !application.isSiteAuthentic) return null;
    const content = await this.findContent(application);
    return content && { content, mediaType: logoTypeOf(content) };
  }

  private async findContent({ id, site }: ApplicationView): Promise<Buffer | null> {
    if (site.logoHash === null) return null;
    const content = await this.logos.findContent(id);
    return content && sha256(content).toString('hex') === site.logoHash ? content : null;
  }

  private async change(
    userId: string,
    applicationId: string,
    step: () => Promise<{ id: string; sha256: string } | null>,
  ): Promise<void> {
    await this.applications.getOwned(userId, applicationId);
    await this.sql.transaction(async () => {
      const current = await this.settings.lockOwned(userId, applicationId);
      if (current && current.deletedAt !== null) throw applicationDeleted(applicationId);
      await this.settings.setLogo(applicationId, await step());
      await this.audit.record({
        act: 'application.changed',
        userId,
        target: { kind: 'application', id: applicationId },
        details: { fields: ['logo'], secretRotated: false, callbackChanged: false, callbackOrigin: null },
      });
    });
  }

  private present(application: ApplicationView, content: Buffer): LogoContract {
    const { logoId: id } = application.site;
    const url = logoUrl(application, this.config.baseUrl);
    if (id === null || url === null)
      throw new NotFoundError('not_found', 'The payment application has no logo.');
    return { id, url, mediaType: logoTypeOf(content), size: content.length };
  }
}
