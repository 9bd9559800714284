import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What was asked, what was observed, what was announced (design.md, Facts then status). */
export class Payments1795224000003 implements MigrationInterface {
  name = 'Payments1795224000003';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      create table payments (
        id uuid primary key,
        user_id text not null,
        application_id uuid not null,
        status text not null default 'OPEN' check (status in
          ('OPEN', 'FOUND', 'UNDERPAID', 'RECEIVED', 'CONFIRMED', 'CANCELLED', 'ERROR', 'REFUND')),
        -- Number of the newest row in payment_status_history.
        status_seq integer not null default 1 check (status_seq >= 1),
        reference text not null check (length(reference) between 1 and 255),
        reference_label text not null check (length(reference_label) between 1 and 255),
        currency_code text not null,
        settlement_currency_code text not null,
        -- Smallest unit of currency_code. numeric takes 'NaN', so the checks name bounds.
        amount numeric(78,0) not null check (amount > 0 and amount < 'Infinity'),
        redirect_url text,
        blockchain_slug text,
        product_id uuid,
        expires_at timestamptz not null,
        created_at timestamptz not null,
        -- The method that the customer picked last.
        selected_provider text,
        selected_method text,
        -- Derived from transfers by settlement.ts at every change; kept for lists and events.
        received_amount numeric(78,0) not null default 0 check (received_amount >= 0 and received_amount < 'Infinity'),
        overpaid_amount numeric(78,0) check (overpaid_amount > 0 and overpaid_amount < 'Infinity'),
        underpaid_amount numeric(78,0) check (underpaid_amount > 0 and underpaid_amount < 'Infinity'),
        -- Smallest unit of settlement_currency_code; set on entry into RECEIVED.
        settled_amount numeric(78,0) check (settled_amount >= 0 and settled_amount < 'Infinity'),
        found_at timestamptz,
        received_at timestamptz,
        confirmed_at timestamptz,
        cancelled_at timestamptz,
        cancel_reason text,
        error_reason text,
        review_reason text check (review_reason in ('overpaid', 'reorg', 'funds_after_cancel')),
        -- Decisions that the status depends on besides the chain.
        acknowledged_at timestamptz,
        underpay_accepted_at timestamptz,
        overpay_accepted_at timestamptz,
        -- When the sweep must look again (quote end of an underpaid payment, a missing rate).
        recheck_at timestamptz,
        unique (id, user_id),
        foreign key (application_id, user_id) references payment_applications (id, user_id),
        check (status <> 'CONFIRMED' or confirmed_at is not null),
        check (status <> 'CANCELLED' or cancelled_at is not null),
        check (status <> 'ERROR' or error_reason is not null),
        check (status not in ('FOUND', 'UNDERPAID', 'RECEIVED', 'CONFIRMED') or found_at is not null),
        check (confirmed_at >= found_at and found_at >= created_at)
      );
      create index payments_owner on payments (user_id, created_at desc, id desc);
      create index payments_application on payments (application_id, created_at desc, id desc);
      create index payments_recheck on payments (recheck_at) where recheck_at is not null;

      -- Append-only: the status is the last row, and the rows are gap-free per payment.
      create table payment_status_history (
        payment_id uuid not null references payments (id),
        seq integer not null check (seq >= 1),
        from_status text,
        to_status text not null,
        reason text not null,
        created_at timestamptz not null,
        primary key (payment_id, seq)
      );

      create table quotes (
        id uuid primary key,
        payment_id uuid not null,
        user_id text not null,
        chain text not null,
        -- 'native' or the token contract, lower-case.
        asset text not null,
        currency_code text not null,
        asset_decimals smallint not null check (asset_decimals between 0 and 36),
        -- Smallest units: what the payment asks, and the coin's units that pay it in full.
        priced_amount numeric(78,0) not null check (priced_amount > 0 and priced_amount < 'Infinity'),
        asset_amount numeric(78,0) not null check (asset_amount > 0 and asset_amount < 'Infinity'),
        -- Units of the pricing currency for one whole coin, as decimal text; its inputs as read.
        rate text not null,
        rate_source text not null,
        rate_inputs jsonb not null,
        -- Units of the settlement currency for one whole unit of the pricing currency; null: unknown then.
        settlement_rate text,
        -- True when made for funds that came after the last quote had ended (api.md H4).
        is_late boolean not null default false,
        locked_at timestamptz not null,
        expires_at timestamptz not null check (expires_at >= locked_at),
        unique (id, payment_id),
        foreign key (payment_id, user_id) references payments (id, user_id)
      );
      create index quotes_payment on quotes (payment_id, locked_at desc);

