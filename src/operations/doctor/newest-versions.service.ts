import { Inject, Injectable, Logger } from '@nestjs/common';
import { CONFIG, type Config } from '../../config.js';
import { Sql } from '../../platform/database/sql.js';
import { getText, RequestFailure, type RequestLimits } from '../../platform/kernel/bounded-request.js';
import { Clock } from '../../platform/kernel/clock.pure.js';
import { VERSION } from '../../platform/kernel/version.js';
import { type NewestVersion, newestVersionOf, readAnswer } from './newest-version.pure.js';
import { NewestVersionRepository } from './newest-version.repository.js';

/** GitHub's answer has the notes and every file of the release. */
const LIMITS: RequestLimits = { timeoutMs: 10_000, maxBytes: 1024 * 1024 };

/** Asks for the newest version, where an operator has set whom (docs/how-to/health.md#a-newer-version). */
@Injectable()
export class NewestVersions {
  private readonly logger = new Logger('NewestVersions');
  private readonly records: NewestVersionRepository | null;

  constructor(
    sql: Sql,
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Config,
  ) {
    const { updateCheckUrl: url } = config;
    this.records = url === null ? null : new NewestVersionRepository(sql, url);
  }

  /** Asks if a day has passed. Returns false: nothing more to do at once. */
  async runOnce(): Promise<boolean> {
    const { updateCheckUrl: url } = this.config;
    if (!this.records || url === null || !(await this.records.claim(this.clock.now()))) return false;
    try {
      await this.records.answer(this.clock.now(), await askVersion(url));
    } catch (error) {
      if (!(error instanceof RequestFailure)) throw error;
      this.logger.warn({ reason: error.message }, 'the newest version is not known');
      await this.records.fail(error);
    }
    return false;
  }

  async find(): Promise<NewestVersion> {
    const record = this.records && (await this.records.find());
    return newestVersionOf(record, this.records !== null, VERSION, this.clock.now());
  }
}

/** @throws RequestFailure */
async function askVersion(url: string): Promise<string> {
  const version = readAnswer(await getText(url, LIMITS));
  if (version === null) throw new RequestFailure('unusable', 'the answer names no version');
  return version;
}
