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
 * with the text.
 */
const startsWith = (column: string, text = ':text') =>
  `${column} ~>=~ lower(${text}) and ${column} ~<~ (lower(${text}) || chr(1114111))`;
/**
 * A letter with an accent is one code point or two, as the program wrote it that made the order; people see no
 * difference. Postgres knows before it reads that a form is the text itself, as all forms of plain letters are.
 */
const OTHER_FORMS = ['nfc', 'nfd'].map((form) => `normalize(:text::text, ${form})`);
/** The order is that of the index, so that Postgres never scans the table to find the first ones. */
const startingWith = (id: string, table: string, column: string, text = ':text') => `(
    select ${id} from ${table}
    where user_id = :userId and ${startsWith(column, text)}${text === ':text' ? '' : ` and ${text} <> :text`}
    order by ${column} using ~<~ limit :most)`;
/** For what people write. */
const startingWithAnyForm = (id: string, table: string, column: string) =>
  [':text', ...OTHER_FORMS].map((text) => startingWith(id, table, column, text)).join(' union ');
/** Ids of payments that a search finds, each part by an index of its own. */
export const FOUND = `
  select id from payments where id = :id::uuid and user_id = :userId
  union ${startingWithAnyForm('id', 'payments', 'lower(reference)')}
  union ${startingWith('payment_id', 'payment_transfers', 'tx_hash')}
  union ${startingWith('payment_id', 'deposit_addresses', 'lower(address)')}
  union ${startingWithAnyForm('id', 'payments', 'lower(reference_label)')}`;
/**
 * Of `payments p`, with the parameters `id` and `text`: the search finds the payment. Because of OFFSET 0 Postgres looks
 * the payment up, instead of reading all transfers and addresses once.
 */
export const IS_FOUND = `(p.id = :id::uuid
  or ${['reference', 'reference_label']
    .flatMap((column) =>
      [':text', ...OTHER_FORMS].map((text) => `(${startsWith(`lower(p.${column})`, text)})`),
    )
    .join(' or ')}
  or exists (select from payment_transfers t where t.payment_id = p.id and ${startsWith('t.tx_hash')} offset 0)
  or exists (select from deposit_addresses d where d.payment_id = p.id and ${startsWith('lower(d.address)')} offset 0))`;
const SEARCH = namedStatement<Search>(FOUND);

@Injectable()
export class PaymentSearchRepository {
  constructor(private readonly sql: Sql) {}

  /** Payments of a user with this id, or whose reference, label, address or transaction begins with the text. */
  async search(search: Search): Promise<string[]> {
    const rows = await this.sql.query<{ id: string }>(SEARCH.text, SEARCH.values(search));
    return rows.map(({ id }) => id);
  }
}
