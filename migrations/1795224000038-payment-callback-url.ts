import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A payment may have a webhook endpoint of its own, on a host of its application (api.md N7). */
export class PaymentCallbackUrl1795224000038 implements MigrationInterface {
  name = 'PaymentCallbackUrl1795224000038';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      alter table payments add column callback_url text
        constraint payments_callback_url_check check (length(callback_url) between 1 and 2048);

      drop trigger payments_keep_extras on payments;
      create trigger payments_keep_extras before update of metadata, livemode, callback_url on payments for each row
        when (new.metadata <> old.metadata or new.livemode is distinct from old.livemode
          or new.callback_url is distinct from old.callback_url)
        execute function payments_keep_extras();
    `);
  }

  /** Forward only: a released gateway never takes money's tables back. */
  async down(): Promise<void> {
    throw new Error('PaymentCallbackUrl1795224000038 cannot be reverted; restore a backup instead');
  }
}
