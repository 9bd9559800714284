import { readFileSync } from 'node:fs';
import path from 'node:path';

const schema = readFileSync(path.resolve(import.meta.dirname, '../migrations/schema.sql'), 'utf8');
const tables = new Map(
  [...schema.matchAll(/^create table (\w+) \(\n([^]*?)\n\);$/gm)].map(([, name = '', body = '']) => [
    name,
    body,
  ]),
);

/** Without an owner: about the installation, which each cell has for itself. */
const SHARED: Record<string, string> = {
  audit_anchor: 'where the audit log ends',
  audit_head: 'where the audit log ends',
  audit_log:
    'one chain of records in one order (decisions/0505-key-the-audit-log.md#the-audit-log-is-ordered-by-one-row); entries of operators and the gateway have no user',
  chain_blocks: 'blocks of a chain',
  chain_conditions: 'state of the node of a chain',
  chain_cursors: 'how far a chain was read',
  chain_leases: 'which process reads a chain',
  cursor_keys: 'keys of cursors',
  database_sizes: 'bytes of the database by day',
  event_feed: 'position of the newest event',
  failed_attempts: 'counts by address and account',
  migrations: 'the schema itself',
  newest_versions: 'the answer about the newest version; another cell asks for itself',
  notice_outages: 'what fails now and was told; another cell tells its own',
  oauth_signing_keys: 'keys of the authorization server',
  reconciliation_progress: 'how far verify has compared',
  reconciliation_schedule: 'which process verifies',
  reconciliation_state: 'result of the last verify',
  restore_drills: 'the last drill of a backup',
  spare_addresses: 'follow from the keys of wallets; another cell derives them anew',
  unread_traces: 'what could not be read of a block',
  stray_receipts: 'what came to addresses of the key from outside; another cell sees it anew',
  wallet_gaps:
    'follow from payments, but for what was said of a wallet program; another cell finds them anew',
  wallet_searches: 'what the nodes of this cell said about a key; another cell asks its own',
};

/** About people who sign in, of whom one may act for several owners: they are looked up before there is an owner. */
const IDENTITY: Record<string, string> = {
  access_links: 'an invitation or a link for the first user has no user yet',
  account_members: 'relates two users',
  oauth_clients: 'a client of people has no user of its own',
  oidc_payloads: 'state of the authorization server, by its own ids',
  users: 'the owner itself, by its id',
};

/** Owned by way of their application, and small: they do not grow with payments, and are copied by a join. */
const SMALL: Record<string, string> = {
  application_holdings: 'a row for each asset',
  application_logos: 'a row for each application',
  webhook_endpoints: 'a row for each paused application',
};

/** Has the column, but may leave it empty. */
const NULLABLE: Record<string, string> = {
  notices: 'to the channel of the operator, or to an address that has no user yet',
  wallets: 'default wallets of the installation belong to no user',
};

const lists = { SHARED, IDENTITY, SMALL };
const isListed = (name: string) => Object.values(lists).some((list) => Object.hasOwn(list, name));
const ownerColumn = (body: string) => /^ {2}user_id (?:text|uuid)( not null)?,?$/m.exec(body);
const owned = [...tables].filter(([name]) => !isListed(name));

describe('the column by which an account can be copied to another cell', () => {
  it('is a user_id of each table with rows of a merchant, which is never empty', () => {
    const without = owned.filter(([name, body]) => {
      const [line, isRequired] = ownerColumn(body) ?? [];
      return line === undefined || (isRequired === undefined && !Object.hasOwn(NULLABLE, name));
    });
    expect(without.map(([name]) => name)).toEqual([]);
    expect(owned.length).toBeGreaterThan(20);
  });

  it.each(Object.keys(SMALL))('is missing in %s, whose rows are found by their application', (name) => {
    const body = tables.get(name) ?? '';
    expect(body).toMatch(/^ {2}application_id uuid not null/m);
    expect(ownerColumn(body)).toBeNull();
  });

  it('has exceptions for tables only that exist, each in one list, and the document names those that need a join', () => {
    const names = Object.values(lists).flatMap((list) => Object.keys(list));
    expect(names.filter((name) => !tables.has(name))).toEqual([]);
    expect(new Set(names).size).toBe(names.length);
    const document = readFileSync(path.resolve(import.meta.dirname, '../docs/how-to/scaling.md'), 'utf8');
    expect(Object.keys(SMALL).filter((name) => !document.includes(`\`${name}\``))).toEqual([]);
  });
});
