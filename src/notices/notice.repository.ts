import { Injectable } from '@nestjs/common';
import { bulkInsert, columnsOf } from '../platform/database/entity-sql.js';
import { Sql } from '../platform/database/sql.js';
import { NoticeEntity } from './notice.entity.js';

const INSERT = bulkInsert(
  NoticeEntity,
  ['id', 'userId', 'name', 'dedupeKey', 'sealedContent', 'createdAt', 'nextAttemptAt'],
  'on conflict (dedupe_key) do nothing',
);
const NOTICE = columnsOf(NoticeEntity, 'n');
const LOCK_DUE = `
  select ${NOTICE.list} from notices n where n.next_attempt_at <= $1
  order by n.next_attempt_at limit $2 for update skip locked`;
const BEGIN = 'update notices set attempts = $2, next_attempt_at = $3 where id = $1';
const ENDED = 'sealed_content = null, next_attempt_at = null';
const SENT = `update notices set ${ENDED}, sent_at = $2, last_error = null where id = $1 and next_attempt_at is not null`;
const DEAD = `
  update notices set ${ENDED}, dead_at = $2, last_error = $3 where id = $1 and next_attempt_at is not null`;
const FAILED = 'update notices set last_error = $2 where id = $1 and next_attempt_at is not null';
const IS_TOLD = 'select from notices where dedupe_key = $1';
const DELETE_BEFORE = `
  delete from notices where id in (
    select id from notices where created_at < $1 and next_attempt_at is null order by created_at limit $2)
  returning id`;
const DELETE_OF = 'delete from notices where user_id = $1';
const WAITING = `
  select count(*)::int as waiting, min(created_at) as "oldestAt",
    (select count(*)::int from (select from notices where dead_at is not null limit $1) t) as dead
  from (select created_at from notices where next_attempt_at is not null order by next_attempt_at limit $1) t`;
/** Counts stop here: enough to see that there are too many. */
const MAX_COUNT = 10_000;

/** Notices that were not sent; counted up to 10,000. */
export interface WaitingNotices {
  waiting: number;
  /** When the oldest of them was written; null: none waits. */
  oldestAt: Date | null;
  /** Given up, of those that are still kept. */
  dead: number;
}

/** Notices that are to be sent, or were (notices). */
@Injectable()
export class NoticeRepository {
  constructor(private readonly sql: Sql) {}

  /** Those that are known by their key are left as they are. */
  async insert(
    notices: readonly Omit<NoticeEntity, 'attempts' | 'sentAt' | 'deadAt' | 'lastError'>[],
  ): Promise<void> {
    if (notices.length > 0) await this.sql.query(INSERT.text, INSERT.values([...notices]));
  }

  /**
   * Those that are due, each with one more attempt begun: nobody else gets them before their next one.
   * @param nextAttemptAt of the attempt that begins
   */
  claim(now: Date, limit: number, nextAttemptAt: (attempt: number) => Date): Promise<NoticeEntity[]> {
    return this.sql.transaction(async () => {
      const rows = await this.sql.query<object>(LOCK_DUE, [now, limit]);
      const claimed: NoticeEntity[] = [];
      for (const row of rows) {
        const notice = NOTICE.toEntity(row);
        const attempts = notice.attempts + 1;
        await this.sql.query(BEGIN, [notice.id, attempts, nextAttemptAt(attempts)]);
        claimed.push({ ...notice, attempts });
      }
      return claimed;
    });
  }

  async setSent(id: string, now: Date): Promise<void> {
    await this.sql.query(SENT, [id, now]);
  }

  async setDead(id: string, now: Date, error: string): Promise<void> {
    await this.sql.query(DEAD, [id, now, error]);
  }

  async setFailed(id: string, error: string): Promise<void> {
    await this.sql.query(FAILED, [id, error]);
  }

  async isTold(dedupeKey: string): Promise<boolean> {
    return (await this.sql.query(IS_TOLD, [dedupeKey])).length > 0;
  }

  async waiting(): Promise<WaitingNotices> {
    const [row] = await this.sql.query<WaitingNotices>(WAITING, [MAX_COUNT]);
    if (!row) throw new Error('an aggregate returned no row');
    return row;
  }

  /** Of ended ones. Returns how many. */
  async deleteBefore(time: Date, limit: number): Promise<number> {
    return (await this.sql.query(DELETE_BEFORE, [time, limit])).length;
  }

  /** All of a user who is erased. */
  async deleteOf(userId: string): Promise<void> {
    await this.sql.query(DELETE_OF, [userId]);
  }
}
