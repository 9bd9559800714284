/**
 * The rights of the gateway's role, by table: what the program does, and nothing else. Every table is listed, and every
 * one may be read. They are granted again after each migration (src/platform/schema/gateway-role.ts); a column that
 * the release before still writes stays until no process of it is left.
 *
 * What is missing is the point. Facts have no `update`, or one of the columns of their state; `delete` is for what expires;
 * tables without rights are written by triggers, which run with the rights of the schema's owner. MACs of facts are made
 * anew by `reseal-secrets`, which has the owner's role.
 */
export const GRANTS: Readonly<Record<string, string>> = {
  access_links: 'insert, update (used_at, mac), delete',
  account_members: 'insert, update (role, mac), delete',
  application_holdings: '',
  application_logos: 'insert, delete',
  audit_anchor: 'insert, update (seq, hash, resumed_seq, mac)',
  // What a row lock takes; a guard refuses the update itself.
  audit_head: 'update (only_one)',
  audit_log: 'insert',
  chain_blocks: 'insert, update (hash, parent_hash, block_time), delete',
  chain_conditions:
    'insert, update (head_height, head_hash, highest_height, rose_at, checked_at, trouble, trouble_since, backlog_blocks, backlog_declared, backlog_since, backlog_most, endpoints, reorgs, deepest_reorg, last_reorg_depth, last_reorg_at)',
  chain_cursors: 'insert, update (height, hash, epoch, updated_at, caught_up_at, halted_at, halt_reason)',
  chain_leases: 'insert, update (holder, epoch, expires_at)',
  // Written by triggers.
  changes: 'delete',
  client_tokens: 'insert, update (last_used_at, revoked_at, mac)',
  cursor_keys: 'insert, update (sealed_key)',
  database_sizes: 'insert, update (bytes, measured_at), delete',
  deposit_addresses: 'insert',
  event_feed: 'update (last_position, lineage)',
  failed_attempts: 'insert, update (restored_at), delete',
  idempotency_keys: 'insert, update (body_hash, status, sealed_body, created_at, expires_at), delete',
  migrations: '',
  newest_versions: 'insert, update (source, asked_at, answered_at, version, first_seen_at, unknown, failure)',
  notice_choices: 'insert, update (kinds, application_ids, language, updated_at), delete',
  notice_outages: 'insert, delete',
  notices: 'insert, update (sealed_content, attempts, next_attempt_at, sent_at, dead_at, last_error), delete',
  oauth_clients:
    'insert, update (name, user_id, grant_types, redirect_uris, scopes, secret_hash, revoked_at, mac)',
  oauth_signing_keys: 'insert, update (sealed_jwk)',
  oidc_payloads: 'insert, update (id, payload, grant_id, uid, expires_at, consumed_at, mac), delete',
  // A reorganization takes them back.
  own_transfers: 'insert, delete',
  payment_applications:
    'insert, update (name, currency_whitelist, sealed_secret, sealed_previous_secret, previous_secret_until, deleted_at)',
  // Written by triggers.
  payment_count_changes: 'delete',
  payment_counts: 'insert, update (total), delete',
  // Deletes tests only, a guard refuses the others.
  payment_events: 'insert, update (dispatched_at, superseded_at, overtaken_at, position), delete',
  payment_status_history: 'insert',
  payment_transfers:
    'insert, update (ordinal, state, block_height, block_hash, block_time, confirmed_at, confirmations_required, finality_required, awaits_agreement, quote_id, is_matched, is_dust, credited_amount, place_mac)',
  payments:
    'insert, update (status, status_seq, selected_provider, selected_method, received_amount, overpaid_amount, underpaid_amount, settled_amount, refunded_amount, found_at, received_at, confirmed_at, cancelled_at, cancel_reason, error_reason, review_reason, stopped_at, reason_before, acknowledged_at, underpay_accepted_at, underpay_accepted_amount, overpay_accepted_at, told, kept_amount, twice_kept_at, paid_late_at, late_kept_at, recheck_at, expiry_check_at)',
  quotes: 'insert',
  reconciliation_progress: 'insert, update (only_one, sealed_progress)',
  reconciliation_schedule:
    'insert, update (only_one, lease_token, lease_until, full_requested_at, started_at, compared)',
  reconciliation_state: 'insert, update (only_one, finished_at, differences, left_out)',
  recovery_codes: 'insert, update (used_at, mac), delete',
  refund_history: 'insert',
  refused_sign_ins: 'insert, update (since_last, before_last, refused_at, is_bound_reached, reported_at)',
  refunds:
    'insert, update (status, status_seq, address, address_key, address_set_by, tx_hash, tx_recorded_at, tx_seen_at, confirmations, next_check_at, completed_at, failure_reason, tx_credited, mac)',
  reported_transactions:
    'insert, update (state, checks, reported_at, checked_at, next_check_at, token, token_amount, kept_at)',
  restore_drills: 'insert, update (finished_at, held)',
  request_log: 'insert, delete',
  saved_views: 'insert, update (views, updated_at)',
  second_factors: 'insert, update (sealed_secret, created_at, confirmed_at, last_step), delete',
  sites:
    'insert, update (user_id, title, url, callback_url, allow_overpay, allow_underpay, underpay_least_share_bps, underpay_tolerance_bps, confirmations, events, expired_since, accent, support_url, default_language, logo_id, logo_hash, mac)',
  users:
    'insert, update (email, name, password_hash, password_key, has_second_factor, is_operator, disabled_at, mac)',
  spare_addresses: 'insert, delete',
  stray_receipts: 'insert',
  unread_traces: 'insert, update (block_hash, tx_hashes, reason, attempts, next_attempt_at), delete',
  wallet_changes: 'insert, update (sealed_key, previous_fingerprint, applied_at, cancelled_at, mac)',
  wallet_choices: 'insert, update (wallets, mac)',
  wallet_gaps: 'insert, update (longest, looked_index, looked_at, gap_limit, since)',
  wallet_searches: 'insert, update (first_index, skipped, searched_at), delete',
  wallets:
    'insert, update (sealed_extended_public_key, next_index, retired_at, mac, compared_at, compared_by)',
  webhook_attempts: 'insert, delete',
  webhook_deliveries:
    'insert, update (state, attempts, first_attempt_at, next_attempt_at, lease_token, lease_until, succeeded_at, last_error, deferred_seconds, overtaken_at), delete',
  // Written by triggers.
  webhook_delivery_count_changes: 'delete',
  webhook_delivery_counts: 'insert, update (total), delete',
  webhook_endpoints: 'insert, update (reason, paused_by), delete',
};
