-- The schema after every migration. Written by `npm run schema:dump`; a test compares it.

create sequence changes_seq_seq as bigint;
create sequence migrations_id_seq as integer;
create sequence payment_count_changes_seq_seq as bigint;
create sequence webhook_delivery_count_changes_seq_seq as bigint;

create table access_links (
  id uuid not null,
  kind text not null,
  token_hash bytea not null,
  email text,
  user_id uuid,
  account_id uuid,
  role text,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  used_at timestamp with time zone,
  mac text not null,
  constraint access_links_pkey PRIMARY KEY (id),
  constraint access_links_token_hash_key UNIQUE (token_hash),
  constraint access_links_kind_check CHECK (kind = ANY (ARRAY['setup'::text, 'password'::text, 'invitation'::text])),
  constraint access_links_role_check CHECK (role = ANY (ARRAY['developer'::text, 'viewer'::text])),
  constraint access_links_subject_check CHECK (
CASE kind
    WHEN 'setup'::text THEN num_nonnulls(email, user_id, account_id, role) = 0
    WHEN 'password'::text THEN user_id IS NOT NULL AND num_nonnulls(email, account_id, role) = 0
    ELSE user_id IS NULL AND num_nonnulls(email, account_id, role) = 3
END),
  constraint access_links_token_hash_check CHECK (length(token_hash) = 32)
);

create table account_members (
  account_id uuid not null,
  user_id uuid not null,
  role text not null,
  created_at timestamp with time zone not null,
  mac text not null,
  constraint account_members_pkey PRIMARY KEY (account_id, user_id),
  constraint account_members_other_check CHECK (account_id <> user_id),
  constraint account_members_role_check CHECK (role = ANY (ARRAY['developer'::text, 'viewer'::text]))
);

create table application_holdings (
  application_id uuid not null,
  chain text not null,
  asset text not null,
  currency_code text not null,
  asset_decimals smallint not null,
  confirmed numeric default 0 not null,
  pending numeric default 0 not null,
  addresses bigint default 0 not null,
  last_seen_at timestamp with time zone not null,
  constraint application_holdings_pkey PRIMARY KEY (application_id, chain, asset, currency_code, asset_decimals),
  constraint application_holdings_addresses_check CHECK (addresses >= 0),
  constraint application_holdings_confirmed_check CHECK (confirmed >= 0::numeric AND confirmed < 'Infinity'::numeric),
  constraint application_holdings_pending_check CHECK (pending >= 0::numeric AND pending < 'Infinity'::numeric)
);

create table application_logos (
  application_id uuid not null,
  content bytea not null,
  created_at timestamp with time zone not null,
  constraint application_logos_pkey PRIMARY KEY (application_id),
  constraint application_logos_size_check CHECK (length(content) >= 1 AND length(content) <= 65536)
);

create table audit_anchor (
  only_one boolean default true not null,
  seq bigint not null,
  hash bytea not null,
  resumed_seq bigint not null,
  mac text not null,
  constraint audit_anchor_pkey PRIMARY KEY (only_one),
  constraint audit_anchor_check CHECK (resumed_seq >= 0 AND resumed_seq <= seq),
  constraint audit_anchor_hash_check CHECK (octet_length(hash) = 32),
  constraint audit_anchor_mac_check CHECK (mac ~ '^m1[.]'::text),
  constraint audit_anchor_only_one_check CHECK (only_one),
  constraint audit_anchor_seq_check CHECK (seq >= 0)
);

create table audit_head (
  only_one boolean default true not null,
  seq bigint not null,
  hash bytea not null,
  constraint audit_head_pkey PRIMARY KEY (only_one),
  constraint audit_head_hash_check CHECK (octet_length(hash) = 32),
  constraint audit_head_only_one_check CHECK (only_one)
);

create table audit_log (
  seq bigint not null,
  at timestamp(3) with time zone not null,
  actor_kind text not null,
  actor_id text,
  act text not null,
  user_id text,
  target_kind text,
  target_id text,
  details json not null,
  address text,
  request_id text,
  previous_hash bytea not null,
  hash bytea not null,
  mac text,
  constraint audit_log_pkey PRIMARY KEY (seq),
  constraint audit_log_hash_key UNIQUE (hash),
  constraint audit_log_act_check CHECK (act ~ '^[a-z_]+[.][a-z_]+$'::text),
  constraint audit_log_actor_kind_check CHECK (actor_kind = ANY (ARRAY['user'::text, 'oauth_client'::text, 'client_token'::text, 'operator'::text, 'customer'::text, 'anonymous'::text, 'system'::text])),
  constraint audit_log_check CHECK ((target_kind IS NULL) = (target_id IS NULL)),
  constraint audit_log_check1 CHECK ((actor_kind = ANY (ARRAY['user'::text, 'oauth_client'::text, 'client_token'::text])) = (actor_id IS NOT NULL)),
  constraint audit_log_details_check CHECK (json_typeof(details) = 'object'::text),
  constraint audit_log_hash_check CHECK (octet_length(hash) = 32),
  constraint audit_log_mac_check CHECK (mac ~ '^m1[.]'::text),
  constraint audit_log_previous_hash_check CHECK (octet_length(previous_hash) = 32),
  constraint audit_log_seq_check CHECK (seq > 0)
);

create table chain_blocks (
  chain text not null,
  height bigint not null,
  hash text not null,
  parent_hash text not null,
  block_time timestamp with time zone not null,
  constraint chain_blocks_pkey PRIMARY KEY (chain, height)
);

create table chain_conditions (
  chain text not null,
  head_height bigint,
  head_hash text,
  highest_height bigint,
  rose_at timestamp with time zone,
  checked_at timestamp with time zone not null,
  trouble text,
  trouble_since timestamp with time zone,
  reorgs bigint default 0 not null,
  deepest_reorg integer default 0 not null,
  last_reorg_depth integer default 0 not null,
  last_reorg_at timestamp with time zone,
  endpoints jsonb default '[]'::jsonb not null,
  backlog_blocks bigint,
  backlog_declared boolean,
  backlog_since timestamp with time zone,
  backlog_most bigint,
  constraint chain_conditions_pkey PRIMARY KEY (chain),
  constraint chain_conditions_backlog_check CHECK ((num_nulls(backlog_blocks, backlog_declared, backlog_since, backlog_most) = ANY (ARRAY[0, 4])) AND backlog_blocks > 0 AND backlog_most >= backlog_blocks),
  constraint chain_conditions_check CHECK ((head_height IS NULL) = (head_hash IS NULL)),
  constraint chain_conditions_check1 CHECK ((head_height IS NULL) = (highest_height IS NULL)),
  constraint chain_conditions_check2 CHECK ((head_height IS NULL) = (rose_at IS NULL)),
  constraint chain_conditions_check3 CHECK ((trouble IS NULL) = (trouble_since IS NULL)),
  constraint chain_conditions_check4 CHECK ((reorgs = 0) = (last_reorg_at IS NULL)),
  constraint chain_conditions_deepest_reorg_check CHECK (deepest_reorg >= 0),
  constraint chain_conditions_endpoints_check CHECK (jsonb_typeof(endpoints) = 'array'::text),
  constraint chain_conditions_head_height_check CHECK (head_height >= 0),
  constraint chain_conditions_highest_height_check CHECK (highest_height >= 0),
  constraint chain_conditions_last_reorg_depth_check CHECK (last_reorg_depth >= 0),
  constraint chain_conditions_reorgs_check CHECK (reorgs >= 0)
);

create table chain_cursors (
  chain text not null,
  height bigint not null,
  hash text not null,
  epoch bigint not null,
  updated_at timestamp with time zone default now() not null,
  halted_at timestamp with time zone,
  halt_reason text,
  caught_up_at timestamp with time zone,
  constraint chain_cursors_pkey PRIMARY KEY (chain),
  constraint chain_cursors_height_check CHECK (height >= 0)
);

create table chain_leases (
  chain text not null,
  holder text not null,
  epoch bigint not null,
  expires_at timestamp with time zone not null,
  constraint chain_leases_pkey PRIMARY KEY (chain)
);

create table changes (
  transaction_id bigint default pg_current_xact_id()::text::bigint not null,
  seq bigint default nextval('changes_seq_seq'::regclass) not null,
  user_id text not null,
  type text not null,
  object_id uuid,
  application_id uuid,
  payment_id uuid,
  at timestamp with time zone default clock_timestamp() not null,
  constraint changes_pkey PRIMARY KEY (transaction_id, seq),
  constraint changes_type_check CHECK (type = ANY (ARRAY['payment'::text, 'refund'::text, 'delivery'::text, 'application'::text]))
);

create table client_tokens (
  id uuid not null,
  application_id uuid not null,
  user_id text not null,
  label text not null,
  scopes text[] not null,
  token_hash bytea not null,
  token_prefix text not null,
  expires_at timestamp with time zone,
  last_used_at timestamp with time zone,
  revoked_at timestamp with time zone,
  created_at timestamp with time zone not null,
  mac text,
  constraint client_tokens_pkey PRIMARY KEY (id),
  constraint client_tokens_token_hash_key UNIQUE (token_hash),
  constraint client_tokens_label_check CHECK (length(label) >= 1 AND length(label) <= 255),
  constraint client_tokens_scopes_check CHECK (cardinality(scopes) >= 1 AND cardinality(scopes) <= 4 AND scopes <@ ARRAY['payments.create'::text, 'payments.get'::text, 'payments.user-instructions.get'::text, '*'::text]),
  constraint client_tokens_token_hash_check CHECK (length(token_hash) = 32)
);

create table cursor_keys (
  id uuid not null,
  sealed_key text not null,
  created_at timestamp with time zone default now() not null,
  constraint cursor_keys_pkey PRIMARY KEY (id)
);

create table database_sizes (
  day date not null,
  bytes bigint not null,
  measured_at timestamp with time zone not null,
  constraint database_sizes_pkey PRIMARY KEY (day),
  constraint database_sizes_bytes_check CHECK (bytes >= 0)
);

create table deposit_addresses (
  id uuid not null,
  payment_id uuid not null,
  user_id text not null,
  family text not null,
  key bytea not null,
  address text not null,
  wallet_id uuid not null,
  derivation_index bigint not null,
  created_at timestamp with time zone not null,
  mac text not null,
  constraint deposit_addresses_pkey PRIMARY KEY (id),
  constraint deposit_addresses_family_key_key UNIQUE (family, key),
  constraint deposit_addresses_id_payment_id_key UNIQUE (id, payment_id),
  constraint deposit_addresses_payment_id_family_key UNIQUE (payment_id, family),
  constraint deposit_addresses_wallet_id_derivation_index_key UNIQUE (wallet_id, derivation_index),
  constraint deposit_addresses_derivation_index_check CHECK (derivation_index >= 0),
  constraint deposit_addresses_mac_check CHECK (mac ~ '^m1[.]'::text)
);

create table event_feed (
  is_only boolean default true not null,
  last_position bigint not null,
  lineage text,
  constraint event_feed_pkey PRIMARY KEY (is_only),
  constraint event_feed_is_only_check CHECK (is_only),
  constraint event_feed_last_position_check CHECK (last_position >= 0)
);

create table failed_attempts (
  kind text not null,
  subject text not null,
  restored_at timestamp with time zone not null,
  constraint failed_attempts_pkey PRIMARY KEY (kind, subject)
);

create table idempotency_keys (
  user_id text not null,
  application text not null,
  method text not null,
  path text not null,
  key text not null,
  body_hash bytea not null,
  status smallint,
  sealed_body text,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  constraint idempotency_keys_pkey PRIMARY KEY (user_id, application, method, path, key),
  constraint idempotency_keys_body_hash_check CHECK (length(body_hash) = 32),
  constraint idempotency_keys_check CHECK (expires_at > created_at),
  constraint idempotency_keys_key_check CHECK (length(key) >= 1 AND length(key) <= 255),
  constraint idempotency_keys_status_check CHECK (status >= 200 AND status <= 499)
);

create table migrations (
  id integer default nextval('migrations_id_seq'::regclass) not null,
  "timestamp" bigint not null,
  name character varying not null,
  constraint "PK_8c82d7f526340ab734260ea46be" PRIMARY KEY (id)
);

create table newest_versions (
  only_one boolean default true not null,
  source bytea not null,
  asked_at timestamp with time zone not null,
  answered_at timestamp with time zone,
  version text,
  first_seen_at timestamp with time zone,
  unknown text,
  failure text,
  constraint newest_versions_pkey PRIMARY KEY (only_one),
  constraint newest_versions_check CHECK ((answered_at IS NULL) = (version IS NULL) AND (version IS NULL) = (first_seen_at IS NULL)),
  constraint newest_versions_check1 CHECK ((unknown IS NULL) = (failure IS NULL)),
  constraint newest_versions_failure_check CHECK (length(failure) <= 200),
  constraint newest_versions_only_one_check CHECK (only_one),
  constraint newest_versions_source_check CHECK (length(source) = 32),
  constraint newest_versions_unknown_check CHECK (unknown = ANY (ARRAY['failing'::text, 'refused'::text, 'unusable'::text])),
  constraint newest_versions_version_check CHECK (length(version) <= 64)
);

create table notice_choices (
  user_id text not null,
  kinds text[] not null,
  application_ids uuid[],
  language text not null,
  updated_at timestamp with time zone not null,
  constraint notice_choices_pkey PRIMARY KEY (user_id),
  constraint notice_choices_kinds_check CHECK (kinds <@ ARRAY['endpoint'::text, 'attention'::text, 'refund'::text, 'chain'::text, 'backup'::text])
);

create table notice_outages (
  kind text not null,
  subject text not null,
  began_at timestamp with time zone not null,
  constraint notice_outages_pkey PRIMARY KEY (kind, subject),
  constraint notice_outages_kind_check CHECK (kind = ANY (ARRAY['endpoint'::text, 'chain'::text, 'backup'::text]))
);

create table notices (
  id uuid not null,
  user_id text,
  name text not null,
  dedupe_key text not null,
  sealed_content text,
  attempts integer default 0 not null,
  created_at timestamp with time zone not null,
  next_attempt_at timestamp with time zone,
  sent_at timestamp with time zone,
  dead_at timestamp with time zone,
  last_error text,
  constraint notices_pkey PRIMARY KEY (id),
  constraint notices_dedupe_key_key UNIQUE (dedupe_key),
  constraint notices_attempts_check CHECK (attempts >= 0),
  constraint notices_check CHECK (num_nonnulls(next_attempt_at, sent_at, dead_at) = 1),
  constraint notices_check1 CHECK ((sealed_content IS NULL) = (next_attempt_at IS NULL)),
  constraint notices_last_error_check CHECK (length(last_error) <= 40)
);

create table oauth_clients (
  client_id text not null,
  name text not null,
  secret_hash bytea,
  user_id uuid,
  grant_types text[] not null,
  redirect_uris text[] default '{}'::text[] not null,
  created_at timestamp with time zone default now() not null,
  revoked_at timestamp with time zone,
  mac text,
  scopes text[],
  constraint oauth_clients_pkey PRIMARY KEY (client_id),
  constraint oauth_clients_scopes_check CHECK (cardinality(scopes) > 0),
  constraint oauth_clients_secret_hash_check CHECK (length(secret_hash) = 32)
);

create table oauth_signing_keys (
  kid text not null,
  sealed_jwk text not null,
  created_at timestamp with time zone default now() not null,
  constraint oauth_signing_keys_pkey PRIMARY KEY (kid)
);

