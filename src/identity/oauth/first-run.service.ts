import { Inject, Injectable, Logger } from '@nestjs/common';
import { CONFIG, type Config } from '../../config.js';
import { AccessLinksService } from './access-links.service.js';

/** Lets whoever can read the log of a new gateway create its first user (docs/how-to/people.md#the-first-user). */
@Injectable()
export class FirstRun {
  private readonly logger = new Logger('FirstRun');

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly links: AccessLinksService,
  ) {}

  /**
   * Every start logs a link of its own while there is no user, since an earlier line may be lost. The gateway already
   * serves: what goes wrong here does not end it.
   */
  async announce(): Promise<void> {
    // With an identity provider of the operator there need not be users here.
    if (this.config.externalIssuer) return;
    try {
      const created = await this.links.createSetup();
      if (created)
        this.logger.warn(
          `There is no user yet. Create the first one, an operator, within 24 hours at ${created.url}`,
        );
    } catch (error) {
      this.logger.error(
        { err: error },
        'Whether there is a user is not known: a link for the first one is logged at the next start',
      );
    }
  }
}
