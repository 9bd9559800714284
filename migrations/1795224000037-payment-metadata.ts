import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What a shop keeps with a payment, whether real money is at stake, and a way to find payments by reference. */
export class PaymentMetadata1795224000037 implements MigrationInterface {
  name = 'PaymentMetadata1795224000037';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      -- A flat object of strings. Postgres writes a space behind each colon and comma: 100 bytes more than the 4,096 of
      -- the API, which counts the shortest form.
      alter table payments add column metadata jsonb not null default '{}'
        constraint payments_metadata_check check (
          jsonb_typeof(metadata) = 'object'
          and octet_length(metadata::text) <= 4196
          and jsonb_array_length(jsonb_path_query_array(metadata, 'strict $.keyvalue()')) <= 50
          and not jsonb_path_exists(metadata, 'strict $.* ? (@.type() != "string")'));
      -- Null: made by a release that did not ask.
      alter table payments add column livemode boolean;

      create index payments_reference on payments (user_id, reference, created_at desc, id desc);

      create function payments_keep_extras() returns trigger language plpgsql as $$
      begin
        raise exception 'payment %: what was asked is immutable', old.id using errcode = 'check_violation';
      end $$;
      create trigger payments_keep_extras before update of metadata, livemode on payments for each row
        when (new.metadata <> old.metadata or new.livemode is distinct from old.livemode)
        execute function payments_keep_extras();
    `);
  }

  /** Forward only: a released gateway never takes money's tables back. */
  async down(): Promise<void> {
    throw new Error('PaymentMetadata1795224000037 cannot be reverted; restore a backup instead');
  }
}
