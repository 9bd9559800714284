import { Injectable } from '@nestjs/common';
import { columnsOf } from '../platform/database/entity-sql.js';
import { Sql } from '../platform/database/sql.js';
import type { AuthenticatedRows } from '../platform/security/authenticated-rows.js';
import { RowAuthenticator } from '../platform/security/row-authenticator.service.js';
import { SiteEntity, SITES } from './site.entity.js';

const SITE = columnsOf(SiteEntity, 's', [...SITES.fields, 'mac']);
const LIST = `select ${SITE.list} from sites s where $1::uuid is null or s.id > $1 order by s.id limit $2`;
const WITHOUT_SITE = `
  select id from payment_applications a
  where not exists (select from sites s where s.application_id = a.id) order by id`;
const BATCH = 1_000;

/** Finds settings that the gateway did not write as they are. */
@Injectable()
export class SiteRecordsRepository {
  private readonly authenticated: AuthenticatedRows<SiteEntity, (typeof SITES.fields)[number]>;

  constructor(
    private readonly sql: Sql,
    authenticator: RowAuthenticator,
  ) {
    this.authenticated = authenticator.of(SITES);
  }

  /** In the order of their ids. */
  async listUnauthentic(): Promise<{ id: string; hasMac: boolean }[]> {
    const found: { id: string; hasMac: boolean }[] = [];
    for (let after: string | null = null; ;) {
      const sites: SiteEntity[] = (await this.sql.query<object>(LIST, [after, BATCH])).map(SITE.toEntity);
      for (const site of sites)
        if (!this.authenticated.isAuthentic(site)) found.push({ id: site.id, hasMac: site.mac !== null });
      if (sites.length < BATCH) return found;
      after = sites.at(-1)?.id ?? null;
    }
  }

  /** Ids of applications whose site is missing. */
  async listApplicationsWithout(): Promise<string[]> {
    return (await this.sql.query<{ id: string }>(WITHOUT_SITE)).map(({ id }) => id);
  }
}
