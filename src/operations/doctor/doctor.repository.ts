import type { Queryable } from '../../platform/database/sql.js';

const HAS_OPERATOR = `select exists (select from users where is_operator) as found`;
const LOCKED_OUT = `
  select count(*)::int as count, count(*) filter (where is_operator)::int as operators from users
  where password_key <> all ($1::text[]) and disabled_at is null`;
const FAILED_TOKENS = `select subject, restored_at as "restoredAt" from failed_attempts where kind = 'token'`;
const ENDPOINTS = `
  select distinct on (url) url, application_id as "applicationId"
  from (
    select callback_url as url, application_id from sites where callback_url is not null
    union all
    -- Of payments' own URLs those for which a delivery is pending.
    select p.callback_url, p.application_id from webhook_deliveries d join payments p on p.id = d.payment_id
    where d.state = 'pending' and p.callback_url is not null
  ) endpoints order by url limit $1`;
const BACKLOG = `
  select
    (select count(*)::int from webhook_endpoints) as paused,
    (select count(*)::int from webhook_deliveries where state = 'blocked' and test_payment_id is null) as blocked,
    (select count(*)::int from webhook_deliveries where state = 'exhausted' and test_payment_id is null) as exhausted`;

const TREASURIES = `
  select masked_key as text from wallets where retired_at is null and masked_key like 'treasury(%' order by id limit $1`;

/** A counter of failed tokens. */
export interface FailedTokens {
  /** The client's address, as the gateway determined it. */
  subject: string;
  /** Changes with every failure. */
  restoredAt: Date;
}

/** Webhooks that are not delivered by themselves. */
export interface WebhookBacklog {
  /** Endpoints. */
  paused: number;
  /** Deliveries whose signing secret cannot be decrypted. */
  blocked: number;
  /** Deliveries whose retries are over. */
  exhausted: number;
}

/** Reads what the doctor checks, whether the gateway runs or not: without Nest's container, and without a write. */
export class DoctorRepository {
  constructor(private readonly sql: Queryable) {}

  async hasOperator(): Promise<boolean> {
    const [row] = await this.sql.query<{ found: boolean }>(HAS_OPERATOR);
    return row?.found === true;
  }

  /** Users whose password cannot be checked, because its key is none of these. */
  async lockedOut(keyIds: readonly string[]): Promise<{ count: number; operators: number }> {
    const [row] = await this.sql.query<{ count: number; operators: number }>(LOCKED_OUT, [keyIds]);
    return row ?? { count: 0, operators: 0 };
  }

  /** The treasuries of wallets in use, as they are stored. */
  async treasuries(limit: number): Promise<string[]> {
    return (await this.sql.query<{ text: string }>(TREASURIES, [limit])).map(({ text }) => text);
  }

  failedTokens(): Promise<FailedTokens[]> {
    return this.sql.query(FAILED_TOKENS);
  }

  /** URLs that webhooks go to, each with one of its applications. */
  webhookEndpoints(limit: number): Promise<{ url: string; applicationId: string }[]> {
    return this.sql.query(ENDPOINTS, [limit]);
  }

  async webhookBacklog(): Promise<WebhookBacklog> {
    const [backlog] = await this.sql.query<WebhookBacklog>(BACKLOG);
    if (!backlog) throw new Error('a select without a table returned no row');
    return backlog;
  }
}
