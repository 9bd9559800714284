import type { MigrationInterface, QueryRunner } from 'typeorm';

/** docs/decisions/0878-seal-refunds.md */
const STATEMENTS = [
  // Under APP_KEYS (src/platform/integrity): everything of a refund but when it is looked at next, and of each entry all.
  'alter table refunds add column mac text',
  'alter table refund_history add column mac text',
  // The block in which the gateway has seen a transfer, and whether it was deep enough.
  'alter table payment_transfers add column place_mac text',
  `create or replace trigger refund_history_append_only before update or delete on refund_history
     for each row execute function refuse_change_but_mac()`,
  `create or replace function refunds_guard_status() returns trigger language plpgsql as $$
begin
  -- The rotation of keys, which says so in its own transaction and changes nothing else.
  if current_setting('gateway.resealing', true) = 'on' and to_jsonb(new) - 'mac' = to_jsonb(old) - 'mac' then
    return new;
  end if;
  if (new.id, new.payment_id, new.user_id, new.type, new.amount, new.chain, new.asset, new.payout_currency_code,
      new.payout_decimals, new.payout_amount, new.rate, new.rate_locked_at, new.confirmations_required, new.requested_by,
      new.created_at, new.expires_at, new.transfer_id)
     is distinct from
     (old.id, old.payment_id, old.user_id, old.type, old.amount, old.chain, old.asset, old.payout_currency_code,
      old.payout_decimals, old.payout_amount, old.rate, old.rate_locked_at, old.confirmations_required, old.requested_by,
      old.created_at, old.expires_at, old.transfer_id) then
    raise exception 'refund %: what was promised is immutable', old.id using errcode = 'check_violation';
  end if;
  if old.status in ('COMPLETED', 'CANCELLED', 'EXPIRED') then
    raise exception 'refund %: illegal change of a % refund', old.id, old.status using errcode = 'check_violation';
  end if;
  if old.status = 'PROCESSING' and new.address is distinct from old.address then
    raise exception 'refund %: its address was paid already', old.id using errcode = 'check_violation';
  end if;
  if (new.status, new.address, new.tx_hash) is distinct from (old.status, old.address, old.tx_hash) then
    if new.status_seq <> old.status_seq + 1 then
      raise exception 'refund %: status_seq must grow by one', old.id using errcode = 'check_violation';
    end if;
  elsif new.status_seq <> old.status_seq then
    raise exception 'refund %: status_seq moves with a change only', old.id using errcode = 'check_violation';
  end if;
  if new.status <> old.status and not (old.status || '>' || new.status = any (array[
    'AWAITING_ADDRESS>AWAITING_PAYMENT', 'AWAITING_ADDRESS>CANCELLED', 'AWAITING_ADDRESS>EXPIRED',
    'AWAITING_PAYMENT>PROCESSING', 'AWAITING_PAYMENT>CANCELLED',
    'PROCESSING>COMPLETED', 'PROCESSING>FAILED',
    'FAILED>PROCESSING', 'FAILED>CANCELLED'
  ])) then
    raise exception 'refund %: illegal move % to %', old.id, old.status, new.status using errcode = 'check_violation';
  end if;
  return new;
end 
$$`,
];

export class SealRefunds1795996819000 implements MigrationInterface {
  name = 'SealRefunds1795996819000';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await queryRunner.query(statement);
  }

  /** Forward only. */
  async down(): Promise<void> {
    throw new Error('SealRefunds1795996819000 cannot be reverted; restore a backup instead');
  }
}
