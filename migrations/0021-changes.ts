import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A payment as merchants see it; the times at which loops look at it again are left out. */
const PAYMENT = [
  'status',
  'status_seq',
  'selected_provider',
  'selected_method',
  'received_amount',
  'refunded_amount',
  'cancel_reason',
  'review_reason',
  'acknowledged_at',
  'underpay_accepted_at',
  'overpay_accepted_at',
];
const TRANSFER = ['state', 'block_height', 'quote_id', 'is_matched', 'awaits_agreement'];
const REFUND = ['status_seq', 'address', 'tx_hash', 'tx_seen_at', 'confirmations'];
const DELIVERY = ['state', 'attempts', 'succeeded_at'];

const columns = (alias: string, names: readonly string[]) =>
  names.map((name) => `${alias}.${name}`).join(', ');

/** What each table's rows mean to a dashboard: type, object, application and payment, of the row `n`. */
const TABLES: readonly { table: string; insert: string; watched: readonly string[]; from?: string }[] = [
  { table: 'payments', insert: `n.user_id, 'payment', n.id, n.application_id, null`, watched: PAYMENT },
  {
    table: 'payment_transfers',
    insert: `n.user_id, 'payment', n.payment_id, p.application_id, null`,
    from: 'join payments p on p.id = n.payment_id',
    watched: TRANSFER,
  },
  {
    table: 'reported_transactions',
    insert: `p.user_id, 'payment', n.payment_id, p.application_id, null`,
    from: 'join payments p on p.id = n.payment_id',
    watched: ['state'],
  },
  {
    table: 'refunds',
    insert: `n.user_id, 'refund', n.id, p.application_id, n.payment_id`,
    from: 'join payments p on p.id = n.payment_id',
    watched: REFUND,
  },
  {
    table: 'webhook_deliveries',
    insert: `n.user_id, 'delivery', n.id, n.application_id, n.payment_id`,
    watched: DELIVERY,
  },
];
/** Where a paused endpoint has a row. */
const ENDPOINTS = {
  table: 'webhook_endpoints',
  insert: `a.user_id, 'application', n.application_id, n.application_id, null`,
  from: 'join payment_applications a on a.id = n.application_id',
};
/** Small tables, each change of which is told. The id is that of the application; null: of all applications. */
const SETTINGS: readonly { table: string; insert: string; from?: string }[] = [
  { table: 'payment_applications', insert: `n.user_id, 'application', n.id, n.id, null` },
  { table: 'sites', insert: `n.user_id, 'application', n.application_id, n.application_id, null` },
  { table: 'wallet_choices', insert: `n.user_id, 'application', n.application_id, n.application_id, null` },
  ENDPOINTS,
];

/**
 * What dashboards are told of changes (decisions/0512-hints-of-changes-by-triggers.md). Triggers write it, so that no
 * change is forgotten and no writer needs a statement more.
 */
export class Changes1795310421000 implements MigrationInterface {
  name = 'Changes1795310421000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      create table changes (
        transaction_id bigint not null default pg_current_xact_id()::text::bigint,
        seq bigserial,
        user_id text not null,
        type text not null constraint changes_type_check
          check (type in ('payment', 'refund', 'delivery', 'application')),
        object_id uuid,
        application_id uuid,
        payment_id uuid,
        at timestamptz not null default now(),
        primary key (transaction_id, seq)
      )`);
    await queryRunner.query(
      `comment on table changes is 'That something changed, for dashboards to fetch it; kept for minutes.'`,
    );
    for (const { table, insert, from = '', watched } of TABLES) {
      await this.tell(queryRunner, table, 'insert', insert, `from fresh n ${from}`);
      const changed = `where (${columns('n', watched)}) is distinct from (${columns('o', watched)})`;
      await this.tell(
        queryRunner,
        table,
        'update',
        insert,
        `from fresh n join former o on o.id = n.id ${from} ${changed}`,
      );
    }
    for (const { table, insert, from = '' } of SETTINGS) {
      await this.tell(queryRunner, table, 'insert', insert, `from fresh n ${from}`);
      await this.tell(queryRunner, table, 'update', insert, `from fresh n ${from}`);
    }
    // An endpoint without a row is not paused.
    const { table, insert, from } = ENDPOINTS;
    await this.tell(queryRunner, table, 'delete', insert, `from former n ${from}`);
  }

  async down(): Promise<void> {
    throw new Error('Changes1795310421000 cannot be reverted; restore a backup instead');
  }

  /** With the rights of the schema's owner, as other triggers that write tables without rights. */
  private async tell(
    queryRunner: QueryRunner,
    table: string,
    verb: 'insert' | 'update' | 'delete',
    insert: string,
    source: string,
  ): Promise<void> {
    const name = `${table}_tell_${verb}`;
    const tables = {
      insert: 'new table as fresh',
      update: 'old table as former new table as fresh',
      delete: 'old table as former',
    }[verb];
    await queryRunner.query(`
      create function ${name}() returns trigger language plpgsql as $$
      begin
        insert into changes (user_id, type, object_id, application_id, payment_id)
        select ${insert} ${source};
        return null;
      end $$`);
    await queryRunner.query(`
      do $$ begin
        execute format('alter function ${name}() security definer set search_path = %I, pg_temp', current_schema());
        revoke execute on function ${name}() from public;
      end $$`);
    await queryRunner.query(`
      create trigger ${name} after ${verb} on ${table} referencing ${tables}
      for each statement execute function ${name}()`);
  }
}
