import { Injectable } from '@nestjs/common';
import { Sql } from '../platform/database/sql.js';
import type { NoticeOutageEntity } from './notice-outage.entity.js';

type Kind = NoticeOutageEntity['kind'];

const LIST = 'select subject, began_at as "beganAt" from notice_outages where kind = $1 order by subject';
const BEGIN = `
  insert into notice_outages (kind, subject, began_at) values ($1, $2, $3) on conflict do nothing returning kind`;
const END = 'delete from notice_outages where kind = $1 and subject = $2 returning began_at as "beganAt"';

/** What fails and was told (notice_outages). */
@Injectable()
export class NoticeOutageRepository {
  constructor(private readonly sql: Sql) {}

  /** What is written and what is told of it, together. */
  transaction(work: () => Promise<void>): Promise<void> {
    return this.sql.transaction(work);
  }

  list(kind: Kind): Promise<{ subject: string; beganAt: Date }[]> {
    return this.sql.query(LIST, [kind]);
  }

  /** False: it is known. */
  async begin(kind: Kind, subject: string, beganAt: Date): Promise<boolean> {
    return (await this.sql.query(BEGIN, [kind, subject, beganAt])).length > 0;
  }

  /** When it began; null: it has ended already. */
  async end(kind: Kind, subject: string): Promise<Date | null> {
    const [row] = await this.sql.query<{ beganAt: Date }>(END, [kind, subject]);
    return row?.beganAt ?? null;
  }
}
