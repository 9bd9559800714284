import type { MigrationInterface, QueryRunner } from 'typeorm';

const BATCH = 1_000;

/** The queue's indexes of what is too much, and the payments of before that share their reference. */
export class FindWhatIsTooMuch1795996806000 implements MigrationInterface {
  name = 'FindWhatIsTooMuch1795996806000';
  transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`set lock_timeout = '10min'`);
    await this.build(
      queryRunner,
      'payments_overpaid',
      `(user_id, date_trunc('milliseconds', coalesce(received_at, created_at) at time zone 'UTC'), id)
        where overpaid_amount > refunded_amount + coalesce(kept_amount, 0) and status in ('RECEIVED', 'CONFIRMED')
          and (overpay_accepted_at is null or kept_amount is not null)`,
    );
    await this.markShared(queryRunner);
    await this.build(
      queryRunner,
      'payments_twice',
      `(user_id, date_trunc('milliseconds', coalesce(received_at, found_at, created_at) at time zone 'UTC'), id)
        where shares_reference and twice_kept_at is null and status in ('UNDERPAID', 'RECEIVED', 'CONFIRMED')`,
    );
    await this.build(
      queryRunner,
      'reported_transactions_unlisted',
      `(user_id, payment_id) where state = 'UNLISTED_TOKEN' and kept_at is null`,
      'reported_transactions',
    );
    await queryRunner.query('alter table payments validate constraint payments_kept_amount_check');
    await queryRunner.query(
      'alter table reported_transactions validate constraint reported_transactions_state_check',
    );
    await queryRunner.query(
      'alter table reported_transactions validate constraint reported_transactions_token_check',
    );
    await queryRunner.query('reset lock_timeout');
  }

  /** Forward only. */
  async down(): Promise<void> {
    throw new Error('FindWhatIsTooMuch1795996806000 cannot be reverted; restore a backup instead');
  }

  /** Anew, if a build before was interrupted. */
  private async build(
    queryRunner: QueryRunner,
    name: string,
    definition: string,
    table = 'payments',
  ): Promise<void> {
    const [found] = (await queryRunner.query(
      'select indisvalid as valid from pg_index where indexrelid = to_regclass($1)',
      [name],
    )) as { valid: boolean }[];
    if (found?.valid) return;
    await queryRunner.query(`drop index concurrently if exists ${name}`);
    await queryRunner.query(`create index concurrently ${name} on ${table} ${definition}`);
  }

  /** Payments that were paid before there was a trigger, in the order of their ids. */
  private async markShared(queryRunner: QueryRunner): Promise<void> {
    let after: string | null = '00000000-0000-0000-0000-000000000000';
    while (after !== null) {
      const started = performance.now();
      const [batch] = (await queryRunner.query(
        `with paid as materialized (
           select id, user_id, application_id, reference from payments
           where id > $1 and received_amount > 0 and shares_reference is null order by id limit ${BATCH}
         ), marked as (
           update payments p set shares_reference = true from paid
           where p.id = paid.id and exists (
             select from payments o where o.user_id = paid.user_id and o.reference = paid.reference
               and o.application_id = paid.application_id and o.id <> paid.id)
         )
         select max(id::text) as last from paid`,
        [after],
      )) as { last: string | null }[];
      after = batch?.last ?? null;
      await new Promise((resolve) => setTimeout(resolve, performance.now() - started));
    }
  }
}
