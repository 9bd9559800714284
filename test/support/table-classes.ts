/**
 * What a writer of the database without APP_KEYS can do with a table: `authenticated`, its rows carry a MAC or are sealed,
 * and whoever acts on them checks it; `derived`, it follows from others, and is compared with them; `worthless`, a change
 * of it gains nothing. `worst`: what a rewritten row can do although it is noticed.
 */
export type TableClass =
  { authenticated: string } | { derived: string; worst?: string } | { worthless: string; worst?: string };

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
    derived: 'from the chain; `verify` compares it (cursor), and `ready` and an alert watch its age',
    worst:
      'set ahead, blocks are not read, and transfers count that are not deep enough: `verify` names both (balance, depth)',
  },
  chain_leases: {
    worthless: 'who follows a chain: a turn is fenced by its epoch and the cursor',
    worst: 'a chain stands still, nobody is paid falsely, and the alert of the chain fires',
  },
  changes: { worthless: 'wakes pages, which then read' },
  client_tokens: { authenticated: 'what a right depends on; checked with each request' },
  cursor_keys: { authenticated: 'sealed; one that cannot be read is left out, and its cursors are refused' },
  database_sizes: { worthless: 'what the growth of the database is shown by' },
  deposit_addresses: { authenticated: 'every column; checked before it is shown and when it is paid' },
  event_feed: { worthless: 'places in the feed: events are read again, or a cursor is refused' },
  failed_attempts: { worthless: 'limits of guessing: more attempts, not a right' },
  idempotency_keys: { authenticated: 'the stored answer is sealed for its key and its user' },
  migrations: { worthless: 'read by the owner of the schema, who could change everything that it says' },
  newest_versions: {
    worthless: 'what is shown of the newest version',
    worst: 'a newer version is not noticed, or one that does not exist is looked for',
  },
  notice_choices: {
    worthless: 'what a person wants to be told; what they may know is looked up when it is sent',
    worst: 'somebody is not told, or gets the counts of an account in which they may act',
  },
  notice_outages: { worthless: 'what was told', worst: 'an outage is told twice, or never' },
  notices: {
    authenticated: 'what is said and to whom, sealed for its row',
    worst: 'it is sent again, or never; the times of it are no more than that',
  },
  oauth_clients: { authenticated: 'what a right depends on' },
  oauth_signing_keys: { authenticated: 'sealed' },
  oidc_payloads: { authenticated: 'every column' },
  own_transfers: { authenticated: 'all but a time; checked by `verify`, and no payment follows from it' },
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
    worthless: 'when the next comparison is due',
    worst: 'it is held back; the age of the last one is alerted, and `verify` can be run by hand',
  },
  reconciliation_state: { worthless: 'the last result as it is shown; the next run writes it anew' },
  recovery_codes: { authenticated: 'every column but its time' },
  refund_history: { authenticated: 'every column; checked with its refund' },
  refunds: { authenticated: 'all that is promised and its state; one that is not stops its payment' },
  refused_sign_ins: { worthless: 'what a person is told about refused sign-ins' },
  reported_transactions: { worthless: 'requests to look; what is found is read from the chain' },
  restore_drills: {
    worthless: 'what is shown of the last restore drill',
    worst: 'a backup is believed that nobody has tried',
  },
  request_log: { worthless: 'what servers have asked; nobody acts on it' },
  saved_views: { worthless: 'filters of a dashboard' },
  second_factors: { authenticated: 'sealed; the MAC of `users` says that there must be one' },
  sites: { authenticated: 'every column; checked when used' },
  spare_addresses: {
    derived: 'from the keys of wallets',
    worst: 'money there is not noticed, or the counter passes over numbers',
  },
  stray_receipts: {
    derived: 'from the chains, when money comes to a spare address',
    worst: 'attention says that a key is used elsewhere, or does not; no payment is touched',
  },
  unread_traces: { derived: 'from the chain; read again until they are' },
  users: { authenticated: 'what a right depends on; checked with each request' },
  wallet_changes: { authenticated: 'every column; checked when shown and applied' },
  wallet_choices: { authenticated: 'every column; checked when used' },
  wallet_gaps: {
    derived: 'from the payments of a key, by a loop of the worker',
    worst: 'attention says too late, or without need, that a wallet program must look further',
  },
  wallet_searches: {
    derived: 'from the chains, when a key is set',
    worst: 'a key is not looked at, or is shown as used; the counter grows all the same',
  },
  wallets: { authenticated: 'what an address follows from; checked when used' },
  webhook_attempts: {
    authenticated:
      'that an attempt was made and what came of it; the watch of events asks for one where a delivery has succeeded',
  },
  webhook_deliveries: {
    derived:
      'from payment_events, which say what is sent, and sites, where to; `verify` compares it (events)',
    worst: 'a webhook is not sent, or twice; `verify` names one without an attempt',
  },
  webhook_delivery_count_changes: { worthless: 'totals of lists' },
  webhook_delivery_counts: { worthless: 'totals of lists' },
  webhook_endpoints: {
    derived: 'from sites and, a pause, from the audit log, with which it is compared each minute (row)',
    worst: 'webhooks are held back; the endpoint shows it, and waiting deliveries are alerted',
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
    tx_credited: 'read by a guard of the database only; the service asks the chain',
    mac: 'authenticates the others',
  },
  refund_history: { mac: 'authenticates the others' },
};

