import { setTimeout as delay } from 'node:timers/promises';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Rows at a time. */
const BATCH = 1_000;

/** The keyring of the process that migrates (src/platform/kernel/keyring.ts). */
interface Keyring {
  mac(purpose: string, fields: readonly (string | null)[]): string;
}
type Value = string | number | Date | Buffer | null;
interface Table {
  name: string;
  key: readonly string[];
  /** In the order in which the MAC covers them. */
  fields: readonly string[];
}

const TABLES: readonly Table[] = [
  {
    name: 'refunds',
    key: ['id::uuid'],
    fields: [
      'id',
      'payment_id',
      'user_id',
      'type',
      'status',
      'status_seq',
      'transfer_id',
      'amount',
      'chain',
      'asset',
      'payout_currency_code',
      'payout_decimals',
      'payout_amount',
      'rate',
      'rate_locked_at',
      'confirmations_required',
      'address',
      'address_key',
      'address_set_by',
      'tx_hash',
      'tx_recorded_at',
      'tx_seen_at',
      'confirmations',
      'reason',
      'note',
      'requested_by',
      'created_at',
      'expires_at',
      'completed_at',
      'failure_reason',
    ],
  },
  {
    name: 'refund_history',
    key: ['refund_id::uuid', 'seq::integer'],
    fields: [
      'refund_id',
      'user_id',
      'seq',
      'from_status',
      'to_status',
      'reason',
      'address',
      'tx_hash',
      'created_at',
    ],
  },
];

/** Refunds of before become the gateway's own as they are. */
export class SealEarlierRefunds1795996820000 implements MigrationInterface {
  name = 'SealEarlierRefunds1795996820000';
  transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    const keyring = queryRunner.data['keyring'] as Keyring | undefined;
    if (!keyring) throw new Error('refunds can only be sealed with APP_KEYS');
    // The guards let a MAC be written alone.
    await queryRunner.query(`select set_config('gateway.resealing', 'on', false)`);
    for (const table of TABLES) await this.seal(queryRunner, keyring, table);
    await queryRunner.query(`select set_config('gateway.resealing', '', false)`);
  }

  /** Forward only. */
  async down(): Promise<void> {
    throw new Error('SealEarlierRefunds1795996820000 cannot be reverted; restore a backup instead');
  }

  private async seal(
    queryRunner: QueryRunner,
    keyring: Keyring,
    { name, key, fields }: Table,
  ): Promise<void> {
    const columns = key.map((one) => one.split('::'));
    const order = columns.map(([column]) => column).join(', ');
    const arrays = columns.map(([, type], i) => `$${i + 2}::${type}[]`).join(', ');
    for (;;) {
      const begun = performance.now();
      // Found again and again by what is missing: rows are few, and none is left out.
      const rows = (await queryRunner.query(
        `select ${fields.join(', ')} from ${name} where mac is null order by ${order} limit ${BATCH}`,
      )) as Record<string, Value>[];
      if (rows.length === 0) return;
      const macs = rows.map((row) =>
        keyring.mac(
          `row of ${name}`,
          fields.map((field) => text(row[field] ?? null)),
        ),
      );
      await queryRunner.query(
        `update ${name} t set mac = sealed.mac
         from (select * from unnest($1::text[], ${arrays}) as one (mac, ${order}) limit ${BATCH}) sealed
         where ${columns.map(([column]) => `t.${column} = sealed.${column}`).join(' and ')} and t.mac is null`,
        [macs, ...columns.map(([column = '']) => rows.map((row) => row[column]))],
      );
      await delay(performance.now() - begun);
    }
  }
}

/** As src/platform/integrity/row-fields.pure.ts has it. */
function text(value: Value): string | null {
  if (value === null) return null;
  if (value instanceof Date) return value.toISOString();
  return Buffer.isBuffer(value) ? value.toString('hex') : String(value);
}