create table oidc_payloads (
  kind text not null,
  id text not null,
  payload jsonb not null,
  grant_id text,
  uid text,
  expires_at timestamp with time zone,
  consumed_at timestamp with time zone,
  mac text,
  constraint oidc_payloads_pkey PRIMARY KEY (kind, id)
);

create table own_transfers (
  id uuid not null,
  user_id text not null,
  payment_id uuid not null,
  deposit_address_id uuid not null,
  chain text not null,
  tx_hash text not null,
  ordinal text not null,
  sender bytea not null,
  currency_code text not null,
  decimals smallint not null,
  amount numeric(78,0) not null,
  block_height bigint not null,
  block_hash text not null,
  block_time timestamp with time zone not null,
  mac text not null,
  constraint own_transfers_pkey PRIMARY KEY (id),
  constraint own_transfers_chain_tx_hash_ordinal_key UNIQUE (chain, tx_hash, ordinal),
  constraint own_transfers_amount_check CHECK (amount > 0::numeric),
  constraint own_transfers_block_height_check CHECK (block_height >= 0),
  constraint own_transfers_decimals_check CHECK (decimals >= 0 AND decimals <= 18)
);

create table payment_applications (
  id uuid not null,
  user_id text not null,
  name text not null,
  client_id text not null,
  sealed_secret text not null,
  sealed_previous_secret text,
  previous_secret_until timestamp with time zone,
  currency_whitelist text[] default '{}'::text[] not null,
  created_at timestamp with time zone not null,
  deleted_at timestamp with time zone,
  constraint payment_applications_pkey PRIMARY KEY (id),
  constraint payment_applications_id_user_id_key UNIQUE (id, user_id),
  constraint payment_applications_check CHECK ((sealed_previous_secret IS NULL) = (previous_secret_until IS NULL)),
  constraint payment_applications_client_id_check CHECK (client_id ~ '^[a-z0-9]{32}$'::text),
  constraint payment_applications_name_check CHECK (length(name) >= 3 AND length(name) <= 255)
);

create table payment_count_changes (
  user_id text not null,
  seq bigint default nextval('payment_count_changes_seq_seq'::regclass) not null,
  hour timestamp with time zone not null,
  application_id uuid not null,
  status text not null,
  currency_code text not null,
  change bigint not null,
  constraint payment_count_changes_pkey PRIMARY KEY (user_id, seq)
);

create table payment_counts (
  user_id text not null,
  span text not null,
  starts_at timestamp with time zone not null,
  application_id uuid not null,
  status text not null,
  currency_code text not null,
  total bigint not null,
  constraint payment_counts_pkey PRIMARY KEY (user_id, span, starts_at, application_id, status, currency_code),
  constraint payment_counts_span_check CHECK (span = ANY (ARRAY['month'::text, 'day'::text, 'hour'::text]))
);

create table payment_events (
  id uuid not null,
  payment_id uuid,
  user_id text not null,
  application_id uuid not null,
  seq integer,
  type text not null,
  body text not null,
  created_at timestamp with time zone not null,
  dispatched_at timestamp with time zone,
  superseded_at timestamp with time zone,
  "position" bigint,
  overtaken_at timestamp with time zone,
  test_payment_id uuid,
  mac text,
  place integer,
  constraint payment_events_pkey PRIMARY KEY (id),
  constraint payment_events_payment_id_seq_key UNIQUE (payment_id, seq),
  constraint payment_events_kind CHECK ((payment_id IS NULL) = (seq IS NULL AND place IS NULL) AND (seq IS NULL OR place IS NULL) AND (payment_id IS NULL OR test_payment_id IS NULL) AND (place IS NULL OR place > 1000 AND type = 'payment.updated'::text) AND (seq IS NULL OR type <> 'payment.updated'::text) AND (type = ANY (ARRAY['wallet.changed'::text, 'payment.refund_requested'::text])) = (payment_id IS NULL AND test_payment_id IS NULL)),
  constraint payment_events_of_moves CHECK (payment_id IS NOT NULL OR "position" IS NULL AND superseded_at IS NULL AND overtaken_at IS NULL),
  constraint payment_events_position_check CHECK ("position" >= 1),
  constraint payment_events_seq_check CHECK (seq >= 1),
  constraint payment_events_type_check CHECK (type = ANY (ARRAY['payment.received'::text, 'payment.completed'::text, 'payment.underpaid'::text, 'payment.refund'::text, 'payment.found'::text, 'payment.expired'::text, 'payment.cancelled'::text, 'payment.updated'::text, 'wallet.changed'::text, 'payment.refund_requested'::text]))
);

create table payment_status_history (
  payment_id uuid not null,
  user_id text not null,
  seq integer not null,
  from_status text,
  to_status text not null,
  reason text not null,
  created_at timestamp with time zone not null,
  mac text,
  constraint payment_status_history_pkey PRIMARY KEY (payment_id, seq),
  constraint payment_status_history_seq_check CHECK (seq >= 1)
);

create table payment_transfers (
  id uuid not null,
  payment_id uuid not null,
  user_id text not null,
  deposit_address_id uuid not null,
  chain text not null,
  tx_hash text not null,
  ordinal text not null,
  asset text not null,
  currency_code text not null,
  asset_decimals smallint not null,
  amount numeric(78,0) not null,
  floor numeric(78,0) default 1 not null,
  is_dust boolean default false not null,
  state text not null,
  block_height bigint,
  block_hash text,
  block_time timestamp with time zone,
  confirmations_required integer not null,
  quote_id uuid,
  is_matched boolean not null,
  is_late boolean default false not null,
  seen_at timestamp with time zone not null,
  confirmed_at timestamp with time zone,
  inputs text[],
  finality_required text,
  awaits_agreement boolean default false not null,
  mac text,
  credited_amount numeric(78,0),
  place_mac text,
  constraint payment_transfers_pkey PRIMARY KEY (id),
  constraint payment_transfers_id_payment_id_key UNIQUE (id, payment_id),
  constraint payment_transfers_agreement_check CHECK (NOT (awaits_agreement AND state = 'confirmed'::text)),
  constraint payment_transfers_amount_check CHECK (amount > 0::numeric AND amount < 'Infinity'::numeric),
  constraint payment_transfers_asset_decimals_check CHECK (asset_decimals >= 0 AND asset_decimals <= 36),
  constraint payment_transfers_check CHECK ((block_height IS NULL) = (block_hash IS NULL)),
  constraint payment_transfers_check1 CHECK ((block_height IS NULL) = (block_time IS NULL)),
  constraint payment_transfers_check2 CHECK (state <> 'confirmed'::text OR block_height IS NOT NULL),
  constraint payment_transfers_check3 CHECK ((state <> ALL (ARRAY['orphaned'::text, 'replaced'::text, 'dropped'::text])) OR block_height IS NULL),
  constraint payment_transfers_confirmations_required_check CHECK (confirmations_required >= 1),
  constraint payment_transfers_credited_check CHECK (credited_amount IS NULL OR credited_amount >= 0::numeric AND credited_amount < 'Infinity'::numeric AND quote_id IS NOT NULL),
  constraint payment_transfers_dust_check CHECK (NOT is_dust OR amount < floor OR is_matched),
  constraint payment_transfers_finality_required_check CHECK (finality_required = ANY (ARRAY['safe'::text, 'finalized'::text])),
  constraint payment_transfers_floor_check CHECK (floor >= 1::numeric AND floor < 'Infinity'::numeric),
  constraint payment_transfers_given_up_check CHECK (POSITION(('~'::text) IN (ordinal)) = 0 OR state = 'orphaned'::text AND block_height IS NULL),
  constraint payment_transfers_inputs_check CHECK (inputs IS NULL OR cardinality(inputs) > 0 AND array_position(inputs, NULL::text) IS NULL),
  constraint payment_transfers_state_check CHECK (state = ANY (ARRAY['pending'::text, 'confirmed'::text, 'orphaned'::text, 'replaced'::text, 'dropped'::text])),
  constraint payment_transfers_unmatched_check CHECK (is_matched OR quote_id IS NULL)
);

create table payments (
  id uuid not null,
  user_id text not null,
  application_id uuid not null,
  status text default 'OPEN'::text not null,
  status_seq integer default 1 not null,
  reference text not null,
  reference_label text not null,
  currency_code text not null,
  settlement_currency_code text not null,
  amount numeric(78,0) not null,
  redirect_url text,
  blockchain_slug text,
  product_id uuid,
  expires_at timestamp with time zone not null,
  created_at timestamp with time zone not null,
  selected_provider text,
  selected_method text,
  received_amount numeric(78,0) default 0 not null,
  overpaid_amount numeric(78,0),
  underpaid_amount numeric(78,0),
  settled_amount numeric(78,0),
  found_at timestamp with time zone,
  received_at timestamp with time zone,
  confirmed_at timestamp with time zone,
  cancelled_at timestamp with time zone,
  cancel_reason text,
  error_reason text,
  review_reason text,
  acknowledged_at timestamp with time zone,
  underpay_accepted_at timestamp with time zone,
  overpay_accepted_at timestamp with time zone,
  recheck_at timestamp with time zone,
  refunded_amount numeric(78,0) default 0 not null,
  underpay_accepted_amount numeric(78,0),
  metadata jsonb default '{}'::jsonb not null,
  livemode boolean,
  callback_url text,
  expiry_check_at timestamp with time zone,
  mac text,
  told text default '{}'::text,
  kept_amount numeric(78,0),
  twice_kept_at timestamp with time zone,
  shares_reference boolean,
  paid_late_at timestamp with time zone,
  late_kept_at timestamp with time zone,
  stopped_at timestamp with time zone,
  reason_before text,
  constraint payments_pkey PRIMARY KEY (id),
  constraint payments_id_user_id_key UNIQUE (id, user_id),
  constraint payments_accepted_amount_check CHECK ((underpay_accepted_at IS NULL) = (underpay_accepted_amount IS NULL)),
  constraint payments_amount_check CHECK (amount > 0::numeric AND amount < 'Infinity'::numeric),
  constraint payments_callback_url_check CHECK (length(callback_url) >= 1 AND length(callback_url) <= 2048),
  constraint payments_check CHECK (status <> 'CONFIRMED'::text OR confirmed_at IS NOT NULL),
  constraint payments_check1 CHECK (status <> 'CANCELLED'::text OR cancelled_at IS NOT NULL),
  constraint payments_check2 CHECK (status <> 'ERROR'::text OR error_reason IS NOT NULL),
  constraint payments_check3 CHECK ((status <> ALL (ARRAY['FOUND'::text, 'UNDERPAID'::text, 'RECEIVED'::text, 'CONFIRMED'::text])) OR found_at IS NOT NULL),
  constraint payments_check4 CHECK (confirmed_at >= found_at AND found_at >= created_at),
  constraint payments_kept_amount_check CHECK (kept_amount >= 0::numeric AND kept_amount < 'Infinity'::numeric),
  constraint payments_metadata_check CHECK (jsonb_typeof(metadata) = 'object'::text AND octet_length(metadata::text) <= 4196 AND jsonb_array_length(jsonb_path_query_array(metadata, 'strict $.keyvalue()'::jsonpath)) <= 50 AND NOT jsonb_path_exists(metadata, 'strict $.*?(@.type() != "string")'::jsonpath)),
  constraint payments_overpaid_amount_check CHECK (overpaid_amount > 0::numeric AND overpaid_amount < 'Infinity'::numeric),
  constraint payments_reason_before_check CHECK (reason_before = ANY (ARRAY['overpaid'::text, 'reorg'::text, 'funds_after_cancel'::text])),
  constraint payments_received_amount_check CHECK (received_amount >= 0::numeric AND received_amount < 'Infinity'::numeric),
  constraint payments_reference_check CHECK (length(reference) >= 1 AND length(reference) <= 255),
  constraint payments_reference_label_check CHECK (length(reference_label) >= 1 AND length(reference_label) <= 255),
  constraint payments_refund_check CHECK (status <> 'REFUND'::text OR refunded_amount > 0::numeric),
  constraint payments_refunded_amount_check CHECK (refunded_amount >= 0::numeric AND refunded_amount < 'Infinity'::numeric),
  constraint payments_review_reason_check CHECK (review_reason = ANY (ARRAY['overpaid'::text, 'reorg'::text, 'funds_after_cancel'::text, 'integrity'::text])),
  constraint payments_settled_amount_check CHECK (settled_amount >= 0::numeric AND settled_amount < 'Infinity'::numeric),
  constraint payments_status_check CHECK (status = ANY (ARRAY['OPEN'::text, 'FOUND'::text, 'UNDERPAID'::text, 'RECEIVED'::text, 'CONFIRMED'::text, 'CANCELLED'::text, 'ERROR'::text, 'REFUND'::text])),
  constraint payments_status_seq_check CHECK (status_seq >= 1),
  constraint payments_underpaid_amount_check CHECK (underpaid_amount > 0::numeric AND underpaid_amount < 'Infinity'::numeric),
  constraint payments_underpay_accepted_amount_check CHECK (underpay_accepted_amount >= 0::numeric AND underpay_accepted_amount < 'Infinity'::numeric)
);

create table quotes (
  id uuid not null,
  payment_id uuid not null,
  user_id text not null,
  chain text not null,
  asset text not null,
  currency_code text not null,
  asset_decimals smallint not null,
  priced_amount numeric(78,0) not null,
  asset_amount numeric(78,0) not null,
  rate text not null,
  rate_source text not null,
  rate_inputs jsonb not null,
  settlement_rate text,
  is_late boolean default false not null,
  locked_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  accepted_transfer_id uuid,
  accepted_by text,
  accepted_token_id uuid,
  mac text,
  constraint quotes_pkey PRIMARY KEY (id),
  constraint quotes_accepted_transfer_id_key UNIQUE (accepted_transfer_id),
  constraint quotes_id_payment_id_key UNIQUE (id, payment_id),
  constraint quotes_acceptance_check CHECK ((accepted_transfer_id IS NULL) = (accepted_by IS NULL) AND (accepted_token_id IS NULL OR accepted_by IS NOT NULL) AND (accepted_transfer_id IS NULL OR NOT is_late)),
  constraint quotes_asset_amount_check CHECK (asset_amount > 0::numeric AND asset_amount < 'Infinity'::numeric),
  constraint quotes_asset_decimals_check CHECK (asset_decimals >= 0 AND asset_decimals <= 36),
  constraint quotes_check CHECK (expires_at >= locked_at),
  constraint quotes_priced_amount_check CHECK (priced_amount > 0::numeric AND priced_amount < 'Infinity'::numeric)
);

create table reconciliation_progress (
  only_one boolean default true not null,
  sealed_progress text not null,
  constraint reconciliation_progress_pkey PRIMARY KEY (only_one),
  constraint reconciliation_progress_only_one_check CHECK (only_one)
);

create table reconciliation_schedule (
  only_one boolean default true not null,
  lease_token uuid,
  lease_until timestamp with time zone,
  full_requested_at timestamp with time zone,
  started_at timestamp with time zone,
  compared bigint default 0 not null,
  constraint reconciliation_schedule_pkey PRIMARY KEY (only_one),
  constraint reconciliation_schedule_check CHECK ((lease_token IS NULL) = (lease_until IS NULL)),
  constraint reconciliation_schedule_only_one_check CHECK (only_one)
);

create table reconciliation_state (
  only_one boolean default true not null,
  finished_at timestamp with time zone not null,
  differences bigint not null,
  left_out bigint not null,
  constraint reconciliation_state_pkey PRIMARY KEY (only_one),
  constraint reconciliation_state_differences_check CHECK (differences >= 0),
  constraint reconciliation_state_left_out_check CHECK (left_out >= 0),
  constraint reconciliation_state_only_one_check CHECK (only_one)
);

