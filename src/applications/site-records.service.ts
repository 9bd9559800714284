import { Injectable } from '@nestjs/common';
import type { AuthenticatedRows } from '../platform/integrity/authenticated-rows.js';
import { RowAuthenticator } from '../platform/integrity/row-authenticator.service.js';
import { SiteRecordsRepository } from './site-records.repository.js';
import { type SiteEntity, SITES } from './site.entity.js';

const BATCH = 1_000;

/** Finds settings that the gateway did not write as they are. */
@Injectable()
export class SiteRecords {
  private readonly authenticated: AuthenticatedRows<SiteEntity, (typeof SITES.fields)[number]>;

  constructor(
    private readonly sites: SiteRecordsRepository,
    authenticator: RowAuthenticator,
  ) {
    this.authenticated = authenticator.of(SITES);
  }

  /** In the order of their ids. */
  async listUnauthentic(): Promise<{ id: string; hasMac: boolean }[]> {
    const found: { id: string; hasMac: boolean }[] = [];
    for (let after: string | null = null; ;) {
      const sites: SiteEntity[] = await this.sites.listAfter(after, BATCH);
      for (const site of sites)
        if (!this.authenticated.isAuthentic(site)) found.push({ id: site.id, hasMac: site.mac !== null });
      if (sites.length < BATCH) return found;
      after = sites.at(-1)?.id ?? null;
    }
  }

  /** Ids of applications whose site is missing. */
  listApplicationsWithout(): Promise<string[]> {
    return this.sites.listApplicationsWithout();
  }
}