      create table deposit_addresses (
        id uuid primary key,
        payment_id uuid not null,
        user_id text not null,
        family text not null,
        -- What a block is matched on: the 20 address bytes for evm, the output script for bitcoin.
        key bytea not null,
        -- What people see.
        address text not null,
        wallet_id uuid not null references wallets (id),
        derivation_index bigint not null check (derivation_index >= 0),
        created_at timestamptz not null,
        -- One key per family and payment; handed out once, watched for ever (api.md H3).
        unique (payment_id, family),
        unique (family, key),
        unique (wallet_id, derivation_index),
        unique (id, payment_id),
        foreign key (payment_id, user_id) references payments (id, user_id)
      );

      create table payment_transfers (
        id uuid primary key,
        payment_id uuid not null,
        user_id text not null,
        deposit_address_id uuid not null,
        chain text not null,
        tx_hash text not null,
        -- Place inside the transaction: 'value', 'call:<trace path>', 'log:<position in its receipt>'.
        ordinal text not null,
        asset text not null,
        currency_code text not null,
        asset_decimals smallint not null check (asset_decimals between 0 and 36),
        amount numeric(78,0) not null check (amount > 0 and amount < 'Infinity'),
        state text not null check (state in ('pending', 'confirmed', 'orphaned', 'replaced', 'dropped')),
        -- Null: seen in the mempool only.
        block_height bigint,
        block_hash text,
        block_time timestamptz,
        -- What the chain demanded when the transfer was first seen.
        confirmations_required integer not null check (confirmations_required >= 1),
        -- The quote that values it. Null: not priced yet, or an asset nobody quoted (is_matched false).
        quote_id uuid,
        is_matched boolean not null,
        is_late boolean not null default false,
        seen_at timestamptz not null,
        confirmed_at timestamptz,
        foreign key (payment_id, user_id) references payments (id, user_id),
        foreign key (deposit_address_id, payment_id) references deposit_addresses (id, payment_id),
        foreign key (quote_id, payment_id) references quotes (id, payment_id),
        check ((block_height is null) = (block_hash is null)),
        check ((block_height is null) = (block_time is null)),
        check (state <> 'confirmed' or block_height is not null),
        check (state not in ('orphaned', 'replaced', 'dropped') or block_height is null)
      );
      -- The identity of a credit (api.md H7): never the block-wide log index.
      create unique index payment_transfers_identity on payment_transfers (chain, tx_hash, ordinal);
      create index payment_transfers_payment on payment_transfers (payment_id, seen_at);
      create index payment_transfers_unconfirmed on payment_transfers (chain, block_height) where state = 'pending';
      create index payment_transfers_block on payment_transfers (chain, block_height) where block_height is not null;

      -- What was announced: one row an event, body bytes fixed at birth (api.md G1).
      create table payment_events (
        id uuid primary key,
        payment_id uuid not null,
        user_id text not null,
        application_id uuid not null,
        -- Number of the status move that caused it, and the order of delivery.
        seq integer not null check (seq >= 1),
        type text not null check (type in
          ('payment.received', 'payment.completed', 'payment.underpaid', 'payment.refund')),
        body text not null,
        created_at timestamptz not null,
        -- Null: the webhooks module has not made its delivery yet.
        dispatched_at timestamptz,
        -- Set when a reorg took back what it says before it was delivered (api.md H).
        superseded_at timestamptz,
        foreign key (payment_id, user_id) references payments (id, user_id),
        foreign key (payment_id, seq) references payment_status_history (payment_id, seq),
        unique (payment_id, seq)
      );
      create index payment_events_undispatched on payment_events (created_at) where dispatched_at is null;
    `);
  }

  /** Forward only: a released gateway never takes money's tables back. */
  async down(): Promise<void> {
    throw new Error('Payments1795224000003 cannot be reverted; restore a backup instead');
  }
}