create table recovery_codes (
  user_id uuid not null,
  slot smallint not null,
  code_hash bytea not null,
  created_at timestamp with time zone not null,
  used_at timestamp with time zone,
  mac text,
  constraint recovery_codes_pkey PRIMARY KEY (user_id, slot),
  constraint recovery_codes_user_id_code_hash_key UNIQUE (user_id, code_hash),
  constraint recovery_codes_code_hash_check CHECK (length(code_hash) = 32),
  constraint recovery_codes_slot_check CHECK (slot >= 1 AND slot <= 10)
);

create table refund_history (
  refund_id uuid not null,
  user_id text not null,
  seq integer not null,
  from_status text,
  to_status text not null,
  reason text not null,
  address text,
  tx_hash text,
  created_at timestamp with time zone not null,
  mac text,
  constraint refund_history_pkey PRIMARY KEY (refund_id, seq),
  constraint refund_history_seq_check CHECK (seq >= 1)
);

create table refunds (
  id uuid not null,
  payment_id uuid not null,
  user_id text not null,
  type text not null,
  status text not null,
  status_seq integer default 1 not null,
  amount numeric(78,0) not null,
  chain text not null,
  asset text not null,
  payout_currency_code text not null,
  payout_decimals smallint not null,
  payout_amount numeric(78,0) not null,
  rate text,
  rate_locked_at timestamp with time zone,
  confirmations_required integer not null,
  address text,
  address_key bytea,
  address_set_by text,
  tx_hash text,
  tx_recorded_at timestamp with time zone,
  tx_seen_at timestamp with time zone,
  confirmations integer default 0 not null,
  next_check_at timestamp with time zone,
  reason text,
  note text,
  requested_by text,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  completed_at timestamp with time zone,
  failure_reason text,
  transfer_id uuid,
  mac text,
  tx_credited numeric(78,0),
  constraint refunds_pkey PRIMARY KEY (id),
  constraint refunds_address_check CHECK (
CASE status
    WHEN 'AWAITING_ADDRESS'::text THEN address IS NULL
    WHEN 'EXPIRED'::text THEN address IS NULL
    WHEN 'CANCELLED'::text THEN true
    ELSE address IS NOT NULL
END),
  constraint refunds_address_set_by_check CHECK (address_set_by = ANY (ARRAY['merchant'::text, 'customer'::text])),
  constraint refunds_amount_check CHECK (
CASE
    WHEN transfer_id IS NULL THEN amount > 0::numeric
    ELSE amount = 0::numeric
END AND amount < 'Infinity'::numeric),
  constraint refunds_check CHECK (expires_at > created_at),
  constraint refunds_check1 CHECK ((rate IS NULL) = (rate_locked_at IS NULL)),
  constraint refunds_check2 CHECK ((address IS NULL) = (address_key IS NULL) AND (address IS NULL) = (address_set_by IS NULL)),
  constraint refunds_check3 CHECK ((tx_hash IS NULL) = (tx_recorded_at IS NULL)),
  constraint refunds_completed_check CHECK ((status = 'COMPLETED'::text) = (completed_at IS NOT NULL)),
  constraint refunds_confirmations_check CHECK (confirmations >= 0),
  constraint refunds_confirmations_required_check CHECK (confirmations_required >= 1),
  constraint refunds_failed_check CHECK ((status = 'FAILED'::text) = (failure_reason IS NOT NULL)),
  constraint refunds_note_check CHECK (length(note) <= 2000),
  constraint refunds_payout_amount_check CHECK (payout_amount > 0::numeric AND payout_amount < 'Infinity'::numeric),
  constraint refunds_payout_decimals_check CHECK (payout_decimals >= 0 AND payout_decimals <= 36),
  constraint refunds_processing_check CHECK ((status = 'PROCESSING'::text) = (next_check_at IS NOT NULL)),
  constraint refunds_reason_check CHECK (length(reason) >= 1 AND length(reason) <= 255),
  constraint refunds_status_check CHECK (status = ANY (ARRAY['AWAITING_ADDRESS'::text, 'AWAITING_PAYMENT'::text, 'PROCESSING'::text, 'COMPLETED'::text, 'CANCELLED'::text, 'FAILED'::text, 'EXPIRED'::text])),
  constraint refunds_status_seq_check CHECK (status_seq >= 1),
  constraint refunds_transaction_check CHECK (
CASE status
    WHEN 'AWAITING_ADDRESS'::text THEN tx_hash IS NULL
    WHEN 'AWAITING_PAYMENT'::text THEN tx_hash IS NULL
    WHEN 'EXPIRED'::text THEN tx_hash IS NULL
    WHEN 'CANCELLED'::text THEN true
    ELSE tx_hash IS NOT NULL
END),
  constraint refunds_type_check CHECK (type = ANY (ARRAY['FULL'::text, 'PARTIAL'::text, 'OVERPAYMENT'::text, 'UNDERPAYMENT'::text, 'UNEXPECTED'::text]))
);

create table refused_sign_ins (
  user_id uuid not null,
  reason text not null,
  since_last integer not null,
  before_last integer default 0 not null,
  refused_at timestamp with time zone not null,
  is_bound_reached boolean default false not null,
  reported_at timestamp with time zone,
  constraint refused_sign_ins_pkey PRIMARY KEY (user_id, reason),
  constraint refused_sign_ins_before_last_check CHECK (before_last >= 0),
  constraint refused_sign_ins_reason_check CHECK (reason = ANY (ARRAY['password'::text, 'code'::text])),
  constraint refused_sign_ins_since_last_check CHECK (since_last >= 0)
);

create table reported_transactions (
  id uuid not null,
  payment_id uuid not null,
  user_id text not null,
  chain text not null,
  tx_hash text not null,
  state text not null,
  checks integer not null,
  reported_at timestamp with time zone not null,
  checked_at timestamp with time zone,
  next_check_at timestamp with time zone,
  token text,
  token_amount numeric(78,0),
  kept_at timestamp with time zone,
  constraint reported_transactions_pkey PRIMARY KEY (id),
  constraint reported_transactions_once UNIQUE (payment_id, chain, tx_hash),
  constraint reported_transactions_checks_check CHECK (checks >= 0),
  constraint reported_transactions_due_check CHECK ((next_check_at IS NOT NULL) = (state = ANY (ARRAY['SEARCHING'::text, 'UNKNOWN'::text, 'WAITING'::text]))),
  constraint reported_transactions_state_check CHECK (state = ANY (ARRAY['SEARCHING'::text, 'UNKNOWN'::text, 'WAITING'::text, 'FOUND'::text, 'FAILED'::text, 'OTHER_ADDRESS'::text, 'UNLISTED_TOKEN'::text, 'NOT_FOUND'::text])),
  constraint reported_transactions_token_check CHECK ((state = 'UNLISTED_TOKEN'::text) = (token IS NOT NULL) AND (token IS NULL) = (token_amount IS NULL) AND (token IS NULL OR token ~ '^0x[0-9a-f]{40}$'::text) AND (token_amount IS NULL OR token_amount > 0::numeric)),
  constraint reported_transactions_tx_hash_check CHECK (length(tx_hash) <= 66)
);

create table request_log (
  user_id text not null,
  at timestamp with time zone not null,
  request_id uuid not null,
  application_id uuid,
  token_id uuid,
  oauth_client_id text,
  method text not null,
  route text not null,
  path text not null,
  status smallint not null,
  duration_ms integer not null,
  idempotency_key text,
  address text not null,
  error_code text,
  error_body text,
  constraint request_log_pkey PRIMARY KEY (user_id, at, request_id),
  constraint request_log_duration_ms_check CHECK (duration_ms >= 0),
  constraint request_log_error_body_check CHECK (length(error_body) <= 2048),
  constraint request_log_idempotency_key_check CHECK (length(idempotency_key) <= 255),
  constraint request_log_method_check CHECK (length(method) <= 32),
  constraint request_log_path_check CHECK (length(path) <= 512),
  constraint request_log_route_check CHECK (length(route) <= 255),
  constraint request_log_status_check CHECK (status >= 100 AND status <= 599)
);

create table restore_drills (
  only_one boolean default true not null,
  finished_at timestamp with time zone not null,
  held boolean not null,
  constraint restore_drills_pkey PRIMARY KEY (only_one),
  constraint restore_drills_only_one_check CHECK (only_one)
);

create table saved_views (
  user_id text not null,
  views jsonb not null,
  updated_at timestamp with time zone not null,
  constraint saved_views_pkey PRIMARY KEY (user_id),
  constraint saved_views_size_check CHECK (jsonb_typeof(views) = 'object'::text AND octet_length(views::text) <= 65536)
);

create table second_factors (
  user_id uuid not null,
  sealed_secret text not null,
  created_at timestamp with time zone not null,
  confirmed_at timestamp with time zone,
  last_step bigint,
  constraint second_factors_pkey PRIMARY KEY (user_id),
  constraint second_factors_check CHECK ((confirmed_at IS NULL) = (last_step IS NULL)),
  constraint second_factors_last_step_check CHECK (last_step > 0)
);

create table sites (
  id uuid not null,
  application_id uuid not null,
  user_id text not null,
  title text not null,
  url text,
  callback_url text,
  setting_id uuid not null,
  setting_title text default 'Default Settings'::text not null,
  allow_overpay boolean default true not null,
  allow_underpay boolean default false not null,
  underpay_least_share_bps integer default 9500 not null,
  underpay_tolerance_bps integer default 0 not null,
  confirmations jsonb default '{}'::jsonb not null,
  events text[] default '{payment.received,payment.completed,payment.underpaid,payment.refund}'::text[] not null,
  expired_since timestamp with time zone,
  mac text,
  accent text,
  support_url text,
  default_language text,
  logo_id uuid,
  logo_hash text,
  constraint sites_pkey PRIMARY KEY (id),
  constraint sites_application_id_key UNIQUE (application_id),
  constraint sites_accent_check CHECK (accent ~ '^#[0-9a-f]{6}$'::text),
  constraint sites_confirmations_check CHECK (jsonb_typeof(confirmations) = 'object'::text AND NOT jsonb_path_exists(confirmations, 'strict $.*?((@.type() != "number" || @ < 1) || @ != @.floor())'::jsonpath)),
  constraint sites_events_check CHECK (events @> '{payment.received,payment.completed,payment.underpaid,payment.refund}'::text[] AND events <@ '{payment.received,payment.completed,payment.underpaid,payment.refund,payment.found,payment.expired,payment.cancelled,payment.updated,wallet.changed,payment.refund_requested}'::text[]),
  constraint sites_expired_since_check CHECK (('payment.expired'::text = ANY (events)) = (expired_since IS NOT NULL)),
  constraint sites_logo_check CHECK ((logo_id IS NULL) = (logo_hash IS NULL)),
  constraint sites_logo_hash_check CHECK (logo_hash ~ '^[0-9a-f]{64}$'::text),
  constraint sites_tolerance_check CHECK (underpay_tolerance_bps <= (10000 - underpay_least_share_bps)),
  constraint sites_underpay_least_share_bps_check CHECK (underpay_least_share_bps >= 1 AND underpay_least_share_bps <= 10000),
  constraint sites_underpay_tolerance_bps_check CHECK (underpay_tolerance_bps >= 0)
);

create table spare_addresses (
  wallet_id uuid not null,
  derivation_index bigint not null,
  family text not null,
  key bytea not null,
  address text not null,
  constraint spare_addresses_pkey PRIMARY KEY (wallet_id, derivation_index),
  constraint spare_addresses_derivation_index_check CHECK (derivation_index >= 0)
);

create table stray_receipts (
  wallet_id uuid not null,
  derivation_index bigint not null,
  chain text not null,
  tx_hash text not null,
  ordinal text not null,
  address text not null,
  currency_code text not null,
  decimals smallint not null,
  amount numeric(78,0) not null,
  seen_at timestamp with time zone not null,
  constraint stray_receipts_pkey PRIMARY KEY (wallet_id, chain, tx_hash, ordinal),
  constraint stray_receipts_amount_check CHECK (amount > 0::numeric),
  constraint stray_receipts_decimals_check CHECK (decimals >= 0 AND decimals <= 18),
  constraint stray_receipts_derivation_index_check CHECK (derivation_index >= 0)
);

create table unread_traces (
  chain text not null,
  height bigint not null,
  block_hash text not null,
  tx_hashes text[],
  reason text not null,
  found_at timestamp with time zone default now() not null,
  attempts integer default 0 not null,
  next_attempt_at timestamp with time zone not null,
  constraint unread_traces_pkey PRIMARY KEY (chain, height),
  constraint unread_traces_attempts_check CHECK (attempts >= 0),
  constraint unread_traces_height_check CHECK (height >= 0),
  constraint unread_traces_tx_hashes_check CHECK (cardinality(tx_hashes) > 0)
);

create table users (
  id uuid not null,
  email text not null,
  password_hash text not null,
  is_operator boolean default false not null,
  disabled_at timestamp with time zone,
  created_at timestamp with time zone default now() not null,
  name text,
  mac text,
  password_key text not null,
  has_second_factor boolean default false not null,
  constraint users_pkey PRIMARY KEY (id),
  constraint users_email_check CHECK (email = lower(email) AND length(email) >= 3 AND length(email) <= 254),
  constraint users_name_check CHECK (length(name) >= 1 AND length(name) <= 255)
);

create table wallet_changes (
  id uuid not null,
  application_id uuid,
  user_id text not null,
  family text not null,
  sealed_key text,
  masked_key text,
  fingerprint text,
  previous_fingerprint text,
  changed_by text not null,
  requested_at timestamp with time zone not null,
  effective_at timestamp with time zone not null,
  applied_at timestamp with time zone,
  cancelled_at timestamp with time zone,
  mac text not null,
  constraint wallet_changes_pkey PRIMARY KEY (id),
  constraint wallet_changes_changed_by_check CHECK (changed_by = ANY (ARRAY['user'::text, 'server'::text])),
  constraint wallet_changes_check CHECK (effective_at >= requested_at),
  constraint wallet_changes_check1 CHECK (applied_at >= effective_at),
  constraint wallet_changes_check2 CHECK ((masked_key IS NULL) = (fingerprint IS NULL)),
  constraint wallet_changes_check3 CHECK (applied_at IS NULL OR cancelled_at IS NULL),
  constraint wallet_changes_check4 CHECK ((sealed_key IS NOT NULL) = (fingerprint IS NOT NULL AND applied_at IS NULL AND cancelled_at IS NULL)),
  constraint wallet_changes_family_check CHECK (family = ANY (ARRAY['evm'::text, 'bitcoin'::text, 'litecoin'::text, 'dogecoin'::text, 'bitcoincash'::text, 'tron'::text])),
  constraint wallet_changes_fingerprint_check CHECK (fingerprint ~ '^[0-9a-f]{8}$'::text),
  constraint wallet_changes_mac_check CHECK (mac ~ '^m1[.]'::text),
  constraint wallet_changes_previous_fingerprint_check CHECK (previous_fingerprint ~ '^[0-9a-f]{8}$'::text)
);

