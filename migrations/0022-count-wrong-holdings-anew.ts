import type { MigrationInterface, QueryRunner } from 'typeorm';

/** docs/decisions/0883-stop-a-payment-never-a-chain.md */
const STATEMENTS = [
  // Somebody had written a transfer or a sum past the triggers: taking a genuine change off it gave less than nothing,
  // which the checks refused, and with it the block of everybody else. No sum can be as large as these, either.
  `create or replace function application_holdings_count_anew() returns trigger language plpgsql as $$
begin
  select coalesce(sum(t.amount) filter (where t.state = 'confirmed'), 0),
    coalesce(sum(t.amount) filter (where t.state = 'pending'), 0),
    count(distinct t.deposit_address_id) filter (where t.state = 'confirmed')
  into new.confirmed, new.pending, new.addresses
  from payments p join payment_transfers t on t.payment_id = p.id
  where p.application_id = new.application_id and t.chain = new.chain and t.asset = new.asset
    and t.currency_code = new.currency_code and t.asset_decimals = new.asset_decimals;
  return new;
end
$$`,
  `create trigger application_holdings_count_anew before update on application_holdings for each row
     when (least(new.confirmed, new.pending, new.addresses) < 0 or greatest(new.confirmed, new.pending) > 1e100
       or new.addresses > 1e15)
     execute function application_holdings_count_anew()`,
];

export class CountWrongHoldingsAnew1795996822000 implements MigrationInterface {
  name = 'CountWrongHoldingsAnew1795996822000';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await queryRunner.query(statement);
  }

  /** Forward only. */
  async down(): Promise<void> {
    throw new Error('CountWrongHoldingsAnew1795996822000 cannot be reverted; restore a backup instead');
  }
}
