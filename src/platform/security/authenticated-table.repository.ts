import { Injectable } from '@nestjs/common';
import { bulkUpdate, columnsOf } from '../database/entity-sql.js';
import { columnOf, type EntityClass, type Property, tableOf } from '../database/entity-table.js';
import { Sql } from '../database/sql.js';
import type { AuthenticatedTable, WithMac } from './authenticated-rows.js';

const LOCK_PENDING = `
  select name from authenticated_tables where name = $1 and adopted_at is null for update`;
const SET_ADOPTED = `update authenticated_tables set adopted_at = $2 where name = $1`;

/** A row to authenticate, with its place in the order of {@link AuthenticatedTableRepository.listAfter}. */
export interface PlacedRow<Row> {
  place: string;
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

  /** Up to `limit` rows after `place`, in order of their key; locks them. */
  async listAfter<E extends WithMac, K extends Property<E>>(
    { entity, key, fields }: AuthenticatedTable<E, K>,
    selection: Selection,
    place: string,
    limit: number,
  ): Promise<PlacedRow<Pick<E, K> & WithMac>[]> {
    const columns = columnsOf<E, K | Property<E>>(entity, 't', [...fields, 'mac' as Property<E>]);
    const order = key.map((property) => `t.${columnOf(entity, property).name}::text`).join(` || ' ' || `);
    const condition =
      selection === 'without-mac' ? `$1 = '' and t.mac is null` : `split_part(t.mac, '.', 2) <> $1`;
    const rows = await this.sql.query<{ place: string }>(
      `select ${order} as place, ${columns.list} from ${tableOf(entity).name} t
       where ${condition} and ${order} > $2 order by 1 limit $3 for no key update`,
      [selection === 'without-mac' ? '' : selection.notBy, place, limit],
    );
    return rows.map((row) => ({ place: row.place, row: columns.toEntity(row) as Pick<E, K> & WithMac }));
  }

  async setMacs<E extends WithMac, K extends Property<E>>(
    { entity, key }: AuthenticatedTable<E, K>,
    rows: readonly (Pick<E, K> & WithMac)[],
  ): Promise<void> {
    if (rows.length === 0) return;
    const update = bulkUpdate<E, K, Property<E>>(entity, { key, set: ['mac' as Property<E>] });
    await this.sql.query(update.text, update.values(rows as never));
  }
}