create table wallet_choices (
  id uuid not null,
  user_id text not null,
  application_id uuid,
  wallets jsonb not null,
  mac text not null,
  constraint wallet_choices_pkey PRIMARY KEY (id),
  constraint wallet_choices_user_id_application_id_key UNIQUE NULLS NOT DISTINCT (user_id, application_id),
  constraint wallet_choices_mac_check CHECK (mac ~ '^m1[.]'::text),
  constraint wallet_choices_wallets_check CHECK (jsonb_typeof(wallets) = 'object'::text)
);

create table wallet_gaps (
  wallet_id uuid not null,
  longest integer not null,
  looked_index bigint not null,
  looked_at timestamp with time zone not null,
  gap_limit integer default 20 not null,
  since timestamp with time zone,
  constraint wallet_gaps_pkey PRIMARY KEY (wallet_id),
  constraint wallet_gaps_check CHECK ((since IS NOT NULL) = (longest >= gap_limit)),
  constraint wallet_gaps_gap_limit_check CHECK (gap_limit >= 20 AND gap_limit <= 1000000),
  constraint wallet_gaps_longest_check CHECK (longest >= 0),
  constraint wallet_gaps_looked_index_check CHECK (looked_index >= 0)
);

create table wallet_searches (
  wallet_id uuid not null,
  chain text not null,
  first_index bigint not null,
  skipped bigint not null,
  is_visible boolean not null,
  searched_at timestamp with time zone not null,
  constraint wallet_searches_pkey PRIMARY KEY (wallet_id, chain),
  constraint wallet_searches_check CHECK (is_visible OR skipped = 0),
  constraint wallet_searches_first_index_check CHECK (first_index >= 0),
  constraint wallet_searches_skipped_check CHECK (skipped >= 0)
);

create table wallets (
  id uuid not null,
  application_id uuid,
  user_id text,
  family text not null,
  script_type text,
  sealed_extended_public_key text not null,
  masked_key text not null,
  fingerprint text not null,
  key_hash bytea not null,
  next_index bigint default 0 not null,
  created_at timestamp with time zone not null,
  retired_at timestamp with time zone,
  lineage text,
  mac text not null,
  compared_at timestamp with time zone,
  compared_by text,
  constraint wallets_pkey PRIMARY KEY (id),
  constraint wallets_key_hash_key UNIQUE (key_hash),
  constraint wallets_check CHECK (application_id IS NULL OR user_id IS NOT NULL),
  constraint wallets_family_check CHECK (family = ANY (ARRAY['evm'::text, 'bitcoin'::text, 'litecoin'::text, 'dogecoin'::text, 'bitcoincash'::text, 'tron'::text])),
  constraint wallets_fingerprint_check CHECK (fingerprint ~ '^[0-9a-f]{8}$'::text),
  constraint wallets_key_hash_check CHECK (length(key_hash) = 32),
  constraint wallets_mac_check CHECK (mac ~ '^m1[.]'::text),
  constraint wallets_next_index_check CHECK (next_index >= 0 AND next_index <= '2147483648'::bigint)
);

create table webhook_attempts (
  delivery_id uuid not null,
  user_id text not null,
  number integer not null,
  url text not null,
  http_status integer,
  error text,
  response_body text,
  duration_ms integer not null,
  created_at timestamp with time zone not null,
  connect_ms integer,
  first_byte_ms integer,
  mac text,
  constraint webhook_attempts_pkey PRIMARY KEY (delivery_id, number),
  constraint webhook_attempts_connect_ms_check CHECK (connect_ms >= 0),
  constraint webhook_attempts_duration_ms_check CHECK (duration_ms >= 0),
  constraint webhook_attempts_first_byte_ms_check CHECK (first_byte_ms >= 0),
  constraint webhook_attempts_number_check CHECK (number >= 1)
);

create table webhook_deliveries (
  id uuid not null,
  event_id uuid not null,
  payment_id uuid,
  application_id uuid not null,
  user_id text not null,
  seq integer,
  type text not null,
  state text default 'pending'::text not null,
  attempts integer default 0 not null,
  created_at timestamp with time zone not null,
  first_attempt_at timestamp with time zone,
  next_attempt_at timestamp with time zone,
  lease_token uuid,
  lease_until timestamp with time zone,
  succeeded_at timestamp with time zone,
  last_error text,
  deferred_seconds integer default 0 not null,
  overtaken_at timestamp with time zone,
  test_payment_id uuid,
  place integer,
  constraint webhook_deliveries_pkey PRIMARY KEY (id),
  constraint webhook_deliveries_event_id_key UNIQUE (event_id),
  constraint webhook_deliveries_attempts_check CHECK (attempts >= 0),
  constraint webhook_deliveries_check CHECK ((state = 'pending'::text) = (next_attempt_at IS NOT NULL)),
  constraint webhook_deliveries_check1 CHECK ((payment_id IS NULL) = (seq IS NULL AND place IS NULL)),
  constraint webhook_deliveries_check2 CHECK (payment_id IS NULL OR test_payment_id IS NULL),
  constraint webhook_deliveries_deferred_seconds_check CHECK (deferred_seconds >= 0),
  constraint webhook_deliveries_state_check CHECK (state = ANY (ARRAY['pending'::text, 'succeeded'::text, 'exhausted'::text, 'superseded'::text, 'blocked'::text, 'skipped'::text])),
  constraint webhook_deliveries_tests_first CHECK ((test_payment_id IS NOT NULL) = (next_attempt_at = '-infinity'::timestamp with time zone))
);

create table webhook_delivery_count_changes (
  user_id text not null,
  application_id uuid not null,
  seq bigint default nextval('webhook_delivery_count_changes_seq_seq'::regclass) not null,
  hour timestamp with time zone not null,
  type text not null,
  status text not null,
  change bigint not null,
  constraint webhook_delivery_count_changes_pkey PRIMARY KEY (user_id, application_id, seq)
);

create table webhook_delivery_counts (
  user_id text not null,
  application_id uuid not null,
  hour timestamp with time zone not null,
  type text not null,
  status text not null,
  total bigint not null,
  constraint webhook_delivery_counts_pkey PRIMARY KEY (user_id, application_id, hour, type, status)
);

create table webhook_endpoints (
  application_id uuid not null,
  paused_at timestamp with time zone not null,
  reason text not null,
  paused_by text default 'gone'::text not null,
  constraint webhook_endpoints_pkey PRIMARY KEY (application_id),
  constraint webhook_endpoints_paused_by_check CHECK (paused_by = ANY (ARRAY['gone'::text, 'merchant'::text]))
);

alter table webhook_attempts set (autovacuum_vacuum_scale_factor=0.02);
alter table webhook_deliveries set (autovacuum_vacuum_scale_factor=0.02);

alter sequence changes_seq_seq owned by changes.seq;
alter sequence migrations_id_seq owned by migrations.id;
alter sequence payment_count_changes_seq_seq owned by payment_count_changes.seq;
alter sequence webhook_delivery_count_changes_seq_seq owned by webhook_delivery_count_changes.seq;

alter table access_links add constraint access_links_account_id_fkey FOREIGN KEY (account_id) REFERENCES users(id);
alter table access_links add constraint access_links_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id);
alter table account_members add constraint account_members_account_id_fkey FOREIGN KEY (account_id) REFERENCES users(id);
alter table account_members add constraint account_members_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id);
alter table application_holdings add constraint application_holdings_application_id_fkey FOREIGN KEY (application_id) REFERENCES payment_applications(id);
alter table application_logos add constraint application_logos_application_id_fkey FOREIGN KEY (application_id) REFERENCES payment_applications(id);
alter table client_tokens add constraint client_tokens_application_id_user_id_fkey FOREIGN KEY (application_id, user_id) REFERENCES payment_applications(id, user_id);
alter table deposit_addresses add constraint deposit_addresses_payment_id_user_id_fkey FOREIGN KEY (payment_id, user_id) REFERENCES payments(id, user_id);
alter table deposit_addresses add constraint deposit_addresses_wallet_id_fkey FOREIGN KEY (wallet_id) REFERENCES wallets(id);
alter table oauth_clients add constraint oauth_clients_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id);
alter table own_transfers add constraint own_transfers_deposit_address_id_payment_id_fkey FOREIGN KEY (deposit_address_id, payment_id) REFERENCES deposit_addresses(id, payment_id);
alter table payment_events add constraint payment_events_payment_id_seq_fkey FOREIGN KEY (payment_id, seq) REFERENCES payment_status_history(payment_id, seq);
alter table payment_events add constraint payment_events_payment_id_user_id_fkey FOREIGN KEY (payment_id, user_id) REFERENCES payments(id, user_id);
alter table payment_status_history add constraint payment_status_history_payment_id_user_id_fkey FOREIGN KEY (payment_id, user_id) REFERENCES payments(id, user_id);
alter table payment_transfers add constraint payment_transfers_deposit_address_id_payment_id_fkey FOREIGN KEY (deposit_address_id, payment_id) REFERENCES deposit_addresses(id, payment_id);
alter table payment_transfers add constraint payment_transfers_payment_id_user_id_fkey FOREIGN KEY (payment_id, user_id) REFERENCES payments(id, user_id);
alter table payment_transfers add constraint payment_transfers_quote_id_payment_id_fkey FOREIGN KEY (quote_id, payment_id) REFERENCES quotes(id, payment_id);
alter table payments add constraint payments_application_id_user_id_fkey FOREIGN KEY (application_id, user_id) REFERENCES payment_applications(id, user_id);
alter table quotes add constraint quotes_accepted_transfer_id_payment_id_fkey FOREIGN KEY (accepted_transfer_id, payment_id) REFERENCES payment_transfers(id, payment_id);
alter table quotes add constraint quotes_payment_id_user_id_fkey FOREIGN KEY (payment_id, user_id) REFERENCES payments(id, user_id);
alter table recovery_codes add constraint recovery_codes_user_id_fkey FOREIGN KEY (user_id) REFERENCES second_factors(user_id) ON DELETE CASCADE;
alter table refund_history add constraint refund_history_refund_id_fkey FOREIGN KEY (refund_id) REFERENCES refunds(id);
alter table refunds add constraint refunds_payment_id_user_id_fkey FOREIGN KEY (payment_id, user_id) REFERENCES payments(id, user_id);
alter table refunds add constraint refunds_transfer_id_payment_id_fkey FOREIGN KEY (transfer_id, payment_id) REFERENCES payment_transfers(id, payment_id);
alter table reported_transactions add constraint reported_transactions_payment_id_user_id_fkey FOREIGN KEY (payment_id, user_id) REFERENCES payments(id, user_id);
alter table second_factors add constraint second_factors_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id);
alter table sites add constraint sites_application_id_user_id_fkey FOREIGN KEY (application_id, user_id) REFERENCES payment_applications(id, user_id);
alter table spare_addresses add constraint spare_addresses_wallet_id_fkey FOREIGN KEY (wallet_id) REFERENCES wallets(id);
alter table stray_receipts add constraint stray_receipts_wallet_id_fkey FOREIGN KEY (wallet_id) REFERENCES wallets(id);
alter table wallet_changes add constraint wallet_changes_application_id_user_id_fkey FOREIGN KEY (application_id, user_id) REFERENCES payment_applications(id, user_id);
alter table wallet_choices add constraint wallet_choices_application_id_user_id_fkey FOREIGN KEY (application_id, user_id) REFERENCES payment_applications(id, user_id);
alter table wallet_gaps add constraint wallet_gaps_wallet_id_fkey FOREIGN KEY (wallet_id) REFERENCES wallets(id);
alter table wallet_searches add constraint wallet_searches_wallet_id_fkey FOREIGN KEY (wallet_id) REFERENCES wallets(id);
alter table wallets add constraint wallets_application_id_user_id_fkey FOREIGN KEY (application_id, user_id) REFERENCES payment_applications(id, user_id);
alter table webhook_attempts add constraint webhook_attempts_delivery_id_fkey FOREIGN KEY (delivery_id) REFERENCES webhook_deliveries(id);
alter table webhook_deliveries add constraint webhook_deliveries_event_id_fkey FOREIGN KEY (event_id) REFERENCES payment_events(id);
alter table webhook_deliveries add constraint webhook_deliveries_payment_id_user_id_fkey FOREIGN KEY (payment_id, user_id) REFERENCES payments(id, user_id);
alter table webhook_endpoints add constraint webhook_endpoints_application_id_fkey FOREIGN KEY (application_id) REFERENCES payment_applications(id);

