/** How long the rows of a table stay. */
export interface Retention {
  /** What adds rows; `no`: the number of rows is bounded. */
  grows: 'payments' | 'webhooks' | 'requests' | 'accounts' | 'actions' | 'no';
  /** How long a row stays, and why, or what deletes it. */
  kept: string;
  /** The loop that deletes (src/platform/kernel/loop-name.pure.ts), if one does. */
  loop?: string;
}

const PROOF = 'always: proves what was paid, quoted and credited';
const RIGHTS = 'always: `verify` and the audit log refer to it';
const ONE = 'one row';

/**
 * Every table, and how long its rows stay. test/retention.spec.ts compares the list with the schema and with the table in
 * docs/how-to/growth.md. Facts have no right to be deleted (grants.ts), so only their owner could.
 */
export const RETENTION: Readonly<Record<string, Retention>> = {
  access_links: { grows: 'accounts', kept: '7 days after its end; deleted when the next link is made' },
  account_members: { grows: 'accounts', kept: 'until the member is removed' },
  application_holdings: { grows: 'accounts', kept: 'always: one row for each application, chain and asset' },
  application_logos: { grows: 'accounts', kept: 'until it is replaced or removed' },
  audit_anchor: { grows: 'no', kept: ONE },
  audit_head: { grows: 'no', kept: ONE },
  audit_log: { grows: 'actions', kept: 'always: an entry that was removed is a broken chain' },
  chain_blocks: {
    grows: 'no',
    kept: 'the newest of each chain, and every so many below, in the statement that adds one',
  },
  chain_conditions: { grows: 'no', kept: 'one row for each chain' },
  chain_cursors: { grows: 'no', kept: 'one row for each chain' },
  chain_leases: { grows: 'no', kept: 'one row for each chain' },
  changes: { grows: 'payments', kept: '10 minutes', loop: 'changes-purge' },
  client_tokens: { grows: 'accounts', kept: `${RIGHTS}; a revoked one too` },
  cursor_keys: { grows: 'no', kept: 'always: one' },
  database_sizes: { grows: 'no', kept: '60 days', loop: 'database-sizes' },
  deposit_addresses: { grows: 'payments', kept: 'always: whatever is paid to it later must be found' },
  event_feed: { grows: 'no', kept: ONE },
  failed_attempts: {
    grows: 'requests',
    kept: 'until the attempts are restored',
    loop: 'failed-attempts-purge',
  },
  idempotency_keys: { grows: 'requests', kept: '24 hours', loop: 'idempotency-purge' },
  migrations: { grows: 'no', kept: 'one row for each migration' },
  newest_versions: { grows: 'no', kept: ONE },
  notice_choices: {
    grows: 'accounts',
    kept: 'until the user is erased: one row for each user who has chosen',
  },
  notice_outages: { grows: 'no', kept: 'until it works again: at most one row for each endpoint and chain' },
  notices: { grows: 'accounts', kept: '90 days', loop: 'notices-purge' },
  oauth_clients: { grows: 'accounts', kept: `${RIGHTS}; a revoked one too` },
  oauth_signing_keys: { grows: 'no', kept: 'always: a few' },
  oidc_payloads: { grows: 'requests', kept: 'until it expires', loop: 'oauth-purge' },
  own_transfers: { grows: 'payments', kept: 'until a fork takes its block back: explains a balance' },
  payment_applications: { grows: 'accounts', kept: 'always: a deleted one can be restored' },
  payment_count_changes: { grows: 'payments', kept: 'seconds, until it is added', loop: 'payments-counts' },
  payment_counts: {
    grows: 'payments',
    kept: 'while it counts a payment; one row for each kind and month, day and hour',
    loop: 'payments-counts',
  },
  payment_events: {
    grows: 'payments',
    kept: 'for ever, since the event feed can be read from its start; a test with its delivery',
    loop: 'webhooks-retention',
  },
  payment_status_history: { grows: 'payments', kept: PROOF },
  payment_transfers: { grows: 'payments', kept: PROOF },
  payments: { grows: 'payments', kept: PROOF },
  quotes: { grows: 'payments', kept: PROOF },
  reconciliation_progress: { grows: 'no', kept: ONE },
  reconciliation_schedule: { grows: 'no', kept: ONE },
  reconciliation_state: { grows: 'no', kept: ONE },
  recovery_codes: { grows: 'accounts', kept: 'until new ones are made or the second factor is given up' },
  refund_history: { grows: 'payments', kept: PROOF },
  refunds: { grows: 'payments', kept: PROOF },
  refused_sign_ins: { grows: 'accounts', kept: 'always: at most one row for each user and reason' },
  reported_transactions: { grows: 'payments', kept: 'always: what a customer has reported' },
  restore_drills: { grows: 'no', kept: ONE },
  request_log: {
    grows: 'requests',
    kept: '7 days, and of an account the newest 10,000 or 8 MiB',
    loop: 'request-log-purge',
  },
  saved_views: { grows: 'accounts', kept: 'always: one row for each user' },
  second_factors: { grows: 'accounts', kept: 'until it is given up' },
  sites: { grows: 'accounts', kept: 'always: one row for each application' },
  spare_addresses: { grows: 'accounts', kept: 'until it is handed out: at most 40 rows for each key' },
  stray_receipts: {
    grows: 'accounts',
    kept: 'always: what came to addresses that other programs handed out',
  },
  unread_traces: { grows: 'no', kept: 'until the block is read, or a fork takes it back' },
  users: { grows: 'accounts', kept: RIGHTS },
  wallet_changes: { grows: 'accounts', kept: RIGHTS },
  wallet_choices: { grows: 'accounts', kept: RIGHTS },
  wallet_gaps: { grows: 'accounts', kept: 'always: one row for each key' },
  wallet_searches: {
    grows: 'accounts',
    kept: 'until the key takes effect anew: one row for each wallet and chain',
  },
  wallets: { grows: 'accounts', kept: 'always: its addresses are watched for ever' },
  webhook_attempts: { grows: 'webhooks', kept: '30 days, with its delivery', loop: 'webhooks-retention' },
  webhook_deliveries: {
    grows: 'webhooks',
    kept: '30 days, and of an application the newest 1,000 tests; longer while it waits, or failed and its payment is not acknowledged',
    loop: 'webhooks-retention',
  },
  webhook_delivery_count_changes: {
    grows: 'webhooks',
    kept: 'seconds, until it is added',
    loop: 'webhooks-counts',
  },
  webhook_delivery_counts: {
    grows: 'webhooks',
    kept: 'while it counts a delivery; one row for each kind and hour',
    loop: 'webhooks-counts',
  },
  webhook_endpoints: { grows: 'no', kept: 'while an endpoint is paused' },
};
