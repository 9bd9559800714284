import { Injectable } from '@nestjs/common';
import { columnsOf } from '../../platform/database/entity-sql.js';
import { Sql } from '../../platform/database/sql.js';
import { ChangeEntity } from './change.entity.js';
import { type ChangePlace, KEPT_SECONDS } from './change-place.pure.js';

const CHANGE = columnsOf(ChangeEntity, 'c');
/** In microseconds, as `seq` counts the changes of all users. */
const ROW = `${CHANGE.list}, (extract(epoch from c.at) * 1000000)::bigint::text as version`;

// The place comes from the same snapshot as the changes: what this statement does not see belongs to a transaction that is
// open or has not begun. Without changes there is one row with the place alone.
const PLACE = `
  select pg_snapshot_xmin(s.now)::text as oldest, pg_snapshot_xmax(s.now)::text as next,
    extract(epoch from now())::bigint::text as second
  from pg_current_snapshot() s (now)`;
const SINCE = `
  select p.*, c.* from (${PLACE}) p left join lateral (
    select ${ROW} from changes c
    where c.transaction_id >= $2 and c.user_id = any($1) order by c.transaction_id, c.seq limit $3) c on true`;
/** A new stream also gets what changed while its page was loading. */
const RECENT = `
  select p.*, c.* from (${PLACE}) p left join lateral (
    select ${ROW} from changes c
    where c.at > now() - interval '60 seconds' and c.user_id = $1 order by c.transaction_id, c.seq limit $2) c on true`;
const HEIGHTS = `select chain, height::text as height from chain_cursors`;
const WAITING = `
  select distinct t.user_id as "userId", t.payment_id as "paymentId", p.application_id as "applicationId"
  from payment_transfers t join payments p on p.id = t.payment_id
  where t.state = 'pending' and t.chain = any($2) and t.user_id = any($1) limit $3`;
const PURGE = `delete from changes where at < now() - $1 * interval '1 second'`;

/** `version`: of two changes of an object, the later one has the larger number. */
export type ReadChange = ChangeEntity & { version: string };

export interface ReadChanges {
  changes: ReadChange[];
  /** Of this reading. `next`: the transaction that will begin next. */
  place: ChangePlace & { next: bigint };
}

type Row = { oldest: string; next: string; second: string } & (
  { seq: string; version: string } | { seq: null }
);

/** What triggers have noted, and what follows from blocks (decisions/0512-hints-of-changes-by-triggers.md). */
@Injectable()
export class ChangeRepository {
  constructor(private readonly sql: Sql) {}

  /** Changes of some users, of this transaction and later ones. */
  async since(userIds: readonly string[], transaction: bigint, limit: number): Promise<ReadChanges> {
    return read(await this.sql.query<Row>(SINCE, [userIds, transaction, limit]));
  }

  /** Changes of the last minute. */
  async recent(userId: string, limit: number): Promise<ReadChanges> {
    return read(await this.sql.query<Row>(RECENT, [userId, limit]));
  }

  /** The newest applied block of each chain. */
  async heights(): Promise<Map<string, string>> {
    const rows = await this.sql.query<{ chain: string; height: string }>(HEIGHTS);
    return new Map(rows.map(({ chain, height }) => [chain, height]));
  }

  /** Payments with a transfer on one of these chains that waits for confirmations. */
  async waiting(
    userIds: readonly string[],
    chains: readonly string[],
    limit: number,
  ): Promise<{ userId: string; paymentId: string; applicationId: string }[]> {
    return this.sql.query(WAITING, [userIds, chains, limit]);
  }

  async purge(): Promise<void> {
    await this.sql.query(PURGE, [KEPT_SECONDS]);
  }
}

function read(rows: readonly Row[]): ReadChanges {
  const [first] = rows;
  if (!first) throw new Error('the place in the changes is always read');
  return {
    changes: rows.flatMap((row) =>
      row.seq === null ? [] : [{ ...CHANGE.toEntity(row), version: row.version }],
    ),
    place: {
      transaction: BigInt(first.oldest),
      next: BigInt(first.next),
      second: Number(first.second),
    },
  };
}
