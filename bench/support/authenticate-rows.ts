import type pg from 'pg';
import { bulkUpdate, columnsOf } from '../../src/platform/database/entity-sql.js';
import { type Property, tableOf } from '../../src/platform/database/entity-table.js';
import {
  AuthenticatedRows,
  type AuthenticatedTable,
  type WithMac,
} from '../../src/platform/integrity/authenticated-rows.js';
import { Keyring } from '../../src/platform/kernel/keyring.js';
import { BENCH_KEY } from './gateway.js';

/** Gives rows that a benchmark wrote by SQL the MAC without which the gateway refuses them. */
export async function authenticateRows<E extends WithMac, K extends Property<E>>(
  client: pg.Client,
  table: AuthenticatedTable<E, K>,
): Promise<void> {
  const { entity, key, fields } = table;
  const columns = columnsOf<E, K>(entity, 't', fields);
  const found = await client.query<Record<string, unknown>>(
    `select ${columns.list} from ${tableOf(entity).name} t where t.mac is null`,
  );
  if (found.rows.length === 0) return;
  const authenticated = new AuthenticatedRows(table, new Keyring([BENCH_KEY]), () => undefined);
  const rows = found.rows.map((row) => {
    const read = columns.toEntity(row) as Pick<E, K>;
    return { ...read, mac: authenticated.macOf(read) };
  });
  const update = bulkUpdate<E, K, Property<E>>(entity, { key, set: ['mac' as Property<E>] });
  await client.query('begin');
  await client.query(`select set_config('gateway.resealing', 'on', true)`);
  const [text, values] = update(rows as never);
  await client.query(text, [...values]);
  await client.query('commit');
}
