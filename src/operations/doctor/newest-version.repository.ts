import { createHash } from 'node:crypto';
import type { RequestFailure } from '../../platform/kernel/bounded-request.js';
import type { Queryable } from '../../platform/database/sql.js';
import { ASKED_EVERY, type VersionRecord } from './newest-version.pure.js';

// The first process asks for all. What another address has said counts no longer.
const CLAIM = `
  insert into newest_versions as known (only_one, source, asked_at) values (true, $1, $2)
  on conflict (only_one) do update set source = excluded.source, asked_at = excluded.asked_at,
    answered_at = case when known.source = excluded.source then known.answered_at end,
    version = case when known.source = excluded.source then known.version end,
    first_seen_at = case when known.source = excluded.source then known.first_seen_at end,
    unknown = case when known.source = excluded.source then known.unknown end,
    failure = case when known.source = excluded.source then known.failure end
  where known.source <> excluded.source or known.asked_at <= $3 or known.asked_at > excluded.asked_at
  returning true as claimed`;
const ANSWER = `
  update newest_versions set answered_at = $2, version = $3, unknown = null, failure = null,
    first_seen_at = case when version = $3 then first_seen_at else $2 end
  where source = $1`;
const FAIL = 'update newest_versions set unknown = $2, failure = $3 where source = $1';
const FIND = `
  select answered_at as "answeredAt", version, first_seen_at as "firstSeenAt", unknown, failure
  from newest_versions where source = $1`;

/** What the source of UPDATE_CHECK_URL has said (newest_versions). */
export class NewestVersionRepository {
  private readonly source: Buffer;

  constructor(
    private readonly sql: Queryable,
    url: string,
  ) {
    this.source = createHash('sha256').update(url).digest();
  }

  /** Whether it is time to ask; then nobody else does. */
  async claim(now: Date): Promise<boolean> {
    const before = new Date(now.getTime() - ASKED_EVERY);
    return (await this.sql.query(CLAIM, [this.source, now, before])).length > 0;
  }

  async answer(now: Date, version: string): Promise<void> {
    await this.sql.query(ANSWER, [this.source, now, version]);
  }

  async fail({ kind, message }: RequestFailure): Promise<void> {
    await this.sql.query(FAIL, [this.source, kind, message.slice(0, 200)]);
  }

  async find(): Promise<VersionRecord | null> {
    const [row] = await this.sql.query<VersionRecord>(FIND, [this.source]);
    return row ?? null;
  }
}
