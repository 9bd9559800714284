import { Injectable } from '@nestjs/common';
import { namedStatement } from '../platform/database/named-statement.pure.js';
import { Sql } from '../platform/database/sql.js';

interface Search {
  userId: string;
  /** Null: what is searched for is no id. */
  id: string | null;
  text: string;
  /** Of candidates of each kind. */
  most: number;
}

/**
 * The operators compare bytes, which the indexes of prefixes are made for; nothing sorts after the upper bound that begins
 * with the text. The order is that of the index, so that Postgres never scans the table to find the first ones.
 */
const startingWith = (id: string, table: string, column: string) => `(
    select ${id} from ${table}
    where user_id = :userId and ${column} ~>=~ lower(:text) and ${column} ~<~ (lower(:text) || chr(1114111))
    order by ${column} using ~<~ limit :most)`;
const BY_REFERENCE_ADDRESS_OR_HASH = `
  select id from payments where id = :id::uuid and user_id = :userId
  union ${startingWith('id', 'payments', 'lower(reference)')}
  union ${startingWith('payment_id', 'payment_transfers', 'tx_hash')}
  union ${startingWith('payment_id', 'deposit_addresses', 'lower(address)')}`;
/** Ids of payments that a search finds, each part by an index of its own. */
export const FOUND = `${BY_REFERENCE_ADDRESS_OR_HASH}
  union ${startingWith('id', 'payments', 'lower(reference_label)')}`;
const SEARCH = namedStatement<Search>(BY_REFERENCE_ADDRESS_OR_HASH);

@Injectable()
export class PaymentSearchRepository {
  constructor(private readonly sql: Sql) {}

  /** Payments of a user with this id, or whose reference, address or transaction begins with the text. */
  async search(search: Search): Promise<string[]> {
    const rows = await this.sql.query<{ id: string }>(SEARCH.text, SEARCH.values(search));
    return rows.map(({ id }) => id);
  }
}
