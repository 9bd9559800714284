import { setTimeout as delay } from 'node:timers/promises';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const INDEX = 'payment_transfers_unallotted';
/** Almost always empty; what the release before recorded while both ran. */
const BUILD = `
  create index concurrently if not exists ${INDEX} on payment_transfers (payment_id)
    where credited_amount is null and quote_id is not null and state in ('pending', 'confirmed')`;
const IS_BROKEN = `select from pg_index where indexrelid = to_regclass('${INDEX}') and not indisvalid`;

/** Payments that are read, and transfers that are written, at a time. */
const BATCH = 1_000;
/** A payment with transfers to allot, and who wrote its row last: every writer of its transfers did. */
const NEXT = `
  select p.id, p.amount::text as amount, p.xmin::text as version from payments p
  where p.id > $1 and p.id in (
    select payment_id from payment_transfers
    where credited_amount is null and quote_id is not null and state in ('pending', 'confirmed'))
  order by p.id limit ${BATCH}`;
const TRANSFERS = `
  select t.id, t.payment_id as "paymentId", t.amount::text as amount, q.asset_amount::text as "assetAmount"
  from payment_transfers t join quotes q on q.id = t.quote_id
  where t.payment_id = any($1::uuid[]) and t.state in ('pending', 'confirmed')
  order by t.payment_id, t.state <> 'confirmed', t.confirmed_at, t.seen_at, t.id`;
const ALLOT = `
  update payment_transfers t set credited_amount = part.amount
  from (select * from unnest($1::uuid[], $2::numeric[], $3::uuid[], $4::text[])
      as part (id, amount, payment_id, version) limit ${BATCH}) part
  where t.id = part.id and t.credited_amount is null
    and (select p.xmin::text from payments p where p.id = part.payment_id) = part.version`;

interface PaymentRow {
  id: string;
  amount: string;
  version: string;
}
interface TransferRow {
  id: string;
  paymentId: string;
  amount: string;
  assetAmount: string;
}

/**
 * Allots the transfers of before. Each was shown rounded down; of a payment in parts, later ones get the units that were
 * missing to what it received. A payment that changes meanwhile is left out, and allotted by the program.
 */
export class AllotEarlierParts1795996805000 implements MigrationInterface {
  name = 'AllotEarlierParts1795996805000';
  transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    await this.build(queryRunner);
    let last = '00000000-0000-0000-0000-000000000000';
    for (;;) {
      const begun = performance.now();
      const payments = (await queryRunner.query(NEXT, [last])) as PaymentRow[];
      if (payments.length > 0) await this.allot(queryRunner, payments);
      last = payments.at(-1)?.id ?? last;
      if (payments.length < BATCH) break;
      await delay(performance.now() - begun);
    }
    await queryRunner.query(
      'alter table payment_transfers validate constraint payment_transfers_credited_check',
    );
  }

  async down(): Promise<void> {
    throw new Error('AllotEarlierParts1795996805000 cannot be reverted; restore a backup instead');
  }

  private async build(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`select set_config('lock_timeout', '600s', false)`);
    const broken = (await queryRunner.query(IS_BROKEN)) as unknown[];
    if (broken.length > 0) await queryRunner.query(`drop index concurrently if exists ${INDEX}`);
    await queryRunner.query(BUILD);
    await queryRunner.query(`select set_config('lock_timeout', '2s', false)`);
  }

  private async allot(queryRunner: QueryRunner, payments: readonly PaymentRow[]): Promise<void> {
    const ids = payments.map(({ id }) => id);
    const transfers = (await queryRunner.query(TRANSFERS, [ids])) as TransferRow[];
    const transfersOf = new Map<string, TransferRow[]>(ids.map((id) => [id, []]));
    for (const transfer of transfers) transfersOf.get(transfer.paymentId)?.push(transfer);
    const rows = payments.flatMap(({ id, amount, version }) =>
      partsOf(BigInt(amount), transfersOf.get(id) ?? []).map((part) => ({ ...part, paymentId: id, version })),
    );
    for (let at = 0; at < rows.length; at += BATCH) {
      const batch = rows.slice(at, at + BATCH);
      await queryRunner.query(ALLOT, [
        batch.map((row) => row.id),
        batch.map((row) => row.part),
        batch.map((row) => row.paymentId),
        batch.map((row) => row.version),
      ]);
    }
  }
}

/** What is received with each transfer, confirmed ones first, less what was received before it: they add up in any case. */
function partsOf(due: bigint, transfers: readonly TransferRow[]): { id: string; part: string }[] {
  let [numerator, denominator, before] = [0n, 1n, 0n];
  return transfers.map(({ id, amount, assetAmount }) => {
    const divisor = BigInt(assetAmount);
    if (denominator % divisor !== 0n) {
      numerator *= divisor;
      denominator *= divisor;
    }
    numerator += (BigInt(amount) * denominator) / divisor;
    const received = (due * numerator) / denominator;
    const part = received - before;
    before = received;
    return { id, part: part.toString() };
  });
}
