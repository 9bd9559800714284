import { Injectable } from '@nestjs/common';
import { namedStatement } from '../../platform/database/named-statement.pure.js';
import { Sql } from '../../platform/database/sql.js';
import type { RefusalReason } from './refused-sign-in.entity.js';

interface Refusal {
  userId: string;
  reason: RefusalReason;
  now: Date;
  isBoundReached: boolean;
  /** A report of this time or earlier is followed by another one. */
  reportedBefore: Date;
}

/** Refused sign-ins of one account. */
export interface RefusedSignIns {
  count: number;
  /** When the last one was; null: there was none. */
  lastAt: Date | null;
}

/** {@link RefusedSignIns} between two sign-ins. */
export interface RefusedBetween extends RefusedSignIns {
  isBoundReached: boolean;
}

const COUNT = namedStatement<Refusal>(`
  insert into refused_sign_ins as r (user_id, reason, since_last, refused_at, is_bound_reached, reported_at)
  values (:userId, :reason, 1, :now, :isBoundReached,
    case when :isBoundReached::boolean then :now::timestamptz end)
  on conflict (user_id, reason) do update
    set since_last = r.since_last + 1, refused_at = excluded.refused_at,
      is_bound_reached = r.is_bound_reached or excluded.is_bound_reached,
      reported_at = case
        when r.reported_at is null or r.reported_at <= :reportedBefore
          then coalesce(excluded.reported_at, r.reported_at)
        else r.reported_at end
  returning coalesce(r.reported_at = :now and :isBoundReached::boolean, false) as "isNews"`);
const RESET = `
  with before as (select * from refused_sign_ins where user_id = $1 for update)
  update refused_sign_ins r set before_last = before.since_last, since_last = 0, is_bound_reached = false
  from before where r.user_id = before.user_id and r.reason = before.reason
  returning before.since_last as count, before.refused_at as "lastAt", before.is_bound_reached as "isBoundReached"`;
const FIND = `
  select coalesce(sum(since_last + before_last), 0)::integer as count, max(refused_at) as "lastAt"
  from refused_sign_ins where user_id = $1`;

/** Numbers of refused sign-ins by account (refused_sign_ins). */
@Injectable()
export class RefusedSignInRepository {
  constructor(private readonly sql: Sql) {}

  /** @returns whether reaching the bound is to be reported */
  async count(refusal: Refusal): Promise<boolean> {
    const [row] = await this.sql.query<{ isNews: boolean }>(COUNT.text, COUNT.values(refusal));
    return row?.isNews ?? false;
  }

  /** Counts from zero again, after a sign-in. Returns what was refused since the one before. */
  async reset(userId: string): Promise<RefusedBetween> {
    const rows = await this.sql.query<RefusedBetween>(RESET, [userId]);
    const times = rows.flatMap(({ lastAt }) => lastAt ?? []).sort((a, b) => b.getTime() - a.getTime());
    return {
      count: rows.reduce((sum, { count }) => sum + count, 0),
      lastAt: times[0] ?? null,
      isBoundReached: rows.some(({ isBoundReached }) => isBoundReached),
    };
  }

  /** Since the sign-in before the last one, so that whoever has just signed in sees what happened before. */
  async find(userId: string): Promise<RefusedSignIns> {
    const [row] = await this.sql.query<RefusedSignIns>(FIND, [userId]);
    return row ?? { count: 0, lastAt: null };
  }
}
