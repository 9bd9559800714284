// Fails on SQL outside of repositories and on SQL of another module's table. What counts: scripts/table-owners.mjs.
//   npm run tables
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { checkTableOwners, ownersOf, tablesWithoutEntity } from './table-owners.mjs';

const root = path.resolve(import.meta.dirname, '..');

const METRICS = 'a scrape counts the rows of several modules in as few statements as possible';
const DOCTOR = 'the doctor checks the records without starting the gateway and its services';
const OVERVIEW = 'a list over all that a user has is ordered and continued in one statement';
const RECEIVED = 'what the addresses of an application received is ordered and continued in one statement';
const VERIFY = 'verify compares it with the chains, in one snapshot with the payments';

/** Modules that may read a table of another one in a statement of their own: `table: { module: reason }`. */
const READERS = {
  application_holdings: { 'operations/reconciliation': 'verify compares the sums with the transfers' },
  audit_log: {
    webhooks: 'the watch of events asks whether an endpoint was changed since one',
    overview: OVERVIEW,
    payments: 'verify asks whether the callback URL changed after an event, in one statement with the event',
  },
  audit_head: { 'operations/metrics': METRICS },
  chain_blocks: {
    chains: 'the time between blocks is measured over the blocks that the watcher kept',
    payments: 'a payment expires when its chains were read beyond that, by the time of their newest block',
    'operations/metrics': METRICS,
  },
  chain_cursors: {
    overview: 'a block is a change of every payment that waits for it',
    chains: 'the state of a chain follows from its condition and the halt of its cursor, read together',
    payments: 'confirmations of a transfer count from the newest applied block',
    'operations/metrics': METRICS,
    'operations/reconciliation': VERIFY,
  },
  chain_leases: { 'operations/metrics': METRICS },
  deposit_addresses: {
    collections: RECEIVED,
    overview: OVERVIEW,
    payments: 'the list finds a payment by its address, and its addresses decide which chains can pay it',
  },
  failed_attempts: { 'operations/doctor': DOCTOR },
  oauth_signing_keys: {
    platform: 'wrong APP_KEYS are found out before a migration makes MACs with them, and by the doctor',
  },
  payment_applications: {
    payments: 'a shared insert passes over payments whose application somebody has locked',
    overview: OVERVIEW,
    wallets: 'verify finds the applications that lack the statement which wallets are theirs',
    webhooks: 'a delivery is signed with the secrets of its application',
    tokens: 'whether the application of a token exists is read with the token, on every request',
  },
  payment_events: {
    overview: OVERVIEW,
    webhooks: 'a delivery is logged with the event that it carries',
    'operations/metrics': METRICS,
  },
  own_transfers: { collections: RECEIVED },
  payment_transfers: {
    wallets: 'how many addresses in a row were not paid, which a wallet program has to bridge',
    collections: RECEIVED,
    overview: OVERVIEW,
    'operations/metrics': METRICS,
    'operations/reconciliation': VERIFY,
  },
  stray_receipts: { overview: OVERVIEW },
  wallet_gaps: { overview: OVERVIEW },
  unread_traces: {
    overview: OVERVIEW,
    'operations/metrics': METRICS,
    'operations/reconciliation': 'verify says what could not be read, beside what differs',
  },
  payments: {
    collections: RECEIVED,
    overview: OVERVIEW,
    'operations/reconciliation': 'verify compares the sums of applications with the transfers',
    refunds: 'the amount of a refund is in the currency of its payment',
    webhooks: 'a delivery goes to the URL of its payment, as it is stored',
    'operations/doctor': DOCTOR,
  },
  payment_status_history: {
    overview: OVERVIEW,
    webhooks: 'the watch of events asks whether a later move took one back',
  },
  quotes: { overview: OVERVIEW },
  refund_history: { overview: OVERVIEW },
  reconciliation_schedule: { 'operations/metrics': METRICS },
  reconciliation_state: { 'operations/metrics': METRICS },
  refunds: {
    overview: OVERVIEW,
    payments:
      'the audit compares refunded_amount with the completed refunds, and funds that are given back are not unmatched',
  },
  sites: {
    payments: 'a move reads the settings with the payment, as they are committed',
    webhooks: 'endpoints and deliveries follow the settings of the site, as they are committed',
    'operations/doctor': DOCTOR,
  },
  users: {
    tokens: 'whether the user of a token is disabled is read with the token, on every request',
    'operations/doctor': DOCTOR,
  },
  webhook_attempts: { payments: 'verify asks whether a delivery that succeeded was accepted' },
  webhook_deliveries: {
    overview: OVERVIEW,
    'operations/doctor': DOCTOR,
    'operations/metrics': METRICS,
  },
  wallet_choices: { payments: 'a payment is only created if a wallet can receive it, in one statement' },
  wallets: { overview: OVERVIEW, 'operations/doctor': DOCTOR },
  webhook_endpoints: { overview: OVERVIEW, 'operations/doctor': DOCTOR, 'operations/metrics': METRICS },
};

/**
 * Modules that may also write to a table of another one, where the owner could only do it in a further round trip or in
 * another transaction; as READERS.
 */
const WRITERS = {
  payment_events: {
    webhooks: 'an event is marked as dispatched in the statement that creates its delivery',
  },
  webhook_deliveries: {
    payments:
      'a move ends the deliveries of earlier opt-in events, in the statements that write its own event',
  },
};

const names = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard', 'src'], {
  cwd: root,
  encoding: 'utf8',
});
const files = new Map(
  names
    .split('\0')
    .filter((file) => /(?<!\.spec)\.ts$/.test(file))
    .flatMap((file) => {
      try {
        return [[file, readFileSync(path.join(root, file), 'utf8')]];
      } catch (error) {
        // Deleted, and not committed yet.
        if (error.code === 'ENOENT') return [];
        throw error;
      }
    }),
);
const owners = ownersOf(files);
const schema = readFileSync(path.join(root, 'migrations/schema.sql'), 'utf8');
const problems = [
  ...tablesWithoutEntity(schema, owners),
  ...checkTableOwners(files, { owners, readers: READERS, writers: WRITERS }),
];
for (const problem of problems) console.error(problem);
console.log(`${owners.size} tables, ${problems.length} problems`);
process.exitCode = problems.length > 0 ? 1 : 0;