CREATE INDEX access_links_account ON access_links USING btree (account_id);
CREATE INDEX access_links_user ON access_links USING btree (user_id);
CREATE INDEX account_members_user ON account_members USING btree (user_id);
CREATE INDEX audit_log_orders ON audit_log USING btree (target_id, seq) WHERE target_kind = ANY (ARRAY['payment'::text, 'refund'::text, 'transfer'::text, 'delivery'::text]);
CREATE INDEX audit_log_rows ON audit_log USING btree (seq) WHERE (details -> 'rows'::text) IS NOT NULL;
CREATE INDEX audit_log_sign_ins ON audit_log USING btree (user_id, seq) WHERE act = 'sign_in.succeeded'::text;
CREATE INDEX audit_log_user ON audit_log USING btree (user_id, seq) WHERE user_id IS NOT NULL;
CREATE INDEX audit_log_user_acts ON audit_log USING btree (user_id, seq) WHERE user_id IS NOT NULL AND act <> 'oauth_token.issued'::text;
CREATE INDEX audit_log_vouching ON audit_log USING btree (user_id, seq) WHERE act = ANY (ARRAY['user.created'::text, 'user.email_changed'::text, 'user.restored'::text, 'user.transferred'::text]);
CREATE INDEX client_tokens_application ON client_tokens USING btree (application_id, created_at DESC, id DESC);
CREATE INDEX deposit_addresses_prefix ON deposit_addresses USING btree (user_id, lower(address) text_pattern_ops);
CREATE INDEX failed_attempts_expiry ON failed_attempts USING btree (restored_at);
CREATE INDEX idempotency_keys_expiry ON idempotency_keys USING btree (expires_at);
CREATE INDEX notices_created ON notices USING btree (created_at);
CREATE INDEX notices_due ON notices USING btree (next_attempt_at) WHERE next_attempt_at IS NOT NULL;
CREATE INDEX notices_user ON notices USING btree (user_id) WHERE user_id IS NOT NULL;
CREATE INDEX oidc_payloads_expiry ON oidc_payloads USING btree (expires_at) WHERE expires_at IS NOT NULL;
CREATE INDEX oidc_payloads_grant ON oidc_payloads USING btree (grant_id) WHERE grant_id IS NOT NULL;
CREATE INDEX oidc_payloads_grants ON oidc_payloads USING btree ((payload ->> 'accountId'::text)) WHERE kind = 'Grant'::text;
CREATE UNIQUE INDEX oidc_payloads_uid ON oidc_payloads USING btree (kind, uid) WHERE uid IS NOT NULL;
CREATE INDEX own_transfers_block ON own_transfers USING btree (chain, block_height);
CREATE INDEX own_transfers_payment ON own_transfers USING btree (payment_id);
CREATE INDEX own_transfers_user ON own_transfers USING btree (user_id);
CREATE UNIQUE INDEX payment_applications_client_id_key ON payment_applications USING btree (client_id);
CREATE INDEX payment_applications_owner ON payment_applications USING btree (user_id, created_at DESC, id DESC);
CREATE UNIQUE INDEX payment_events_expired_once ON payment_events USING btree (payment_id) WHERE type = 'payment.expired'::text;
CREATE INDEX payment_events_of_application ON payment_events USING btree (application_id, "position") WHERE "position" IS NOT NULL;
CREATE UNIQUE INDEX payment_events_of_user ON payment_events USING btree (user_id, "position") WHERE "position" IS NOT NULL;
CREATE INDEX payment_events_overtakable ON payment_events USING btree (payment_id) WHERE (type = ANY (ARRAY['payment.found'::text, 'payment.expired'::text, 'payment.cancelled'::text])) AND overtaken_at IS NULL;
CREATE UNIQUE INDEX payment_events_tests ON payment_events USING btree (test_payment_id) WHERE test_payment_id IS NOT NULL;
CREATE INDEX payment_events_times ON payment_events USING brin (created_at) WITH (autosummarize='on');
CREATE INDEX payment_events_undispatched ON payment_events USING btree (created_at) WHERE dispatched_at IS NULL;
CREATE INDEX payment_transfers_awaiting_agreement ON payment_transfers USING btree (chain) WHERE awaits_agreement AND state = 'pending'::text;
CREATE INDEX payment_transfers_block ON payment_transfers USING btree (chain, block_height) WHERE block_height IS NOT NULL;
CREATE INDEX payment_transfers_chain ON payment_transfers USING btree (user_id, chain, seen_at, id);
CREATE INDEX payment_transfers_hash ON payment_transfers USING btree (user_id, tx_hash text_pattern_ops);
CREATE UNIQUE INDEX payment_transfers_identity ON payment_transfers USING btree (chain, tx_hash, ordinal);
CREATE INDEX payment_transfers_late ON payment_transfers USING btree (user_id, payment_id, seen_at) WHERE is_late AND NOT is_dust;
CREATE INDEX payment_transfers_owner ON payment_transfers USING btree (user_id, seen_at, id);
CREATE INDEX payment_transfers_payment ON payment_transfers USING btree (payment_id, seen_at, id);
CREATE INDEX payment_transfers_unallotted ON payment_transfers USING btree (payment_id) WHERE credited_amount IS NULL AND quote_id IS NOT NULL AND (state = ANY (ARRAY['pending'::text, 'confirmed'::text]));
CREATE INDEX payment_transfers_unattributed ON payment_transfers USING btree (chain, seen_at, id) WHERE NOT is_matched AND NOT is_dust;
CREATE INDEX payment_transfers_unconfirmed ON payment_transfers USING btree (chain, block_height) WHERE state = 'pending'::text;
CREATE INDEX payment_transfers_unmatched ON payment_transfers USING btree (user_id, payment_id, seen_at) WHERE NOT is_matched AND NOT is_dust;
CREATE INDEX payment_transfers_unmined ON payment_transfers USING btree (chain) WHERE state = 'pending'::text AND block_height IS NULL AND inputs IS NOT NULL;
CREATE INDEX payments_amount ON payments USING btree (user_id, amount, id);
CREATE INDEX payments_application ON payments USING btree (application_id, created_at, id);
CREATE INDEX payments_expiry ON payments USING btree (COALESCE(expiry_check_at, expires_at)) WHERE status = 'OPEN'::text AND expiry_check_at IS DISTINCT FROM 'infinity'::timestamp with time zone;
CREATE INDEX payments_label_prefix ON payments USING btree (user_id, lower(reference_label) text_pattern_ops);
CREATE INDEX payments_network ON payments USING btree (user_id, selected_provider, created_at DESC, id DESC) WHERE selected_provider IS NOT NULL;
CREATE INDEX payments_overpaid ON payments USING btree (user_id, date_trunc('milliseconds'::text, (COALESCE(received_at, created_at) AT TIME ZONE 'UTC'::text)), id) WHERE overpaid_amount > (refunded_amount + COALESCE(kept_amount, 0::numeric)) AND (status = ANY (ARRAY['RECEIVED'::text, 'CONFIRMED'::text])) AND (overpay_accepted_at IS NULL OR kept_amount IS NOT NULL);
CREATE INDEX payments_overpaid_list ON payments USING btree (user_id, created_at DESC, id DESC) WHERE overpaid_amount > (refunded_amount + COALESCE(kept_amount, 0::numeric)) AND (status = ANY (ARRAY['RECEIVED'::text, 'CONFIRMED'::text])) AND (overpay_accepted_at IS NULL OR kept_amount IS NOT NULL);
CREATE INDEX payments_owner ON payments USING btree (user_id, created_at, id);
CREATE INDEX payments_paid_late ON payments USING btree (user_id, date_trunc('milliseconds'::text, (paid_late_at AT TIME ZONE 'UTC'::text)), id) WHERE paid_late_at IS NOT NULL AND late_kept_at IS NULL AND (status = ANY (ARRAY['RECEIVED'::text, 'CONFIRMED'::text]));
CREATE INDEX payments_recheck ON payments USING btree (recheck_at) WHERE recheck_at IS NOT NULL;
CREATE INDEX payments_reference ON payments USING btree (user_id, reference, created_at DESC, id DESC);
CREATE INDEX payments_reference_prefix ON payments USING btree (user_id, lower(reference) text_pattern_ops);
CREATE INDEX payments_review ON payments USING btree (user_id, review_reason, created_at DESC, id DESC) WHERE review_reason IS NOT NULL;
CREATE INDEX payments_status ON payments USING btree (user_id, status, created_at DESC, id DESC);
CREATE INDEX payments_twice ON payments USING btree (user_id, date_trunc('milliseconds'::text, (COALESCE(received_at, found_at, created_at) AT TIME ZONE 'UTC'::text)), id) WHERE shares_reference AND twice_kept_at IS NULL AND (status = ANY (ARRAY['UNDERPAID'::text, 'RECEIVED'::text, 'CONFIRMED'::text]));
CREATE INDEX payments_unacknowledged ON payments USING btree (application_id, received_at, id) WHERE status = 'RECEIVED'::text AND acknowledged_at IS NULL;
CREATE INDEX payments_underpaid ON payments USING btree (user_id, date_trunc('milliseconds'::text, (COALESCE(found_at, created_at) AT TIME ZONE 'UTC'::text)), id) WHERE status = 'UNDERPAID'::text;
CREATE INDEX payments_unpaid ON payments USING btree (user_id, expires_at, status) WHERE found_at IS NULL;
CREATE INDEX quotes_payment ON quotes USING btree (payment_id, locked_at DESC);
CREATE INDEX refunds_of_transaction ON refunds USING btree (chain, tx_hash) WHERE status = ANY (ARRAY['PROCESSING'::text, 'COMPLETED'::text]);
CREATE INDEX refunds_owner ON refunds USING btree (user_id, created_at DESC, id DESC);
CREATE INDEX refunds_payment ON refunds USING btree (payment_id, created_at DESC, id DESC);
CREATE INDEX refunds_status ON refunds USING btree (user_id, status, created_at DESC, id DESC);
CREATE INDEX refunds_to_check ON refunds USING btree (next_check_at) WHERE status = 'PROCESSING'::text;
CREATE UNIQUE INDEX refunds_transfer ON refunds USING btree (transfer_id) WHERE status <> ALL (ARRAY['CANCELLED'::text, 'EXPIRED'::text]);
CREATE INDEX refunds_unclaimed ON refunds USING btree (expires_at) WHERE status = 'AWAITING_ADDRESS'::text;
CREATE INDEX reported_transactions_due ON reported_transactions USING btree (next_check_at) WHERE next_check_at IS NOT NULL;
CREATE INDEX reported_transactions_unlisted ON reported_transactions USING btree (user_id, payment_id) WHERE state = 'UNLISTED_TOKEN'::text AND kept_at IS NULL;
CREATE INDEX request_log_at ON request_log USING btree (at);
CREATE UNIQUE INDEX spare_addresses_key ON spare_addresses USING btree (family, key);
CREATE INDEX stray_receipts_seen ON stray_receipts USING btree (seen_at);
CREATE INDEX unread_traces_due ON unread_traces USING btree (next_attempt_at);
CREATE UNIQUE INDEX users_email_key ON users USING btree (email);
CREATE INDEX users_email_prefix ON users USING btree (email text_pattern_ops);
CREATE INDEX users_newest ON users USING btree (created_at DESC, id DESC);
CREATE INDEX wallet_changes_due ON wallet_changes USING btree (effective_at) WHERE applied_at IS NULL AND cancelled_at IS NULL;
CREATE INDEX wallet_changes_of_owner ON wallet_changes USING btree (user_id, application_id, applied_at DESC);
CREATE UNIQUE INDEX wallet_changes_one_pending ON wallet_changes USING btree (user_id, application_id, family) NULLS NOT DISTINCT WHERE applied_at IS NULL AND cancelled_at IS NULL;
CREATE UNIQUE INDEX wallets_active ON wallets USING btree (user_id, application_id, family) NULLS NOT DISTINCT WHERE retired_at IS NULL;
CREATE INDEX webhook_deliveries_application ON webhook_deliveries USING btree (application_id, created_at, id);
CREATE INDEX webhook_deliveries_blocked ON webhook_deliveries USING btree (application_id) WHERE state = 'blocked'::text;
CREATE INDEX webhook_deliveries_claimed ON webhook_deliveries USING btree (application_id) WHERE lease_token IS NOT NULL;
CREATE INDEX webhook_deliveries_due ON webhook_deliveries USING btree (application_id, next_attempt_at) WHERE state = 'pending'::text;
CREATE INDEX webhook_deliveries_failed ON webhook_deliveries USING btree (application_id, created_at DESC, id DESC) INCLUDE (test_payment_id) WHERE state = 'exhausted'::text;
CREATE INDEX webhook_deliveries_overtakable ON webhook_deliveries USING btree (payment_id) WHERE (type = ANY (ARRAY['payment.found'::text, 'payment.expired'::text, 'payment.cancelled'::text])) AND (state = ANY (ARRAY['pending'::text, 'blocked'::text]));
CREATE INDEX webhook_deliveries_owner ON webhook_deliveries USING btree (user_id, created_at, id);
CREATE INDEX webhook_deliveries_payment ON webhook_deliveries USING btree (payment_id, seq);
CREATE INDEX webhook_deliveries_succeeded ON webhook_deliveries USING btree (application_id, succeeded_at) WHERE succeeded_at IS NOT NULL;
CREATE INDEX webhook_deliveries_tests ON webhook_deliveries USING btree (application_id, created_at, id) WHERE test_payment_id IS NOT NULL;
CREATE INDEX webhook_deliveries_undelivered ON webhook_deliveries USING btree (application_id, id) WHERE (state = ANY (ARRAY['pending'::text, 'blocked'::text])) AND succeeded_at IS NULL AND test_payment_id IS NULL;

CREATE OR REPLACE FUNCTION public.access_links_guard()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if (old.used_at is not null and new.used_at is distinct from old.used_at)
    or row(new.id, new.kind, new.token_hash, new.email, new.user_id, new.account_id, new.role, new.created_at,
        new.expires_at)
      is distinct from row(old.id, old.kind, old.token_hash, old.email, old.user_id, old.account_id, old.role,
        old.created_at, old.expires_at) then
    raise exception 'access link %: used once, and never changed', old.id using errcode = 'check_violation';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.application_holdings_count_anew()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  select coalesce(sum(t.amount) filter (where t.state = 'confirmed'), 0),
    coalesce(sum(t.amount) filter (where t.state = 'pending'), 0),
    count(distinct t.deposit_address_id) filter (where t.state = 'confirmed')
  into new.confirmed, new.pending, new.addresses
  from payments p join payment_transfers t on t.payment_id = p.id
  where p.application_id = new.application_id and t.chain = new.chain and t.asset = new.asset
    and t.currency_code = new.currency_code and t.asset_decimals = new.asset_decimals;
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION public.audit_field(value text)
 RETURNS bytea
 LANGUAGE sql
 STABLE
AS $function$
  select case when value is null then '\xffffffff'::bytea
    else int4send(octet_length(convert_to(value, 'UTF8'))) || convert_to(value, 'UTF8') end $function$;

CREATE OR REPLACE FUNCTION public.audit_head_guard()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'UPDATE' and pg_trigger_depth() > 1 then return null; end if;
  raise exception 'audit_head moves with audit_log only' using errcode = 'check_violation';
end $function$;

