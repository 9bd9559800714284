/**
 * What a writer of the database without APP_KEYS can do with a table: `authenticated`, its rows carry a MAC or are sealed,
 * and whoever acts on them checks it; `derived`, it follows from others, and is compared with them; `worthless`, a change
 * of it gains nothing; `open`, a change of it gains something, and what that is.
 */
export type TableClass =
  { authenticated: string } | { derived: string } | { worthless: string } | { open: string };

/** Every table. A new one is classified here, or test/table-classes.spec.ts fails. */
export const TABLE_CLASSES: Readonly<Record<string, TableClass>> = {
  access_links: { authenticated: 'every column; checked when a link is opened' },
  account_members: { authenticated: 'every column; checked with each request of a member' },
  application_holdings: {
    derived: 'from transfers, by triggers; compared by `verify`, counted anew below zero, shown only',
  },
  application_logos: { authenticated: 'by its hash in the MAC of `sites`' },
  audit_anchor: { authenticated: 'every column' },
  audit_head: { derived: 'from audit_log, whose end the anchor authenticates' },
  audit_log: { authenticated: 'every column, by hash and MAC' },
  chain_blocks: { derived: 'from the chain; `verify` reads it again' },
  chain_conditions: { worthless: 'what is shown about a chain; no payment follows from it' },
  chain_cursors: {
    open: 'a cursor that is set ahead makes transfers count that are not deep enough; `verify` names them (depth)',
  },
  chain_leases: {
    open: 'a lease without an end stops a chain; nobody is paid, and the alert of the chain fires',
  },
  changes: { worthless: 'wakes pages, which then read' },
  client_tokens: { authenticated: 'what a right depends on; checked with each request' },
  cursor_keys: { authenticated: 'sealed; one that cannot be read is left out, and its cursors are refused' },
  deposit_addresses: { authenticated: 'every column; checked before it is shown and when it is paid' },
  event_feed: { worthless: 'places in the feed: events are read again, or a cursor is refused' },
  failed_attempts: { worthless: 'limits of guessing: more attempts, not a right' },
  idempotency_keys: { authenticated: 'the stored answer is sealed for its key and its user' },
  migrations: { worthless: 'read by the owner of the schema, who could change everything that it says' },
  oauth_clients: { authenticated: 'what a right depends on' },
  oauth_signing_keys: { authenticated: 'sealed' },
  oidc_payloads: { authenticated: 'every column' },
  payment_applications: {
    derived:
      'the owner from `sites`, whose MAC has it, or from the audit log; secrets are sealed for their row; the rest names things',
  },
  payment_count_changes: { worthless: 'totals of lists' },
  payment_counts: { worthless: 'totals of lists' },
  payment_events: { authenticated: 'what is announced; checked before it is signed and in the feed' },
  payment_status_history: {
    authenticated: 'every column; the newest is checked by whoever acts on a payment',
  },
  payment_transfers: { authenticated: 'what a transaction did; checked by whoever acts on a payment' },
  payments: { authenticated: 'what was requested; checked by whoever acts on a payment' },
  quotes: { authenticated: 'every column; checked by whoever acts on a payment' },
  reconciliation_progress: { authenticated: 'sealed' },
  reconciliation_schedule: {
    open: 'a lease can hold the daily comparison back; the age of the last one is alerted',
  },
  reconciliation_state: { worthless: 'the last result as it is shown; the next run writes it anew' },
  recovery_codes: { authenticated: 'every column but its time' },
  refund_history: { authenticated: 'every column; checked with its refund' },
  refunds: { authenticated: 'all that is promised and its state; one that is not stops its payment' },
  refused_sign_ins: { worthless: 'what a person is told about refused sign-ins' },
  reported_transactions: { worthless: 'requests to look; what is found is read from the chain' },
  saved_views: { worthless: 'filters of a dashboard' },
  second_factors: { authenticated: 'sealed; the MAC of `users` says that there must be one' },
  sites: { authenticated: 'every column; checked when used' },
  unread_traces: { derived: 'from the chain; read again until they are' },
  users: { authenticated: 'what a right depends on; checked with each request' },
  wallet_changes: { authenticated: 'every column; checked when shown and applied' },
  wallet_choices: { authenticated: 'every column; checked when used' },
  wallets: { authenticated: 'what an address follows from; checked when used' },
  webhook_attempts: { worthless: 'the log of attempts' },
  webhook_deliveries: {
    open: 'a delivery that is marked as sent is not sent; what is sent and where to is authenticated',
  },
  webhook_delivery_count_changes: { worthless: 'totals of lists' },
  webhook_delivery_counts: { worthless: 'totals of lists' },
  webhook_endpoints: {
    open: 'a pause holds webhooks back; the endpoint shows it, and waiting deliveries are alerted',
  },
};

/** Of authenticated tables, the columns that no MAC covers: what they follow from, or why they are worth nothing. */
export const UNCOVERED: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  payments: {
    status: 'the newest entry of the history, which is authenticated',
    status_seq: 'the newest entry of the history, which is authenticated',
    received_amount: 'transfers and quotes; computed anew before each move',
    overpaid_amount: 'transfers and quotes; computed anew before each move',
    underpaid_amount: 'transfers and quotes; computed anew before each move',
    settled_amount: 'transfers and quotes; compared by `verify`',
    refunded_amount: 'refunds; compared by `verify`',
    found_at: 'the history; compared by `verify`',
    received_at: 'the history; compared by `verify`',
    confirmed_at: 'the history; compared by `verify`',
    cancelled_at: 'the history; compared by `verify`',
    cancel_reason: 'a note of the merchant',
    error_reason: 'the history; compared by `verify`',
    told: 'what events have told; another event of the same sums at worst',
    underpay_accepted_at: 'compared by `verify`',
    underpay_accepted_amount: 'compared by `verify`',
  },
  payment_transfers: {
    ordinal: 'the chain; compared by `verify`',
    state: 'in `place_mac`, as far as it counts; otherwise the chain',
    block_height: 'in `place_mac`',
    block_hash: 'in `place_mac`',
    awaits_agreement: 'the chain; compared by `verify`',
    quote_id: 'quotes; one of another asset or payment stops the payment',
    is_matched: 'quotes; without one of its asset it stops the payment',
    is_dust: 'all transfers of the payment; computed anew before each move',
    credited_amount: 'all transfers of the payment; computed anew before each move',
    mac: 'authenticates the others',
  },
  payment_events: { place: 'its order among those of the payment', mac: 'authenticates the others' },
  payment_status_history: { mac: 'authenticates the others' },
  quotes: { mac: 'authenticates the others' },
  sites: { mac: 'authenticates the others' },
  refunds: {
    next_check_at: 'when the transaction is looked at again; put off, the refund stays PROCESSING',
    mac: 'authenticates the others',
  },
  refund_history: { mac: 'authenticates the others' },
};
