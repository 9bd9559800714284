import { bulkUpdate, columnsOf } from '../../src/platform/database/entity-sql.js';
import { type Property, tableOf } from '../../src/platform/database/entity-table.js';
import type { Sql } from '../../src/platform/database/sql.js';
import type { AuthenticatedTable, WithMac } from '../../src/platform/integrity/authenticated-rows.js';
import { RowAuthenticator } from '../../src/platform/integrity/row-authenticator.service.js';
import { PAYMENT_STATUS_HISTORY } from '../../src/payments/payment-status-history.entity.js';
import { PAYMENTS } from '../../src/payments/payment.entity.js';
import { QUOTES } from '../../src/payments/quotes/quote.entity.js';
import {
  PAYMENT_TRANSFERS,
  PaymentTransferEntity,
  PLACE,
} from '../../src/payments/transfers/payment-transfer.entity.js';
import { Keyring } from '../../src/platform/kernel/keyring.js';
import { REFUND_HISTORY } from '../../src/refunds/refund-history.entity.js';
import { REFUNDS } from '../../src/refunds/refund.entity.js';

/** Rows of one statement. */
const BATCH = 1_000;

/** What tests have planted into the tables of payments becomes the gateway's own: rows without a MAC get one. */
export async function sealPlanted({
  sql,
  get,
}: {
  sql: Sql;
  get: <T>(type: new (...args: never[]) => T) => T;
}): Promise<void> {
  const authenticator = get(RowAuthenticator);
  await sql.unitOfWork(async (tx) => {
    // Triggers that compare what an update changed take a while for the transfers of one payment, if these are many.
    await tx.query('set local session_replication_role = replica');
    await seal(tx, authenticator, PAYMENTS);
    await seal(tx, authenticator, QUOTES);
    await seal(tx, authenticator, PAYMENT_TRANSFERS);
    await seal(tx, authenticator, PAYMENT_STATUS_HISTORY);
    await sealPlaces(tx, get(Keyring));
    await seal(tx, authenticator, REFUNDS);
    await seal(tx, authenticator, REFUND_HISTORY);
  });
}

async function seal<E extends WithMac, K extends Property<E>>(
  tx: Pick<Sql, 'query'>,
  authenticator: RowAuthenticator,
  table: AuthenticatedTable<E, K>,
): Promise<void> {
  const { entity, key, fields } = table;
  const columns = columnsOf<E, K>(entity, 't', fields);
  const found = await tx.query<object>(
    `select ${columns.list} from ${tableOf(entity).name} t where t.mac is null`,
  );
  if (found.length === 0) return;
  const rows = authenticator.of(table);
  const update = bulkUpdate<E, K, Property<E>>(entity, { key, set: ['mac' as Property<E>] });
  const sealed = found.map(columns.toEntity).map((row) => ({ ...row, mac: rows.mac(row) }));
  for (let at = 0; at < sealed.length; at += BATCH)
    await tx.query(...update(sealed.slice(at, at + BATCH) as never));
}

const PLACED = columnsOf(PaymentTransferEntity, 't', [
  'id',
  'chain',
  'txHash',
  'ordinal',
  'state',
  'blockHeight',
  'blockHash',
]);

async function sealPlaces(tx: Pick<Sql, 'query'>, keyring: Keyring): Promise<void> {
  const rows = (
    await tx.query<object>(
      `select ${PLACED.list} from payment_transfers t where t.block_height is not null and t.place_mac is null`,
    )
  ).map(PLACED.toEntity);
  await tx.query(
    `update payment_transfers t set place_mac = sealed.mac from unnest($1::uuid[], $2::text[]) as sealed (id, mac)
     where t.id = sealed.id`,
    [rows.map(({ id }) => id), rows.map((row) => keyring.mac(PLACE.purpose, PLACE.fieldsOf(row)))],
  );
}