CREATE OR REPLACE FUNCTION public.audit_log_chain()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  head audit_head%rowtype;
begin
  select * into strict head from audit_head for update;
  new.seq := head.seq + 1;
  new.previous_hash := head.hash;
  new.hash := sha256(head.hash
    || audit_field('audit-log-1')
    || audit_field(new.seq::text)
    || audit_field(to_char(new.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
    || audit_field(new.actor_kind)
    || audit_field(new.actor_id)
    || audit_field(new.act)
    || audit_field(new.user_id)
    || audit_field(new.target_kind)
    || audit_field(new.target_id)
    || audit_field(new.details::text)
    || audit_field(new.address)
    || audit_field(new.request_id));
  update audit_head set seq = new.seq, hash = new.hash;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.audit_log_guard()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'UPDATE' and current_setting('gateway.resealing', true) = 'on' and old.mac is not null
     and to_jsonb(new) - 'mac' = to_jsonb(old) - 'mac' and new.details::text = old.details::text then
    return new;
  end if;
  raise exception '% is append-only', tg_table_name using errcode = 'check_violation';
end $function$;

CREATE OR REPLACE FUNCTION public.database_lineage(of_table oid)
 RETURNS text
 LANGUAGE plpgsql
AS $function$
declare
  place constant text := format('%s/%s', (select oid from pg_database where datname = current_database()), of_table);
begin
  return format('%s/%s/%s', (select system_identifier from pg_control_system()),
    left(pg_walfile_name(pg_current_wal_lsn()), 8), place);
exception when insufficient_privilege or feature_not_supported or undefined_function
  or object_not_in_prerequisite_state then
  return place;
end $function$;

CREATE OR REPLACE FUNCTION public.deposit_addresses_guard()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'UPDATE' and current_setting('gateway.resealing', true) = 'on'
     and to_jsonb(new) - 'mac' = to_jsonb(old) - 'mac' then
    return new;
  end if;
  raise exception '% is append-only', tg_table_name using errcode = 'check_violation';
end $function$;

CREATE OR REPLACE FUNCTION public.deposit_addresses_require_counter()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if not exists (select from wallets where id = new.wallet_id and next_index > new.derivation_index) then
    raise exception 'address %: its number was not taken from its wallet', new.id using errcode = 'check_violation';
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.event_feed_place_behind(place bigint)
 RETURNS bigint
 LANGUAGE sql
AS $function$
  select case when clock > place then clock else place + 1000000000 end
  from (select (extract(epoch from clock_timestamp()) * 1000000)::bigint as clock) now
$function$;

CREATE OR REPLACE FUNCTION public.event_feed_skip_lost_places()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  here constant text := database_lineage(tg_relid);
  place bigint;
begin
  -- A backup carries the value of the place that it came from; after-restore leaves null.
  if old.lineage is not distinct from here then return new; end if;
  place := event_feed_place_behind(old.last_position);
  new.last_position := place + (new.last_position - old.last_position);
  new.lineage := here;
  raise warning 'event feed: the database is a restored one, or a replica that took over; the places % to % are skipped',
    old.last_position + 1, place;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.is_payment_move(before text, after text)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select before || '>' || after = any (array[
    'OPEN>FOUND', 'OPEN>CANCELLED', 'OPEN>ERROR',
    'FOUND>RECEIVED', 'FOUND>UNDERPAID', 'FOUND>OPEN',
    'UNDERPAID>RECEIVED', 'UNDERPAID>OPEN', 'UNDERPAID>REFUND',
    'RECEIVED>CONFIRMED', 'RECEIVED>FOUND', 'RECEIVED>UNDERPAID', 'RECEIVED>OPEN', 'RECEIVED>REFUND',
    'CONFIRMED>REFUND', 'CONFIRMED>CANCELLED'
  ])
$function$;

CREATE OR REPLACE FUNCTION public.payment_applications_tell_insert()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  insert into changes (user_id, type, object_id, application_id, payment_id)
  select n.user_id, 'application', n.id, n.id, null
  from fresh n;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.payment_applications_tell_update()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  insert into changes (user_id, type, object_id, application_id, payment_id)
  select n.user_id, 'application', n.id, n.id, null
  from fresh n;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.payment_events_guard_body()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
   begin
     if (new.id, new.payment_id, new.seq, new.place, new.type, new.body, new.created_at, new.test_payment_id)
        is distinct from
        (old.id, old.payment_id, old.seq, old.place, old.type, old.body, old.created_at, old.test_payment_id) then
       raise exception 'event %: what was announced is immutable', old.id using errcode = 'check_violation';
     end if;
     if old.position is not null and new.position is distinct from old.position then
       raise exception 'event %: its place in the feed is fixed', old.id using errcode = 'check_violation';
     end if;
     return new;
   end $function$;

CREATE OR REPLACE FUNCTION public.payment_events_guard_opt_in()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  entered text;
begin
  select to_status into entered from payment_status_history h
  where h.payment_id = new.payment_id and h.seq = new.seq;
  if entered is distinct from (case new.type
       when 'payment.found' then 'FOUND' when 'payment.cancelled' then 'CANCELLED' else 'OPEN' end) then
    raise exception 'event %: % does not belong to an entry into %', new.id, new.type, entered
      using errcode = 'check_violation';
  end if;
  if new.type = 'payment.expired' and (
    exists (
      select from payments p where p.id = new.payment_id
        and (p.status <> 'OPEN' or p.status_seq <> new.seq or p.expires_at >= new.created_at))
    or exists (
      select from payment_transfers t where t.payment_id = new.payment_id and not t.is_dust
        and t.state in ('pending', 'confirmed') and (t.is_matched or not exists (
          select from refunds g where g.transfer_id = t.id and g.status not in ('CANCELLED', 'EXPIRED'))))
  ) then
    raise exception 'event %: payment % has not expired unpaid', new.id, new.payment_id
      using errcode = 'check_violation';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.payment_status_history_require_move()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if new.seq = 1 then
    if new.from_status is null and new.to_status = 'OPEN' then return null; end if;
  elsif is_payment_move(new.from_status, new.to_status) and exists (
    select from payment_status_history before
    where before.payment_id = new.payment_id and before.seq = new.seq - 1 and before.to_status = new.from_status
  ) then
    return null;
  end if;
  raise exception 'payment %: row % of its history does not go on from the one before', new.payment_id, new.seq
    using errcode = 'check_violation';
end $function$;

CREATE OR REPLACE FUNCTION public.payment_transfers_guard_acceptance()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  accepted uuid := (select accepted_transfer_id from quotes where id = new.quote_id);
begin
  if old.is_matched and not new.is_matched then
    raise exception 'transfer %: what counts is never taken out', old.id using errcode = 'check_violation';
  end if;
  if new.is_matched and not old.is_matched and accepted is distinct from new.id then
    raise exception 'transfer %: it counts only once it is accepted', old.id using errcode = 'check_violation';
  end if;
  if accepted <> new.id then
    raise exception 'transfer %: the quote accepts another one', old.id using errcode = 'check_violation';
  end if;
  if new.is_matched and not old.is_matched then
    -- As for a new refund: one of the two waits here for the other.
    perform from payments where id = new.payment_id for no key update;
    if exists (select from refunds where transfer_id = new.id and status not in ('CANCELLED', 'EXPIRED')) then
      raise exception 'transfer %: a refund gives it back', new.id using errcode = 'check_violation';
    end if;
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.payment_transfers_guard_confirmations()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  tags constant text[] := array['safe', 'finalized'];
begin
  if new.confirmations_required < old.confirmations_required
     or coalesce(array_position(tags, new.finality_required), 0)
        < coalesce(array_position(tags, old.finality_required), 0)
     or (old.state = 'confirmed' and (new.confirmations_required, new.finality_required)
        is distinct from (old.confirmations_required, old.finality_required)) then
    raise exception 'transfer %: its required confirmations only rise, and only while it waits', old.id
      using errcode = 'check_violation';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.payment_transfers_guard_facts()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if (new.id, new.payment_id, new.user_id, new.deposit_address_id, new.chain, new.tx_hash, new.asset,
      new.currency_code, new.asset_decimals, new.amount, new.floor, new.seen_at, new.inputs)
     is distinct from
     (old.id, old.payment_id, old.user_id, old.deposit_address_id, old.chain, old.tx_hash, old.asset,
      old.currency_code, old.asset_decimals, old.amount, old.floor, old.seen_at, old.inputs) then
    raise exception 'transfer %: facts are immutable', old.id using errcode = 'check_violation';
  end if;
  -- '<place>~<id>': the place is free again, and the row is done with (payment_transfers_given_up_check).
  if new.ordinal <> old.ordinal
     and (position('~' in old.ordinal) > 0 or new.ordinal <> old.ordinal || '~' || old.id) then
    raise exception 'transfer %: facts are immutable', old.id using errcode = 'check_violation';
  end if;
  if old.quote_id is not null and new.quote_id is distinct from old.quote_id then
    raise exception 'transfer %: its quote is fixed', old.id using errcode = 'check_violation';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.payment_transfers_hold_changed()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  change record;
begin
  if not exists (select id, state from new_rows except select id, state from old_rows) then
    return null;
  end if;
  for change in
      with changed as (
        select payment_id, deposit_address_id, chain, asset, currency_code, asset_decimals, seen_at,
          case when state = 'confirmed' then amount else 0 end as confirmed,
          case when state = 'pending' then amount else 0 end as pending,
          (state = 'confirmed')::integer as transfers
        from new_rows
        union all
        select payment_id, deposit_address_id, chain, asset, currency_code, asset_decimals, seen_at,
          case when state = 'confirmed' then -amount else 0 end,
          case when state = 'pending' then -amount else 0 end,
          -(state = 'confirmed')::integer
        from old_rows
      ), by_address as (
        select payment_id, deposit_address_id, chain, asset, currency_code, asset_decimals, sum(confirmed) as confirmed,
          sum(pending) as pending, sum(transfers) as transfers, max(seen_at) as seen_at
        from changed group by 1, 2, 3, 4, 5, 6
        having sum(confirmed) <> 0 or sum(pending) <> 0 or sum(transfers) <> 0
      ), judged as (
        select p.application_id, a.*,
          -- Confirmed transfers of the address as they are now, those of this statement included; one more than changed.
          case when a.transfers = 0 then 0 else (
            select count(*) from (
              select from payment_transfers t
              where t.payment_id = a.payment_id and t.deposit_address_id = a.deposit_address_id and t.chain = a.chain
                and t.asset = a.asset and t.currency_code = a.currency_code and t.asset_decimals = a.asset_decimals
                and t.state = 'confirmed' limit greatest(a.transfers, 0) + 1) counted) end as held
        from by_address a join payments p on p.id = a.payment_id
      )
      select application_id, chain, asset, currency_code, asset_decimals, sum(confirmed) as confirmed,
        sum(pending) as pending, sum((held > 0)::integer - (held - transfers > 0)::integer) as addresses,
        max(seen_at) as seen_at
      from judged group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5
  loop
    insert into application_holdings (application_id, chain, asset, currency_code, asset_decimals, last_seen_at)
    values (change.application_id, change.chain, change.asset, change.currency_code, change.asset_decimals,
      change.seen_at)
    on conflict do nothing;
    update application_holdings h set confirmed = h.confirmed + change.confirmed,
      pending = h.pending + change.pending, addresses = h.addresses + change.addresses,
      last_seen_at = greatest(h.last_seen_at, change.seen_at)
    where h.application_id = change.application_id and h.chain = change.chain and h.asset = change.asset
      and h.currency_code = change.currency_code and h.asset_decimals = change.asset_decimals;
  end loop;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.payment_transfers_hold_new()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  change record;
begin
  if not exists (select from added) then
    return null;
  end if;
  for change in
      with changed as (
        select payment_id, deposit_address_id, chain, asset, currency_code, asset_decimals, seen_at,
          case when state = 'confirmed' then amount else 0 end as confirmed,
          case when state = 'pending' then amount else 0 end as pending,
          (state = 'confirmed')::integer as transfers
        from added
      ), by_address as (
        select payment_id, deposit_address_id, chain, asset, currency_code, asset_decimals, sum(confirmed) as confirmed,
          sum(pending) as pending, sum(transfers) as transfers, max(seen_at) as seen_at
        from changed group by 1, 2, 3, 4, 5, 6
      ), judged as (
        select p.application_id, a.*,
          -- Confirmed transfers of the address as they are now, those of this statement included.
          case when a.transfers = 0 then 0 else (
            select count(*) from payment_transfers t
            where t.payment_id = a.payment_id and t.deposit_address_id = a.deposit_address_id and t.chain = a.chain
              and t.asset = a.asset and t.currency_code = a.currency_code and t.asset_decimals = a.asset_decimals
              and t.state = 'confirmed') end as held
        from by_address a join payments p on p.id = a.payment_id
      )
      select application_id, chain, asset, currency_code, asset_decimals, sum(confirmed) as confirmed,
        sum(pending) as pending, sum((held > 0)::integer - (held - transfers > 0)::integer) as addresses,
        max(seen_at) as seen_at
      from judged group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5
  loop
    insert into application_holdings (application_id, chain, asset, currency_code, asset_decimals, last_seen_at)
    values (change.application_id, change.chain, change.asset, change.currency_code, change.asset_decimals,
      change.seen_at)
    on conflict do nothing;
    update application_holdings h set confirmed = h.confirmed + change.confirmed,
      pending = h.pending + change.pending, addresses = h.addresses + change.addresses,
      last_seen_at = greatest(h.last_seen_at, change.seen_at)
    where h.application_id = change.application_id and h.chain = change.chain and h.asset = change.asset
      and h.currency_code = change.currency_code and h.asset_decimals = change.asset_decimals;
  end loop;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.payment_transfers_tell_insert()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  if not exists (select from fresh) then
    return null;
  end if;
  update payments p set recheck_at = p.recheck_at
  from (
    select f.id from payments f
    where f.id in (select payment_id from fresh)
      and (select count(*) from (select from payment_transfers t where t.payment_id = f.id limit 26) counted) > 25
    order by f.id for no key update
  ) flooded
  where p.id = flooded.id;
  insert into changes (user_id, type, object_id, application_id, payment_id)
  select distinct n.user_id, 'payment', n.payment_id, p.application_id, null::uuid
  from fresh n join payments p on p.id = n.payment_id;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.payment_transfers_tell_update()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  if not exists (select from fresh) then
    return null;
  end if;
  update payments p set recheck_at = p.recheck_at
  from (
    select f.id from payments f
    where f.id in (select payment_id from fresh)
      and (select count(*) from (select from payment_transfers t where t.payment_id = f.id limit 26) counted) > 25
    order by f.id for no key update
  ) flooded
  where p.id = flooded.id;
  insert into changes (user_id, type, object_id, application_id, payment_id)
  select n.user_id, 'payment', n.payment_id, p.application_id, null::uuid
  from (
    select distinct user_id, payment_id from (
      select id, user_id, payment_id, state, block_height, quote_id, is_matched, is_dust, awaits_agreement from fresh
      except
      select id, user_id, payment_id, state, block_height, quote_id, is_matched, is_dust, awaits_agreement from former
    ) changed
  ) n join payments p on p.id = n.payment_id;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.payments_accepted_amount()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if new.underpay_accepted_at is null then
    new.underpay_accepted_amount := null;
  elsif new.underpay_accepted_amount is null then
    new.underpay_accepted_amount := new.received_amount;
  else
    raise exception 'payment %: the amount that was accepted is fixed', old.id using errcode = 'check_violation';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.payments_check_refunds()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform payments_require_refunds(new.id);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.payments_count_insert()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  insert into payment_count_changes (user_id, hour, application_id, status, currency_code, change)
  select n.user_id, date_trunc('hour', n.created_at, 'UTC'), n.application_id, n.status, n.currency_code, count(*)
  from fresh n group by 1, 2, 3, 4, 5;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.payments_count_move()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  insert into payment_count_changes (user_id, hour, application_id, status, currency_code, change)
  values
    (old.user_id, date_trunc('hour', old.created_at, 'UTC'), old.application_id, old.status, old.currency_code, -1),
    (new.user_id, date_trunc('hour', new.created_at, 'UTC'), new.application_id, new.status, new.currency_code, 1);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.payments_guard_status()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if new.id <> old.id or new.user_id <> old.user_id or new.application_id <> old.application_id
     or new.amount <> old.amount or new.currency_code <> old.currency_code or new.created_at <> old.created_at then
    raise exception 'payment %: what was asked is immutable', old.id using errcode = 'check_violation';
  end if;
  if new.status = old.status then
    if new.status_seq <> old.status_seq then
      raise exception 'payment %: status_seq moves with the status only', old.id using errcode = 'check_violation';
    end if;
    return new;
  end if;
  if new.status_seq <> old.status_seq + 1 then
    raise exception 'payment %: status_seq must grow by one', old.id using errcode = 'check_violation';
  end if;
  if not is_payment_move(old.status, new.status) then
    raise exception 'payment %: illegal move % to %', old.id, old.status, new.status using errcode = 'check_violation';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.payments_keep_extras()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception 'payment %: what was asked is immutable', old.id using errcode = 'check_violation';
end $function$;

CREATE OR REPLACE FUNCTION public.payments_refuse_birth()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception 'payment %: must begin OPEN and without money', new.id using errcode = 'check_violation';
end $function$;

CREATE OR REPLACE FUNCTION public.payments_require_history()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if not exists (
    select from payment_status_history h
    where h.payment_id = new.id and h.seq = new.status_seq and h.to_status = new.status
  ) then
    raise exception 'payment %: status without history', new.id using errcode = 'check_violation';
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.payments_require_refunds(payment uuid)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  if (select refunded_amount from payments where id = payment) <>
     (select coalesce(sum(amount), 0) from refunds where payment_id = payment and status = 'COMPLETED') then
    raise exception 'payment %: refunded amount without its refunds', payment using errcode = 'check_violation';
  end if;
end $function$;

CREATE OR REPLACE FUNCTION public.payments_share_reference()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
      begin
        with others as (
          select o.id, o.received_amount > 0 and o.shares_reference is not true as is_unmarked from payments o
          where o.user_id = new.user_id and o.reference = new.reference and o.application_id = new.application_id
            and o.id <> new.id
          order by o.created_at limit 100
        ), marked as (
          update payments p set shares_reference = true
          from (select id from payments where id in (select id from others where is_unmarked)
            for no key update skip locked) free
          where p.id = free.id
        )
        select exists (select from others) into new.shares_reference;
        return new;
      end $function$;

CREATE OR REPLACE FUNCTION public.payments_tell_insert()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  insert into changes (user_id, type, object_id, application_id, payment_id)
  select n.user_id, 'payment', n.id, n.application_id, null
  from fresh n;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.payments_tell_update()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  insert into changes (user_id, type, object_id, application_id, payment_id)
  select user_id, 'payment', id, application_id, null
  from (
    select user_id, id, application_id, status, status_seq, selected_provider, selected_method, received_amount,
      refunded_amount, cancel_reason, review_reason, acknowledged_at, underpay_accepted_at, overpay_accepted_at
    from fresh
    except
    select user_id, id, application_id, status, status_seq, selected_provider, selected_method, received_amount,
      refunded_amount, cancel_reason, review_reason, acknowledged_at, underpay_accepted_at, overpay_accepted_at
    from former
  ) changed;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.quotes_require_accepted_transfer()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if not exists (
    select from payment_transfers t where t.id = new.accepted_transfer_id and t.is_matched and t.quote_id = new.id
  ) then
    raise exception 'quote %: the transfer it accepts does not count', new.id using errcode = 'check_violation';
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.recovery_codes_guard()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'INSERT' then
    if new.used_at is not null or not exists (
      select from second_factors where user_id = new.user_id and confirmed_at is not null
    ) then
      raise exception 'recovery code of %: unused, and of a confirmed second factor', new.user_id
        using errcode = 'check_violation';
    end if;
    return new;
  end if;
  if (old.used_at is not null and new.used_at is distinct from old.used_at)
     or (new.user_id, new.slot, new.code_hash, new.created_at)
     is distinct from (old.user_id, old.slot, old.code_hash, old.created_at) then
    raise exception 'recovery code of %: used once, and otherwise fixed', old.user_id
      using errcode = 'check_violation';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.refunds_check_payment()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform payments_require_refunds(new.payment_id);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.refunds_guard_status()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  -- The rotation of keys, which says so in its own transaction and changes nothing else.
  if current_setting('gateway.resealing', true) = 'on' and to_jsonb(new) - 'mac' = to_jsonb(old) - 'mac' then
    return new;
  end if;
  if (new.id, new.payment_id, new.user_id, new.type, new.amount, new.chain, new.asset, new.payout_currency_code,
      new.payout_decimals, new.payout_amount, new.rate, new.rate_locked_at, new.confirmations_required, new.requested_by,
      new.created_at, new.expires_at, new.transfer_id)
     is distinct from
     (old.id, old.payment_id, old.user_id, old.type, old.amount, old.chain, old.asset, old.payout_currency_code,
      old.payout_decimals, old.payout_amount, old.rate, old.rate_locked_at, old.confirmations_required, old.requested_by,
      old.created_at, old.expires_at, old.transfer_id) then
    raise exception 'refund %: what was promised is immutable', old.id using errcode = 'check_violation';
  end if;
  if old.status in ('COMPLETED', 'CANCELLED', 'EXPIRED') then
    raise exception 'refund %: illegal change of a % refund', old.id, old.status using errcode = 'check_violation';
  end if;
  if old.status = 'PROCESSING' and new.address is distinct from old.address then
    raise exception 'refund %: its address was paid already', old.id using errcode = 'check_violation';
  end if;
  if (new.status, new.address, new.tx_hash) is distinct from (old.status, old.address, old.tx_hash) then
    if new.status_seq <> old.status_seq + 1 then
      raise exception 'refund %: status_seq must grow by one', old.id using errcode = 'check_violation';
    end if;
  elsif new.status_seq <> old.status_seq then
    raise exception 'refund %: status_seq moves with a change only', old.id using errcode = 'check_violation';
  end if;
  if new.status <> old.status and not (old.status || '>' || new.status = any (array[
    'AWAITING_ADDRESS>AWAITING_PAYMENT', 'AWAITING_ADDRESS>CANCELLED', 'AWAITING_ADDRESS>EXPIRED',
    'AWAITING_PAYMENT>PROCESSING', 'AWAITING_PAYMENT>CANCELLED',
    'PROCESSING>COMPLETED', 'PROCESSING>FAILED',
    'FAILED>PROCESSING', 'FAILED>CANCELLED'
  ])) then
    raise exception 'refund %: illegal move % to %', old.id, old.status, new.status using errcode = 'check_violation';
  end if;
  return new;
end 
$function$;

CREATE OR REPLACE FUNCTION public.refunds_guard_sum()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  received numeric;
  promised numeric;
  given_back record;
begin
  if new.status not in ('AWAITING_ADDRESS', 'AWAITING_PAYMENT') or new.status_seq <> 1 then
    raise exception 'refund %: illegal first status %', new.id, new.status using errcode = 'check_violation';
  end if;
  select received_amount into received from payments where id = new.payment_id for no key update;
  select coalesce(sum(amount), 0) into promised from refunds
    where payment_id = new.payment_id and status not in ('CANCELLED', 'EXPIRED');
  -- Not for a transfer, whatever a reorganization has taken of the rest.
  if new.transfer_id is null and promised + new.amount > received then
    raise exception 'refund %: refunds exceed what was received', new.id using errcode = 'check_violation';
  end if;
  if new.transfer_id is not null then
    select * into given_back from payment_transfers where id = new.transfer_id;
    if given_back.is_matched or given_back.state <> 'confirmed' then
      raise exception 'refund %: its transfer counts, or is not confirmed', new.id using errcode = 'check_violation';
    end if;
    if (given_back.chain, given_back.asset, given_back.asset_decimals, given_back.amount)
       is distinct from (new.chain, new.asset, new.payout_decimals::integer, new.payout_amount) then
      raise exception 'refund %: it does not pay its transfer back', new.id using errcode = 'check_violation';
    end if;
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.refunds_guard_transaction()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  counted numeric;
begin
  -- Refunds of one transaction wait here for each other: each sees what the one before it has counted.
  perform pg_advisory_xact_lock(hashtextextended('refund paid by ' || new.chain || ' ' || new.tx_hash, 0));
  if new.status = 'PROCESSING' and exists (
    select from refunds where chain = new.chain and tx_hash = new.tx_hash and status in ('PROCESSING', 'COMPLETED')
      and user_id <> new.user_id
  ) then
    raise exception 'refund %: another user has named its transaction', new.id using errcode = 'unique_violation';
  end if;
  if new.status = 'COMPLETED' then
    select sum(payout_amount) into counted from refunds
      where chain = new.chain and tx_hash = new.tx_hash and asset = new.asset and address_key = new.address_key
        and status = 'COMPLETED' and id <> new.id;
    -- The release before does not write what was paid, and counts all of it for each refund.
    if coalesce(counted, 0) + new.payout_amount > new.tx_credited or (counted > 0 and new.tx_credited is null) then
      raise exception 'refund %: its transaction has paid other refunds', new.id using errcode = 'check_violation';
    end if;
  end if;
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION public.refunds_require_history()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if not exists (
    select from refund_history h join refunds r on r.id = h.refund_id
    where r.id = new.id and h.seq = r.status_seq and h.user_id = r.user_id and h.to_status = r.status
      and h.address is not distinct from r.address and h.tx_hash is not distinct from r.tx_hash
  ) then
    raise exception 'refund %: change without history', new.id using errcode = 'check_violation';
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.refunds_tell_insert()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  insert into changes (user_id, type, object_id, application_id, payment_id)
  select n.user_id, 'refund', n.id, p.application_id, n.payment_id
  from fresh n join payments p on p.id = n.payment_id;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.refunds_tell_update()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  insert into changes (user_id, type, object_id, application_id, payment_id)
  select n.user_id, 'refund', n.id, p.application_id, n.payment_id
  from (
    select id, user_id, payment_id, status_seq, address, tx_hash, tx_seen_at, confirmations from fresh
    except
    select id, user_id, payment_id, status_seq, address, tx_hash, tx_seen_at, confirmations from former
  ) n join payments p on p.id = n.payment_id;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.refuse_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception '% is append-only', tg_table_name using errcode = 'check_violation';
end $function$;

CREATE OR REPLACE FUNCTION public.refuse_change_but_mac()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'UPDATE' and current_setting('gateway.resealing', true) = 'on'
     and to_jsonb(new) - 'mac' = to_jsonb(old) - 'mac' then
    return new;
  end if;
  raise exception '% is append-only', tg_table_name using errcode = 'check_violation';
end $function$;

CREATE OR REPLACE FUNCTION public.refuse_new_mac()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if current_setting('gateway.resealing', true) = 'on' then
    return new;
  end if;
  raise exception 'a MAC of % is fixed', tg_table_name using errcode = 'check_violation';
end $function$;

CREATE OR REPLACE FUNCTION public.reported_transactions_tell_insert()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  insert into changes (user_id, type, object_id, application_id, payment_id)
  select p.user_id, 'payment', n.payment_id, p.application_id, null
  from fresh n join payments p on p.id = n.payment_id;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.reported_transactions_tell_update()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  insert into changes (user_id, type, object_id, application_id, payment_id)
  select p.user_id, 'payment', n.payment_id, p.application_id, null
  from (select id, payment_id, state from fresh except select id, payment_id, state from former) n
  join payments p on p.id = n.payment_id;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.second_factors_guard()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  -- The rotation of keys says so, in its own transaction, and may change nothing else.
  if current_setting('gateway.resealing', true) = 'on' and
     (new.user_id, new.created_at, new.confirmed_at, new.last_step)
     is not distinct from (old.user_id, old.created_at, old.confirmed_at, old.last_step) then
    return new;
  end if;
  if old.confirmed_at is not null and (new.user_id, new.sealed_secret, new.created_at, new.confirmed_at)
     is distinct from (old.user_id, old.sealed_secret, old.created_at, old.confirmed_at) then
    raise exception 'second factor of %: fixed once confirmed', old.user_id using errcode = 'check_violation';
  end if;
  if new.last_step <= old.last_step then
    raise exception 'second factor of %: a code counts once', old.user_id using errcode = 'check_violation';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.sites_tell_insert()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  insert into changes (user_id, type, object_id, application_id, payment_id)
  select n.user_id, 'application', n.application_id, n.application_id, null
  from fresh n;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.sites_tell_update()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  insert into changes (user_id, type, object_id, application_id, payment_id)
  select n.user_id, 'application', n.application_id, n.application_id, null
  from fresh n;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.wallet_changes_guard()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if current_setting('gateway.resealing', true) = 'on'
     and to_jsonb(new) - '{mac,sealed_key}'::text[] = to_jsonb(old) - '{mac,sealed_key}'::text[] then
    return new;
  end if;
  if old.applied_at is not null or old.cancelled_at is not null
     or to_jsonb(new) - '{mac,sealed_key,previous_fingerprint,applied_at,cancelled_at}'::text[]
        <> to_jsonb(old) - '{mac,sealed_key,previous_fingerprint,applied_at,cancelled_at}'::text[]
     or (new.sealed_key is not null and new.sealed_key <> old.sealed_key) then
    raise exception 'wallet change %: what was requested, and how it ended, is immutable', old.id
      using errcode = 'check_violation';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.wallet_choices_tell_insert()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  insert into changes (user_id, type, object_id, application_id, payment_id)
  select n.user_id, 'application', n.application_id, n.application_id, null
  from fresh n;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.wallet_choices_tell_update()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  insert into changes (user_id, type, object_id, application_id, payment_id)
  select n.user_id, 'application', n.application_id, n.application_id, null
  from fresh n;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.wallets_guard()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'DELETE' then
    raise exception 'wallet %: wallets are retired, never deleted', old.id using errcode = 'check_violation';
  end if;
  if (new.id, new.application_id, new.user_id, new.family, new.script_type, new.masked_key, new.fingerprint,
      new.key_hash, new.created_at)
     is distinct from
     (old.id, old.application_id, old.user_id, old.family, old.script_type, old.masked_key, old.fingerprint,
      old.key_hash, old.created_at) then
    raise exception 'wallet %: owner and key are fixed', old.id using errcode = 'check_violation';
  end if;
  if new.sealed_extended_public_key <> old.sealed_extended_public_key
     and coalesce(current_setting('gateway.resealing', true), '') <> 'on' then
    raise exception 'wallet %: owner and key are fixed', old.id using errcode = 'check_violation';
  end if;
  if new.retired_at is distinct from old.retired_at and new.mac is not distinct from old.mac then
    raise exception 'wallet %: its state changes together with its MAC', old.id using errcode = 'check_violation';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.wallets_keep_counter()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception 'wallet %: its counter never goes back', new.id using errcode = 'check_violation';
end $function$;

CREATE OR REPLACE FUNCTION public.wallets_skip_lost_numbers()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  here constant text := database_lineage(tg_relid);
  newest timestamptz;
  recent bigint;
begin
  if tg_op = 'INSERT' then
    -- A value that comes along is a backup's.
    new.lineage := coalesce(new.lineage, here);
    return new;
  end if;
  if new.next_index = old.next_index or old.lineage is not distinct from here then return new; end if;
  -- What may be lost: as many as in the equally long time before the newest that is known. Four times that, and
  -- a thousand for a database that lost only its last moments.
  select created_at into newest from deposit_addresses
    where wallet_id = old.id order by derivation_index desc limit 1;
  select count(*) into recent from deposit_addresses
    where wallet_id = old.id and created_at >= newest - greatest(now() - newest, interval '0');
  new.next_index := new.next_index + 1000 + 4 * recent;
  new.lineage := here;
  raise warning 'wallet %: the database is a restored one, or a replica that took over; address numbers % to % are skipped',
    old.id, old.next_index, new.next_index - 2;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.webhook_deliveries_count_delete()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  insert into webhook_delivery_count_changes (user_id, application_id, hour, type, status, change)
  select d.user_id, d.application_id, date_trunc('hour', d.created_at, 'UTC'), d.type,
    case when d.state <> 'pending' then upper(d.state) when d.is_new then 'PENDING' else 'FAILED' end, sum(d.change)
  from (
    select r.user_id, r.application_id, r.created_at, r.type, r.state, r.attempts = 0 as is_new,
      sum(r.change) as change
    from (
      select user_id, application_id, created_at, type, state, attempts, -1 as change
      from former where lease_token is null and payment_id is not null
    ) r group by 1, 2, 3, 4, 5, 6 having sum(r.change) <> 0
  ) d group by 1, 2, 3, 4, 5 having sum(d.change) <> 0;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.webhook_deliveries_tell_insert()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  if not exists (select from fresh) then
    return null;
  end if;
  with counted as (
    insert into webhook_delivery_count_changes (user_id, application_id, hour, type, status, change)
    select d.user_id, d.application_id, date_trunc('hour', d.created_at, 'UTC'), d.type,
      case when d.state <> 'pending' then upper(d.state) when d.is_new then 'PENDING' else 'FAILED' end, sum(d.change)
    from (
      select r.user_id, r.application_id, r.created_at, r.type, r.state, r.attempts = 0 as is_new,
        sum(r.change) as change
      from (
        select user_id, application_id, created_at, type, state, attempts, 1 as change
        from fresh where lease_token is null and payment_id is not null
      ) r group by 1, 2, 3, 4, 5, 6 having sum(r.change) <> 0
    ) d group by 1, 2, 3, 4, 5 having sum(d.change) <> 0
  )
  insert into changes (user_id, type, object_id, application_id, payment_id)
  select d.user_id, 'delivery', case d.many when 1 then d.ids[1] end, case d.many when 1 then d.applications[1] end,
    case d.many when 1 then d.payments[1] end
  from (
    select n.user_id, count(*) as many, array_agg(n.id) as ids, array_agg(n.application_id) as applications,
      array_agg(n.payment_id) as payments
    from fresh n where n.lease_token is null and n.payment_id is not null group by n.user_id) d;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.webhook_deliveries_tell_update()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  if not exists (select from fresh) then
    return null;
  end if;
  with counted as (
    insert into webhook_delivery_count_changes (user_id, application_id, hour, type, status, change)
    select d.user_id, d.application_id, date_trunc('hour', d.created_at, 'UTC'), d.type,
      case when d.state <> 'pending' then upper(d.state) when d.is_new then 'PENDING' else 'FAILED' end, sum(d.change)
    from (
      select r.user_id, r.application_id, r.created_at, r.type, r.state, r.attempts = 0 as is_new,
        sum(r.change) as change
      from (
        select user_id, application_id, created_at, type, state, attempts, -1 as change
        from former where lease_token is null and payment_id is not null
        union all
        select user_id, application_id, created_at, type, state, attempts, 1 as change
        from fresh where lease_token is null and payment_id is not null
      ) r group by 1, 2, 3, 4, 5, 6 having sum(r.change) <> 0
    ) d group by 1, 2, 3, 4, 5 having sum(d.change) <> 0
  )
  insert into changes (user_id, type, object_id, application_id, payment_id)
  select d.user_id, 'delivery', case d.many when 1 then d.ids[1] end, case d.many when 1 then d.applications[1] end,
    case d.many when 1 then d.payments[1] end
  from (
    select n.user_id, count(*) as many, array_agg(n.id) as ids, array_agg(n.application_id) as applications,
      array_agg(n.payment_id) as payments
    from fresh n where n.lease_token is null and n.payment_id is not null group by n.user_id) d;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.webhook_endpoints_tell_delete()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  insert into changes (user_id, type, object_id, application_id, payment_id)
  select a.user_id, 'application', n.application_id, n.application_id, null
  from former n join payment_applications a on a.id = n.application_id;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.webhook_endpoints_tell_insert()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  insert into changes (user_id, type, object_id, application_id, payment_id)
  select a.user_id, 'application', n.application_id, n.application_id, null
  from fresh n join payment_applications a on a.id = n.application_id;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.webhook_endpoints_tell_update()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  insert into changes (user_id, type, object_id, application_id, payment_id)
  select a.user_id, 'application', n.application_id, n.application_id, null
  from fresh n join payment_applications a on a.id = n.application_id;
  return null;
end $function$;

CREATE TRIGGER access_links_guard BEFORE UPDATE ON access_links FOR EACH ROW EXECUTE FUNCTION access_links_guard();
CREATE TRIGGER application_holdings_count_anew BEFORE UPDATE ON application_holdings FOR EACH ROW WHEN (LEAST(new.confirmed, new.pending, new.addresses::numeric) < 0::numeric OR GREATEST(new.confirmed, new.pending) > '10000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000'::numeric OR new.addresses::numeric > '1000000000000000'::numeric) EXECUTE FUNCTION application_holdings_count_anew();
CREATE TRIGGER audit_anchor_no_delete BEFORE DELETE ON audit_anchor FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER audit_anchor_no_truncate BEFORE TRUNCATE ON audit_anchor FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER audit_head_guard AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON audit_head FOR EACH STATEMENT EXECUTE FUNCTION audit_head_guard();
CREATE TRIGGER audit_log_append_only BEFORE DELETE OR UPDATE ON audit_log FOR EACH ROW EXECUTE FUNCTION audit_log_guard();
CREATE TRIGGER audit_log_chain BEFORE INSERT ON audit_log FOR EACH ROW EXECUTE FUNCTION audit_log_chain();
CREATE TRIGGER audit_log_no_truncate BEFORE TRUNCATE ON audit_log FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER deposit_addresses_append_only BEFORE DELETE OR UPDATE ON deposit_addresses FOR EACH ROW EXECUTE FUNCTION deposit_addresses_guard();
CREATE CONSTRAINT TRIGGER deposit_addresses_require_counter AFTER INSERT ON deposit_addresses DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION deposit_addresses_require_counter();
CREATE TRIGGER event_feed_skip_lost_places BEFORE UPDATE OF last_position ON event_feed FOR EACH ROW EXECUTE FUNCTION event_feed_skip_lost_places();
CREATE TRIGGER payment_applications_tell_insert AFTER INSERT ON payment_applications REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION payment_applications_tell_insert();
CREATE TRIGGER payment_applications_tell_update AFTER UPDATE ON payment_applications REFERENCING OLD TABLE AS former NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION payment_applications_tell_update();
CREATE TRIGGER payment_events_guard_body BEFORE UPDATE ON payment_events FOR EACH ROW EXECUTE FUNCTION payment_events_guard_body();
CREATE TRIGGER payment_events_guard_opt_in BEFORE INSERT ON payment_events FOR EACH ROW WHEN ((new.type = ANY (ARRAY['payment.found'::text, 'payment.expired'::text, 'payment.cancelled'::text])) AND new.payment_id IS NOT NULL) EXECUTE FUNCTION payment_events_guard_opt_in();
CREATE TRIGGER payment_events_keep_mac BEFORE UPDATE ON payment_events FOR EACH ROW WHEN (new.mac IS DISTINCT FROM old.mac) EXECUTE FUNCTION refuse_new_mac();
CREATE TRIGGER payment_events_no_delete BEFORE DELETE ON payment_events FOR EACH ROW WHEN (old.test_payment_id IS NULL) EXECUTE FUNCTION refuse_change();
CREATE TRIGGER payment_status_history_append_only BEFORE DELETE OR UPDATE ON payment_status_history FOR EACH ROW EXECUTE FUNCTION refuse_change_but_mac();
CREATE TRIGGER payment_status_history_require_move AFTER INSERT ON payment_status_history FOR EACH ROW EXECUTE FUNCTION payment_status_history_require_move();
CREATE TRIGGER payment_transfers_guard_acceptance BEFORE UPDATE ON payment_transfers FOR EACH ROW WHEN (old.is_matched <> new.is_matched OR old.quote_id IS DISTINCT FROM new.quote_id) EXECUTE FUNCTION payment_transfers_guard_acceptance();
CREATE TRIGGER payment_transfers_guard_confirmations BEFORE UPDATE OF confirmations_required, finality_required ON payment_transfers FOR EACH ROW EXECUTE FUNCTION payment_transfers_guard_confirmations();
CREATE TRIGGER payment_transfers_guard_facts BEFORE UPDATE ON payment_transfers FOR EACH ROW EXECUTE FUNCTION payment_transfers_guard_facts();
CREATE TRIGGER payment_transfers_hold_changed AFTER UPDATE ON payment_transfers REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION payment_transfers_hold_changed();
CREATE TRIGGER payment_transfers_hold_new AFTER INSERT ON payment_transfers REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION payment_transfers_hold_new();
CREATE TRIGGER payment_transfers_keep_mac BEFORE UPDATE ON payment_transfers FOR EACH ROW WHEN (new.mac IS DISTINCT FROM old.mac) EXECUTE FUNCTION refuse_new_mac();
CREATE TRIGGER payment_transfers_no_delete BEFORE DELETE ON payment_transfers FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER payment_transfers_tell_insert AFTER INSERT ON payment_transfers REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION payment_transfers_tell_insert();
CREATE TRIGGER payment_transfers_tell_update AFTER UPDATE ON payment_transfers REFERENCING OLD TABLE AS former NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION payment_transfers_tell_update();
CREATE TRIGGER payments_accepted_amount BEFORE UPDATE ON payments FOR EACH ROW WHEN ((new.underpay_accepted_at IS NULL) <> (new.underpay_accepted_amount IS NULL) OR new.underpay_accepted_amount <> old.underpay_accepted_amount) EXECUTE FUNCTION payments_accepted_amount();
CREATE TRIGGER payments_born_open AFTER INSERT ON payments FOR EACH ROW WHEN (new.status <> 'OPEN'::text OR new.status_seq <> 1 OR new.received_amount <> 0::numeric OR new.refunded_amount <> 0::numeric OR COALESCE(new.overpaid_amount, new.underpaid_amount, new.settled_amount) IS NOT NULL OR COALESCE(new.found_at, new.received_at, new.confirmed_at, new.cancelled_at, new.acknowledged_at, new.underpay_accepted_at, new.overpay_accepted_at) IS NOT NULL) EXECUTE FUNCTION payments_refuse_birth();
CREATE CONSTRAINT TRIGGER payments_check_refunds AFTER UPDATE OF refunded_amount ON payments DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (new.refunded_amount IS DISTINCT FROM old.refunded_amount) EXECUTE FUNCTION payments_check_refunds();
CREATE TRIGGER payments_count_insert AFTER INSERT ON payments REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION payments_count_insert();
CREATE TRIGGER payments_count_move AFTER UPDATE ON payments FOR EACH ROW WHEN (old.user_id IS DISTINCT FROM new.user_id OR old.created_at IS DISTINCT FROM new.created_at OR old.application_id IS DISTINCT FROM new.application_id OR old.status IS DISTINCT FROM new.status OR old.currency_code IS DISTINCT FROM new.currency_code) EXECUTE FUNCTION payments_count_move();
CREATE TRIGGER payments_guard_status BEFORE UPDATE ON payments FOR EACH ROW EXECUTE FUNCTION payments_guard_status();
CREATE TRIGGER payments_keep_extras BEFORE UPDATE OF metadata, livemode, callback_url ON payments FOR EACH ROW WHEN (new.metadata <> old.metadata OR new.livemode IS DISTINCT FROM old.livemode OR new.callback_url IS DISTINCT FROM old.callback_url) EXECUTE FUNCTION payments_keep_extras();
CREATE TRIGGER payments_keep_mac BEFORE UPDATE ON payments FOR EACH ROW WHEN (new.mac IS DISTINCT FROM old.mac) EXECUTE FUNCTION refuse_new_mac();
CREATE TRIGGER payments_no_delete BEFORE DELETE ON payments FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE CONSTRAINT TRIGGER payments_require_history AFTER INSERT OR UPDATE OF status ON payments DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION payments_require_history();
CREATE TRIGGER payments_share_reference BEFORE UPDATE OF received_amount ON payments FOR EACH ROW WHEN (new.received_amount > old.received_amount AND new.shares_reference IS NOT TRUE) EXECUTE FUNCTION payments_share_reference();
CREATE TRIGGER payments_tell_insert AFTER INSERT ON payments REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION payments_tell_insert();
CREATE TRIGGER payments_tell_update AFTER UPDATE ON payments REFERENCING OLD TABLE AS former NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION payments_tell_update();
CREATE TRIGGER quotes_append_only BEFORE DELETE OR UPDATE ON quotes FOR EACH ROW EXECUTE FUNCTION refuse_change_but_mac();
CREATE CONSTRAINT TRIGGER quotes_require_accepted_transfer AFTER INSERT ON quotes DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (new.accepted_transfer_id IS NOT NULL) EXECUTE FUNCTION quotes_require_accepted_transfer();
CREATE TRIGGER recovery_codes_guard BEFORE INSERT OR UPDATE ON recovery_codes FOR EACH ROW EXECUTE FUNCTION recovery_codes_guard();
CREATE TRIGGER refund_history_append_only BEFORE DELETE OR UPDATE ON refund_history FOR EACH ROW EXECUTE FUNCTION refuse_change_but_mac();
CREATE CONSTRAINT TRIGGER refunds_check_payment AFTER UPDATE OF status ON refunds DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (new.status = 'COMPLETED'::text) EXECUTE FUNCTION refunds_check_payment();
CREATE TRIGGER refunds_guard_status BEFORE UPDATE ON refunds FOR EACH ROW EXECUTE FUNCTION refunds_guard_status();
CREATE TRIGGER refunds_guard_sum BEFORE INSERT ON refunds FOR EACH ROW EXECUTE FUNCTION refunds_guard_sum();
CREATE TRIGGER refunds_guard_transaction BEFORE UPDATE ON refunds FOR EACH ROW WHEN ((new.status = ANY (ARRAY['PROCESSING'::text, 'COMPLETED'::text])) AND (new.status IS DISTINCT FROM old.status OR new.tx_hash IS DISTINCT FROM old.tx_hash)) EXECUTE FUNCTION refunds_guard_transaction();
CREATE TRIGGER refunds_no_delete BEFORE DELETE ON refunds FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE CONSTRAINT TRIGGER refunds_require_history AFTER INSERT OR UPDATE OF status_seq ON refunds DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION refunds_require_history();
CREATE TRIGGER refunds_tell_insert AFTER INSERT ON refunds REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION refunds_tell_insert();
CREATE TRIGGER refunds_tell_update AFTER UPDATE ON refunds REFERENCING OLD TABLE AS former NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION refunds_tell_update();
CREATE TRIGGER reported_transactions_tell_insert AFTER INSERT ON reported_transactions REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION reported_transactions_tell_insert();
CREATE TRIGGER reported_transactions_tell_update AFTER UPDATE ON reported_transactions REFERENCING OLD TABLE AS former NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION reported_transactions_tell_update();
CREATE TRIGGER second_factors_guard BEFORE UPDATE ON second_factors FOR EACH ROW EXECUTE FUNCTION second_factors_guard();
CREATE TRIGGER sites_tell_insert AFTER INSERT ON sites REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION sites_tell_insert();
CREATE TRIGGER sites_tell_update AFTER UPDATE ON sites REFERENCING OLD TABLE AS former NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION sites_tell_update();
CREATE TRIGGER wallet_changes_guard BEFORE UPDATE ON wallet_changes FOR EACH ROW EXECUTE FUNCTION wallet_changes_guard();
CREATE TRIGGER wallet_changes_no_delete BEFORE DELETE ON wallet_changes FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER wallet_choices_no_delete BEFORE DELETE ON wallet_choices FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER wallet_choices_tell_insert AFTER INSERT ON wallet_choices REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION wallet_choices_tell_insert();
CREATE TRIGGER wallet_choices_tell_update AFTER UPDATE ON wallet_choices REFERENCING OLD TABLE AS former NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION wallet_choices_tell_update();
CREATE TRIGGER wallets_guard BEFORE DELETE OR UPDATE ON wallets FOR EACH ROW EXECUTE FUNCTION wallets_guard();
CREATE TRIGGER wallets_keep_counter BEFORE UPDATE OF next_index ON wallets FOR EACH ROW WHEN (new.next_index < old.next_index) EXECUTE FUNCTION wallets_keep_counter();
CREATE TRIGGER wallets_skip_lost_numbers BEFORE INSERT OR UPDATE ON wallets FOR EACH ROW EXECUTE FUNCTION wallets_skip_lost_numbers();
CREATE TRIGGER webhook_deliveries_count_delete AFTER DELETE ON webhook_deliveries REFERENCING OLD TABLE AS former FOR EACH STATEMENT EXECUTE FUNCTION webhook_deliveries_count_delete();
CREATE TRIGGER webhook_deliveries_tell_insert AFTER INSERT ON webhook_deliveries REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION webhook_deliveries_tell_insert();
CREATE TRIGGER webhook_deliveries_tell_update AFTER UPDATE ON webhook_deliveries REFERENCING OLD TABLE AS former NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION webhook_deliveries_tell_update();
CREATE TRIGGER webhook_endpoints_tell_delete AFTER DELETE ON webhook_endpoints REFERENCING OLD TABLE AS former FOR EACH STATEMENT EXECUTE FUNCTION webhook_endpoints_tell_delete();
CREATE TRIGGER webhook_endpoints_tell_insert AFTER INSERT ON webhook_endpoints REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION webhook_endpoints_tell_insert();
CREATE TRIGGER webhook_endpoints_tell_update AFTER UPDATE ON webhook_endpoints REFERENCING OLD TABLE AS former NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION webhook_endpoints_tell_update();
