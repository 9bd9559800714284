import type { MigrationInterface, QueryRunner } from 'typeorm';

/** docs/decisions/0899-pay-many-refunds-at-once.md */
const STATEMENTS = [
  // What the transaction has paid to the address of the refund in its asset, smallest unit; written with COMPLETED. Read by
  // the guard below and by nothing else.
  'alter table refunds add column tx_credited numeric(78,0)',
  `create or replace function refunds_guard_transaction() returns trigger language plpgsql as $$
declare
  counted numeric;
begin
  -- Refunds of one transaction wait here for each other: each sees what the one before it has counted.
  perform pg_advisory_xact_lock(hashtextextended('refund paid by ' || new.chain || ' ' || new.tx_hash, 0));
  if new.status = 'PROCESSING' and exists (
    select from refunds where chain = new.chain and tx_hash = new.tx_hash and status in ('PROCESSING', 'COMPLETED')
      and user_id <> new.user_id
  ) then
    raise exception 'refund %: another user has named its transaction', new.id using errcode = 'unique_violation';
  end if;
  if new.status = 'COMPLETED' then
    select sum(payout_amount) into counted from refunds
      where chain = new.chain and tx_hash = new.tx_hash and asset = new.asset and address_key = new.address_key
        and status = 'COMPLETED' and id <> new.id;
    -- The release before does not write what was paid, and counts all of it for each refund.
    if coalesce(counted, 0) + new.payout_amount > new.tx_credited or (counted > 0 and new.tx_credited is null) then
      raise exception 'refund %: its transaction has paid other refunds', new.id using errcode = 'check_violation';
    end if;
  end if;
  return new;
end
$$`,
  `create or replace trigger refunds_guard_transaction before update on refunds for each row
     when (new.status in ('PROCESSING', 'COMPLETED')
       and (new.status, new.tx_hash) is distinct from (old.status, old.tx_hash))
     execute function refunds_guard_transaction()`,
];

/** One transaction may pay several refunds, and no unit of it counts for two. */
export class ShareAPayout1795996830000 implements MigrationInterface {
  name = 'ShareAPayout1795996830000';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await queryRunner.query(statement);
  }

  /** Forward only. */
  async down(): Promise<void> {
    throw new Error('ShareAPayout1795996830000 cannot be reverted; restore a backup instead');
  }
}
