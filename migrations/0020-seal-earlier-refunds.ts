import { setTimeout as delay } from 'node:timers/promises';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const FIRST = '00000000-0000-0000-0000-000000000000';
/** Rows at a time. */
const BATCH = 1_000;

/** The keyring of the process that migrates (src/platform/kernel/keyring.ts). */
interface Keyring {
  mac(purpose: string, fields: readonly (string | null)[]): string;
}
type Value = string | number | null;
interface Table {
  name: string;
  purpose: string;
  /** The column of the MAC. */
  mac: string;
  key: readonly string[];
  where: string;
  /** In the order in which the MAC covers them. */
  fields: readonly string[];
}

const TABLES: readonly Table[] = [
  {
    name: 'refunds',
    purpose: 'row of refunds',
    mac: 'mac',
    key: ['id::uuid'],
    where: 'true',
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
    purpose: 'row of refund_history',
    mac: 'mac',
    key: ['refund_id::uuid', 'seq::integer'],
    where: 'true',
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
  {
    name: 'payment_transfers',
    purpose: 'place of payment_transfers',
    mac: 'place_mac',
    key: ['id::uuid'],
    where: 'block_height is not null',
    fields: [
      'chain',
      'tx_hash',
      'ordinal',
      'block_height',
      'block_hash',
      `case state when 'confirmed' then 'confirmed' else 'seen' end`,
    ],
  },
];

/** Refunds, and blocks of transfers, of before become the gateway's own as they are. */
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

  private async seal(queryRunner: QueryRunner, keyring: Keyring, table: Table): Promise<void> {
    const { name, purpose, mac, key, where, fields } = table;
    const columns = key.map((one) => one.split('::'));
    const order = columns.map(([column]) => column).join(', ');
    const after = columns.map(([, type], i) => `$${i + 1}::${type}`).join(', ');
    const arrays = columns.map(([, type], i) => `$${i + 2}::${type}[]`).join(', ');
    let place: Value[] = columns.map(([, type]) => (type === 'uuid' ? FIRST : 0));
    for (;;) {
      const begun = performance.now();
      const rows = (await queryRunner.query(
        `select ${order}, array[${fields.map((field) => textOf(field)).join(', ')}] as texts from ${name}
         where ${mac} is null and ${where} and (${order}) > (${after}) order by ${order} limit ${BATCH}`,
        place,
      )) as (Record<string, Value> & { texts: (string | null)[] })[];
      const last = rows.at(-1);
      if (!last) return;
      place = columns.map(([column = '']) => last[column] ?? null);
      await queryRunner.query(
        `update ${name} t set ${mac} = sealed.mac
         from (select * from unnest($1::text[], ${arrays}) as one (mac, ${order}) limit ${BATCH}) sealed
         where ${columns.map(([column]) => `t.${column} = sealed.${column}`).join(' and ')} and t.${mac} is null`,
        [
          rows.map(({ texts }) => keyring.mac(purpose, texts)),
          ...columns.map(([column = '']) => rows.map((row) => row[column])),
        ],
      );
      await delay(performance.now() - begun);
    }
  }
}

/** As src/platform/integrity/row-fields.pure.ts has it. */
function textOf(field: string): string {
  if (field.endsWith('_at')) return `to_char(${field} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
  return field.endsWith('_key') ? `encode(${field}, 'hex')` : `(${field})::text`;
}
