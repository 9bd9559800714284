// Fails on SQL outside of repositories and on SQL of another module's table. What counts: scripts/table-owners.mjs.
//   npm run tables
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { checkTableOwners, ownersOf } from './table-owners.mjs';

const root = path.resolve(import.meta.dirname, '..');

/** Tables without an entity yet, and their module. */
const WITHOUT_ENTITY = {
  application_holdings: 'wallets',
  audit_head: 'platform',
  audit_log: 'platform',
  chain_blocks: 'chain-watcher',
  chain_conditions: 'chains',
  chain_cursors: 'chain-watcher',
  chain_leases: 'chain-watcher',
  deposit_addresses: 'wallets',
  event_feed: 'webhooks',
  failed_attempts: 'platform',
  idempotency_keys: 'platform',
  oauth_signing_keys: 'identity/oauth',
  oidc_payloads: 'identity/oauth',
  reconciliation_state: 'operations/reconciliation',
  recovery_codes: 'identity/oauth',
  refund_history: 'refunds',
  refunds: 'refunds',
  second_factors: 'identity/oauth',
  webhook_attempts: 'webhooks',
  webhook_deliveries: 'webhooks',
  webhook_endpoints: 'webhooks',
  webhook_tests: 'webhooks',
};

const HINT_OF_404 = 'the hint of a 404 names what the id in the path belongs to, in one statement';
const METRICS = 'a scrape counts the rows of several modules in as few statements as possible';
const DOCTOR = 'the doctor checks the records without starting the gateway and its services';
const VERIFY = 'verify compares it with the chains, in one snapshot with the payments';

/** Modules that may read a table of another one in a statement of their own: `table: { module: reason }`. */
const READERS = {
  audit_head: { 'operations/metrics': METRICS },
  chain_blocks: {
    chains: 'the time between blocks is measured over the blocks that the watcher kept',
    payments: 'a payment expires when its chains were read beyond that, by the time of their newest block',
    'operations/metrics': METRICS,
  },
  chain_cursors: {
    chains: 'the state of a chain follows from its condition and the halt of its cursor, read together',
    payments: 'confirmations of a transfer count from the newest applied block',
    'operations/metrics': METRICS,
    'operations/reconciliation': VERIFY,
  },
  chain_leases: { 'operations/metrics': METRICS },
  client_tokens: { applications: HINT_OF_404 },
  deposit_addresses: {
    payments: 'the list finds a payment by its address, and its addresses decide which chains can pay it',
  },
  failed_attempts: { 'operations/doctor': DOCTOR },
  payment_applications: {
    webhooks: 'a delivery is signed with the secrets of its application',
    'identity/tokens': 'whether the application of a token exists is read with the token, on every request',
  },
  payment_events: {
    webhooks: 'a delivery is logged with the event that it carries',
    'operations/metrics': METRICS,
  },
  payment_transfers: { 'operations/metrics': METRICS, 'operations/reconciliation': VERIFY },
  payments: {
    applications: HINT_OF_404,
    refunds: 'the amount of a refund is in the currency of its payment',
    webhooks: 'a delivery goes to the URL of its payment, as it is stored',
    'operations/doctor': DOCTOR,
  },
  reconciliation_state: { 'operations/metrics': METRICS },
  refunds: {
    applications: HINT_OF_404,
    payments: 'the audit compares refunded_amount with the completed refunds, read in the same snapshot',
  },
  sites: {
    payments: 'a move reads the settings with the payment, as they are committed',
    webhooks: 'endpoints and deliveries follow the settings of the site, as they are committed',
    'operations/doctor': DOCTOR,
  },
  users: {
    'identity/tokens': 'whether the user of a token is disabled is read with the token, on every request',
    'operations/doctor': DOCTOR,
  },
  webhook_deliveries: {
    applications: HINT_OF_404,
    'operations/doctor': DOCTOR,
    'operations/metrics': METRICS,
  },
  wallets: { payments: 'a payment is only created if a wallet can receive it, in one statement' },
  webhook_endpoints: { 'operations/doctor': DOCTOR, 'operations/metrics': METRICS },
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

/** Files that work on any table. */
const INFRASTRUCTURE = [];

/** Files whose SQL has not moved into a repository yet; the list only shrinks. */
const NOT_CONVERTED = [
  'src/applications/applications.service.ts',
  'src/applications/encrypted-columns.ts',
  'src/applications/own-objects.service.ts',
  'src/applications/signing-secrets.service.ts',
  'src/chains/block-interval.service.ts',
  'src/cli.ts',
  'src/identity/oauth/access-tokens.service.ts',
  'src/identity/oauth/account.service.ts',
  'src/identity/oauth/attempt-limit.ts',
  'src/identity/oauth/encrypted-columns.ts',
  'src/identity/oauth/oauth-clients.service.ts',
  'src/identity/oauth/oidc-store.ts',
  'src/identity/oauth/provisioning.service.ts',
  'src/identity/oauth/signing-keys.service.ts',
  'src/identity/oauth/two-factor.service.ts',
  'src/identity/oauth/users.service.ts',
  'src/identity/tokens/client-token-principals.service.ts',
  'src/identity/tokens/client-tokens.service.ts',
  'src/operations/doctor/doctor.ts',
  'src/operations/doctor/public-address-check.ts',
  'src/operations/doctor/webhooks-check.ts',
  'src/operations/metrics/chain-overview.service.ts',
  'src/operations/metrics/metrics.service.ts',
  'src/operations/reconciliation/reconciliation.service.ts',
  'src/operations/reconciliation/unspent-outputs.service.ts',
  'src/payments/payment-batch-writer.ts',
  'src/payments/payment-expiry.service.ts',
  'src/payments/payment-invariants.service.ts',
  'src/payments/payment-list.service.ts',
  'src/payments/payments.service.ts',
  'src/payments/quotes.service.ts',
  'src/payments/transfers.service.ts',
  'src/platform/audit/audit-log.service.ts',
  'src/platform/audit/audit-verification.service.ts',
  'src/platform/idempotency/idempotency.service.ts',
  'src/platform/rate-limiting/brute-force-throttle.service.ts',
  'src/refunds/refund-verifier.service.ts',
  'src/wallets/deposit-addresses.service.ts',
  'src/wallets/encrypted-columns.ts',
  'src/wallets/holdings.service.ts',
  'src/wallets/wallet-activation.service.ts',
  'src/wallets/wallets.service.ts',
  'src/wallets/watched-keys.service.ts',
  'src/webhooks/delivery.repository.ts',
];

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
const owners = ownersOf(files, WITHOUT_ENTITY);
const rules = {
  owners,
  readers: READERS,
  writers: WRITERS,
  infrastructure: INFRASTRUCTURE,
  notConverted: NOT_CONVERTED,
};
const { problems, notConverted, converted } = checkTableOwners(files, rules);
for (const problem of problems) console.error(problem);
for (const file of converted) console.log(`${file}: converted or gone; take it off NOT_CONVERTED`);
console.log(
  `${owners.size} tables, ${problems.length} problems; ${notConverted} files with SQL not in a repository yet`,
);
process.exitCode = problems.length > 0 ? 1 : 0;
