import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Most changes of a payment reach no webhook endpoint and overtake no delivery, but the statements that write and
 * overtake deliveries run, and so do the triggers behind them: 0.1 ms each to count and announce nothing. They return
 * at once when the statement has changed no row, as those of 0044 do; the rest of the two functions stays as it is.
 */
export class SkipEmptyDeliveryTriggers1795310445000 implements MigrationInterface {
  name = 'SkipEmptyDeliveryTriggers1795310445000';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const name of ['webhook_deliveries_tell_insert', 'webhook_deliveries_tell_update'])
      await queryRunner.query(`
        do $$ begin
          execute regexp_replace(pg_get_functiondef('${name}'::regproc), '\\mbegin\\M', 'begin
          if not exists (select from fresh) then
            return null;
          end if;');
        end $$`);
  }

  /** Forward only. */
  async down(): Promise<void> {
    throw new Error('SkipEmptyDeliveryTriggers1795310445000 cannot be reverted; restore a backup instead');
  }
}
