import { Injectable } from '@nestjs/common';
import { bulkUpdate, columnsOf } from '../database/entity-sql.js';
import { columnOf, type Property, tableOf } from '../database/entity-table.js';
import { Sql } from '../database/sql.js';
import type { AuthenticatedTable, WithMac } from './authenticated-rows.js';

const ALLOW_NEW_MACS = `select set_config('gateway.resealing', 'on', true)`;

/** The key of a row as texts: its place in the order of {@link AuthenticatedTableRepository.listAfter}. */
export type Place = readonly string[];

/** A row to authenticate. */
export interface PlacedRow<Row> {
  place: Place;
  row: Row;
}

/** The MACs of authenticated tables. */
@Injectable()
export class AuthenticatedTableRepository {
  constructor(private readonly sql: Sql) {}

  /**
   * Up to `limit` rows after `place` whose MAC was made by another key, in order of their key; null: from the first. Locks
   * them.
   */
  async listAfter<E extends WithMac, K extends Property<E>>(
    { entity, key, fields }: AuthenticatedTable<E, K>,
    notBy: string,
    place: Place | null,
    limit: number,
  ): Promise<PlacedRow<Pick<E, K> & WithMac>[]> {
    const columns = columnsOf<E, K | Property<E>>(entity, 't', [...fields, 'mac' as Property<E>]);
    const keys = key.map((property) => columnOf(entity, property));
    const order = keys.map(({ name }) => `t.${name}`).join(', ');
    // By the columns themselves and not by their texts, so that the primary key's index finds each batch.
    const after = keys.map(({ type }, i) => `($2::text[])[${i + 1}]::${type}`).join(', ');
    const rows = await this.sql.query<{ place: string[] }>(
      `select array[${keys.map(({ name }) => `t.${name}::text`).join(', ')}] as place, ${columns.list}
       from ${tableOf(entity).name} t
       where split_part(t.mac, '.', 2) <> $1 and ${place === null ? '$2::text[] is null' : `(${order}) > (${after})`}
       order by ${order} limit $3 for no key update`,
      [notBy, place, limit],
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