/** Columns that the classes above were decided with: a new one may need another class. */
export const CLASSIFIED: Readonly<Record<string, string>> = {
  access_links: 'id kind token_hash email user_id account_id role created_at expires_at used_at mac',
  account_members: 'account_id user_id role created_at mac',
  application_holdings:
    'application_id chain asset currency_code asset_decimals confirmed pending addresses last_seen_at',
  application_logos: 'application_id content created_at',
  audit_anchor: 'only_one seq hash resumed_seq mac',
  audit_head: 'only_one seq hash',
  audit_log:
    'seq at actor_kind actor_id act user_id target_kind target_id details address request_id previous_hash hash mac',
  chain_blocks: 'chain height hash parent_hash block_time',
  chain_conditions:
    'chain head_height head_hash highest_height rose_at checked_at trouble trouble_since reorgs deepest_reorg last_reorg_depth last_reorg_at endpoints backlog_blocks backlog_declared backlog_since backlog_most',
  chain_cursors: 'chain height hash epoch updated_at halted_at halt_reason caught_up_at',
  chain_leases: 'chain holder epoch expires_at',
  changes: 'transaction_id seq user_id type object_id application_id payment_id at',
  client_tokens:
    'id application_id user_id label scopes token_hash token_prefix expires_at last_used_at revoked_at created_at mac',
  cursor_keys: 'id sealed_key created_at',
  database_sizes: 'day bytes measured_at',
  deposit_addresses: 'id payment_id user_id family key address wallet_id derivation_index created_at mac',
  event_feed: 'is_only last_position lineage',
  failed_attempts: 'kind subject restored_at',
  idempotency_keys: 'user_id application method path key body_hash status sealed_body created_at expires_at',
  migrations: 'id timestamp name',
  newest_versions: 'only_one source asked_at answered_at version first_seen_at unknown failure',
  notice_choices: 'user_id kinds application_ids language updated_at',
  notice_outages: 'kind subject began_at',
  notices:
    'id user_id name dedupe_key sealed_content attempts created_at next_attempt_at sent_at dead_at last_error',
  oauth_clients:
    'client_id name secret_hash user_id grant_types redirect_uris created_at revoked_at mac scopes',
  oauth_signing_keys: 'kid sealed_jwk created_at',
  oidc_payloads: 'kind id payload grant_id uid expires_at consumed_at mac',
  payment_applications:
    'id user_id name client_id sealed_secret sealed_previous_secret previous_secret_until currency_whitelist created_at deleted_at',
  payment_count_changes: 'user_id seq hour application_id status currency_code change',
  payment_counts: 'user_id span starts_at application_id status currency_code total',
  reconciliation_progress: 'only_one sealed_progress',
  reconciliation_schedule: 'only_one lease_token lease_until full_requested_at started_at compared',
  reconciliation_state: 'only_one finished_at differences left_out',
  recovery_codes: 'user_id slot code_hash created_at used_at mac',
  refused_sign_ins: 'user_id reason since_last before_last refused_at is_bound_reached reported_at',
  reported_transactions:
    'id payment_id user_id chain tx_hash state checks reported_at checked_at next_check_at token token_amount kept_at',
  restore_drills: 'only_one finished_at held',
  request_log:
    'user_id at request_id application_id token_id oauth_client_id method route path status duration_ms idempotency_key address error_code error_body',
  saved_views: 'user_id views updated_at',
  second_factors: 'user_id sealed_secret created_at confirmed_at last_step',
  spare_addresses: 'wallet_id derivation_index family key address',
  own_transfers:
    'id user_id payment_id deposit_address_id chain tx_hash ordinal sender currency_code decimals amount block_height block_hash block_time mac',
  stray_receipts:
    'wallet_id derivation_index chain tx_hash ordinal address currency_code decimals amount seen_at',
  unread_traces: 'chain height block_hash tx_hashes reason found_at attempts next_attempt_at',
  users: 'id email password_hash is_operator disabled_at created_at name mac password_key has_second_factor',
  wallet_changes:
    'id application_id user_id family sealed_key masked_key fingerprint previous_fingerprint changed_by requested_at effective_at applied_at cancelled_at mac',
  wallet_choices: 'id user_id application_id wallets mac',
  wallet_gaps: 'wallet_id longest looked_index looked_at gap_limit since',
  wallet_searches: 'wallet_id chain first_index skipped is_visible searched_at',
  wallets:
    'id application_id user_id family script_type sealed_extended_public_key masked_key fingerprint key_hash next_index created_at retired_at lineage mac compared_at compared_by',
  webhook_attempts:
    'delivery_id user_id number url http_status error response_body duration_ms created_at connect_ms first_byte_ms mac',
  webhook_deliveries:
    'id event_id payment_id application_id user_id seq type state attempts created_at first_attempt_at next_attempt_at lease_token lease_until succeeded_at last_error deferred_seconds overtaken_at test_payment_id place',
  webhook_delivery_count_changes: 'user_id application_id seq hour type status change',
  webhook_delivery_counts: 'user_id application_id hour type status total',
  webhook_endpoints: 'application_id paused_at reason paused_by',
};
