import { Injectable } from '@nestjs/common';
import { bulkUpdate, columnsOf } from '../database/entity-sql.js';
import { columnOf, type EntityClass, type Property, tableOf } from '../database/entity-table.js';
import { Sql } from '../database/sql.js';
import type { AuthenticatedTable, WithMac } from './authenticated-rows.js';

const LOCK_PENDING = `
  select name from authenticated_tables where name = $1 and adopted_at is null for update`;
const ALLOW_NEW_MACS = `select set_config('gateway.resealing', 'on', true)`;
const SET_ADOPTED = `update authenticated_tables set adopted_at = $2 where name = $1`;

/** The key of a row as texts: its place in the order of {@link AuthenticatedTableRepository.listAfter}. */
export type Place = readonly string[];

/** A row to authenticate. */
export interface PlacedRow<Row> {
  place: Place;
  row: Row;
}

/** Which rows are read: those without a MAC, or those whose MAC was made by another key than this one. */
export type Selection = 'without-mac' | { notBy: string };

/** Authenticated tables (authenticated_tables), and the MACs of their rows. */
@Injectable()
export class AuthenticatedTableRepository {
  constructor(private readonly sql: Sql) {}

  /** Whether rows of the release before are still to be authenticated; keeps other processes from doing so meanwhile. */
  async lockPending(name: string): Promise<boolean> {
    return (await this.sql.query(LOCK_PENDING, [name])).length > 0;
  }

  async setAdopted(name: string, now: Date): Promise<void> {
    await this.sql.query(SET_ADOPTED, [name, now]);
  }

  async hasMacs<E extends WithMac>(entity: EntityClass<E>): Promise<boolean> {
    const text = `select from ${tableOf(entity).name} where mac is not null limit 1`;
    return (await this.sql.query(text)).length > 0;
  }

  /** Up to `limit` rows after `place`, in order of their key; null: from the first. Locks them. */
  async listAfter<E extends WithMac, K extends Property<E>>(
    { entity, key, fields }: AuthenticatedTable<E, K>,
    selection: Selection,
    place: Place | null,
    limit: number,
  ): Promise<PlacedRow<Pick<E, K> & WithMac>[]> {
    const columns = columnsOf<E, K | Property<E>>(entity, 't', [...fields, 'mac' as Property<E>]);
    const keys = key.map((property) => columnOf(entity, property));
    const order = keys.map(({ name }) => `t.${name}`).join(', ');
    // By the columns themselves and not by their texts, so that the primary key's index finds each batch.
    const after = keys.map(({ type }, i) => `($2::text[])[${i + 1}]::${type}`).join(', ');
    const selected =
      selection === 'without-mac' ? `$1 = '' and t.mac is null` : `split_part(t.mac, '.', 2) <> $1`;
    const rows = await this.sql.query<{ place: string[] }>(
      `select array[${keys.map(({ name }) => `t.${name}::text`).join(', ')}] as place, ${columns.list}
       from ${tableOf(entity).name} t
       where ${selected} and ${place === null ? '$2::text[] is null' : `(${order}) > (${after})`}
       order by ${order} limit $3 for no key update`,
      [selection === 'without-mac' ? '' : selection.notBy, place, limit],
    );
    return rows.map((row) => ({ place: row.place, row: columns.toEntity(row) as Pick<E, K> & WithMac }));
  }

  /** Lets, until the transaction ends, guards that forbid every change of a row accept one of its MAC alone. */
  async allowNewMacs(): Promise<void> {
    await this.sql.query(ALLOW_NEW_MACS);
  }

  async setMacs<E extends WithMac, K extends Property<E>>(
    { entity, key }: AuthenticatedTable<E, K>,
    rows: readonly (Pick<E, K> & WithMac)[],
  ): Promise<void> {
    if (rows.length === 0) return;
    const update = bulkUpdate<E, K, Property<E>>(entity, { key, set: ['mac' as Property<E>] });
    await this.sql.query(...update(rows as never));
  }
}
