import { Injectable } from '@nestjs/common';
import { columnsOf } from '../platform/database/entity-sql.js';
import { Sql } from '../platform/database/sql.js';
import { SiteEntity, SITES } from './site.entity.js';

const SITE = columnsOf(SiteEntity, 's', [...SITES.fields, 'mac']);
const LIST = `select ${SITE.list} from sites s where $1::uuid is null or s.id > $1 order by s.id limit $2`;
const WITHOUT_SITE = `
  select id from payment_applications a
  where not exists (select from sites s where s.application_id = a.id) order by id`;

/** All sites as they are stored, for their check. */
@Injectable()
export class SiteRecordsRepository {
  constructor(private readonly sql: Sql) {}

  /** In the order of their ids. @param after null: from the first */
  async listAfter(after: string | null, limit: number): Promise<SiteEntity[]> {
    return (await this.sql.query<object>(LIST, [after, limit])).map(SITE.toEntity);
  }

  /** Ids of applications whose site is missing. */
  async listApplicationsWithout(): Promise<string[]> {
    return (await this.sql.query<{ id: string }>(WITHOUT_SITE)).map(({ id }) => id);
  }
}
