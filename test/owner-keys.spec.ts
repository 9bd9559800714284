import { readFileSync } from 'node:fs';
import path from 'node:path';

const schema = readFileSync(path.resolve(import.meta.dirname, '../migrations/schema.sql'), 'utf8');
const tables = new Map(
  [...schema.matchAll(/^create table (\w+) \(\n([^]*?)\n\);$/gm)].map(([, name = '', body = '']) => [
    name,
    body,
  ]),
);

/** Without an owner: small, or about the installation. A database of several nodes keeps them on one, or on all. */
const SHARED: Record<string, string> = {
  audit_anchor: 'where the audit log ends',
  audit_head: 'where the audit log ends',
  audit_log:
    'one chain of records in one order (decision 0015); entries of operators and the gateway have no user',
  chain_blocks: 'blocks of a chain',
  chain_conditions: 'state of the node of a chain',
  chain_cursors: 'how far a chain was read',
  chain_leases: 'which process reads a chain',
  event_feed: 'position of the newest event',
  failed_attempts: 'counts by address and account',
  migrations: 'the schema itself',
  oauth_signing_keys: 'keys of the authorization server',
  reconciliation_progress: 'how far verify has compared',
  reconciliation_schedule: 'which process verifies',
  reconciliation_state: 'result of the last verify',
  unread_traces: 'what could not be read of a block',
};

/** About people who sign in, of whom one may act for several owners: they are looked up before there is an owner. */
const IDENTITY: Record<string, string> = {
  access_links: 'an invitation or a link for the first user has no user yet',
  account_members: 'relates two users',
  oauth_clients: 'a client of people has no user of its own',
  oidc_payloads: 'state of the authorization server, by its own ids',
  users: 'the owner itself, by its id',
};

/** Owned, but found by another key only: what has to get a column user_id before tables can be spread by owner. */
const BY_PARENT: Record<string, string> = {
  application_events: 'application_id',
  application_holdings: 'application_id',
  application_logos: 'application_id',
  payment_status_history: 'payment_id',
  refund_history: 'refund_id',
  reported_transactions: 'payment_id',
  webhook_attempts: 'delivery_id',
  webhook_endpoints: 'application_id',
};

/** Has the column, but may leave it empty. */
const NULLABLE: Record<string, string> = {
  wallets: 'default wallets of the installation belong to no user',
};

/** Foreign keys between owned tables that do not compare the owner. */
const FOREIGN_KEYS_WITHOUT_OWNER: Record<string, string> = {
  deposit_addresses_wallet_id_fkey: 'a default wallet has no user',
  payment_transfers_deposit_address_id_payment_id_fkey: 'both have the same payment',
  payment_transfers_quote_id_payment_id_fkey: 'both have the same payment',
  quotes_accepted_transfer_id_payment_id_fkey: 'both have the same payment',
  refunds_transfer_id_payment_id_fkey: 'both have the same payment',
  webhook_deliveries_event_id_fkey: 'a delivery is made of its event',
  webhook_tests_application_id_fkey: 'a test is made of its application',
};

const lists = { SHARED, IDENTITY, BY_PARENT };
const isListed = (name: string) => Object.values(lists).some((list) => Object.hasOwn(list, name));
const ownerColumn = (body: string) => /^ {2}user_id (?:text|uuid)( not null)?,?$/m.exec(body);
const owned = [...tables].filter(([name]) => !isListed(name));

describe('the key by which tables can be spread over several nodes', () => {
  it('is a column user_id of each table with rows of a merchant, which is never empty', () => {
    const without = owned.filter(([name, body]) => {
      const [line, isRequired] = ownerColumn(body) ?? [];
      return line === undefined || (isRequired === undefined && !Object.hasOwn(NULLABLE, name));
    });
    expect(without.map(([name]) => name)).toEqual([]);
    expect(owned.length).toBeGreaterThan(15);
  });

  it('is part of each foreign key between such tables, apart from listed ones', () => {
    const names = new Set(owned.map(([name]) => name));
    const keys = [
      ...schema.matchAll(
        /^alter table (\w+) add constraint (\w+) FOREIGN KEY \(([^)]+)\) REFERENCES (\w+)\(([^)]+)\)/gm,
      ),
    ].filter(([, from = '', , , to = '']) => names.has(from) && names.has(to));
    const without = keys.filter(([, , , columns = '']) => !columns.split(', ').includes('user_id'));
    const found = without.map(([, , name = '']) => name);
    expect(new Set(found)).toEqual(new Set(Object.keys(FOREIGN_KEYS_WITHOUT_OWNER)));
  });

  it.each(Object.entries(BY_PARENT))('is missing in %s, whose rows are found by %s', (name, column) => {
    const body = tables.get(name) ?? '';
    expect(body).toMatch(new RegExp(`^ {2}${column} uuid not null`, 'm'));
    expect(ownerColumn(body)).toBeNull();
  });

  it('has exceptions for tables only that exist, each in one list, and the document names those that a step needs', () => {
    const names = Object.values(lists).flatMap((list) => Object.keys(list));
    expect(names.filter((name) => !tables.has(name))).toEqual([]);
    expect(new Set(names).size).toBe(names.length);
    const document = readFileSync(path.resolve(import.meta.dirname, '../docs/how-to/scaling.md'), 'utf8');
    expect(Object.keys(BY_PARENT).filter((name) => !document.includes(`\`${name}\``))).toEqual([]);
  });
});
