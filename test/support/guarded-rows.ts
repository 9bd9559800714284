/** Rows for tests of what Postgres refuses by itself, and statements that make more of them. */

export const USER = 'user-1';
const APPLICATION = '00000000-0000-7000-8000-0000000000a1';
export const OTHER_APPLICATION = '00000000-0000-7000-8000-0000000000a2';
export const WALLET = '00000000-0000-7000-8000-0000000000b1';
export const PAYMENT = '00000000-0000-7000-8000-0000000000c1';
export const OTHER_PAYMENT = '00000000-0000-7000-8000-0000000000c2';
export const QUOTE = '00000000-0000-7000-8000-0000000000d1';
const ADDRESS = '00000000-0000-7000-8000-0000000000e1';
export const TRANSFER = '00000000-0000-7000-8000-0000000000f1';
export const EVENT = '00000000-0000-7000-8000-000000000091';
export const FRESH = '00000000-0000-7000-8000-000000000099';

export const PERSON = '00000000-0000-7000-8000-000000000071';
export const OTHER_PERSON = '00000000-0000-7000-8000-000000000072';
export const CHOICE = '00000000-0000-7000-8000-0000000000b3';
export const APPLICATION_EVENT = '00000000-0000-7000-8000-000000000093';
export const TEST_EVENT = '00000000-0000-7000-8000-000000000094';
export const CHANGE = '00000000-0000-7000-8000-0000000000b4';
export const DEFAULT_WALLET = '00000000-0000-7000-8000-0000000000b2';

/** One payment that was paid and announced, and a second one that is untouched. */
export const SEED = `
  insert into payment_applications (id, user_id, name, client_id, sealed_secret, created_at) values
    ('${APPLICATION}', '${USER}', 'Shop', repeat('a', 32), 'sealed', now()),
    ('${OTHER_APPLICATION}', 'user-2', 'Other', repeat('b', 32), 'sealed', now());
  insert into wallets (id, application_id, user_id, family, sealed_extended_public_key, masked_key, fingerprint, key_hash, next_index, created_at, mac)
    values ('${WALLET}', '${APPLICATION}', '${USER}', 'evm', 'sealed', 'xpub…', '00000000', sha256('key'), 2, now(), 'm1.k.x');
  insert into wallets (id, user_id, family, sealed_extended_public_key, masked_key, fingerprint, key_hash, created_at, mac)
    values ('${DEFAULT_WALLET}', '${USER}', 'evm', 'sealed', 'xpub…', '00000000', sha256('default key'), now(), 'm1.k.x');
  insert into wallet_choices (id, user_id, application_id, wallets, mac) values
    ('${CHOICE}', '${USER}', '${APPLICATION}', '{"evm": "${WALLET}"}', 'm1.k.x');
  insert into wallet_changes (id, user_id, application_id, family, sealed_key, masked_key, fingerprint, changed_by, requested_at, effective_at, mac)
    values ('${CHANGE}', '${USER}', '${APPLICATION}', 'evm', 'sealed', 'xpub…', '00000001', 'user', now() - interval '1 hour', now(), 'm1.k.x');
  insert into users (id, email, password_hash, password_key)
    values ('${PERSON}', 'a@example.test', 'x', 't1'), ('${OTHER_PERSON}', 'b@example.test', 'x', 't1');
  insert into second_factors (user_id, sealed_secret, created_at, confirmed_at, last_step)
    values ('${PERSON}', 'sealed', now(), now(), 100), ('${OTHER_PERSON}', 'sealed', now(), null, null);
  insert into recovery_codes (user_id, slot, code_hash, created_at)
    values ('${PERSON}', 1, sha256('used'), now()), ('${PERSON}', 2, sha256('fresh'), now());
  update recovery_codes set used_at = now() where slot = 1;
  insert into payments (id, user_id, application_id, reference, reference_label, currency_code, settlement_currency_code, amount, expires_at, created_at)
    values ('${PAYMENT}', '${USER}', '${APPLICATION}', 'R', 'L', 'USD', 'USD', 100, now(), now()),
           ('${OTHER_PAYMENT}', '${USER}', '${APPLICATION}', 'R', 'L', 'USD', 'USD', 100, now(), now());
  update payments set status = 'FOUND', status_seq = 2, found_at = now() where id = '${PAYMENT}';
  update payments set status = 'RECEIVED', status_seq = 3 where id = '${PAYMENT}';
  insert into payment_status_history (payment_id, user_id, seq, from_status, to_status, reason, created_at) values
    ('${PAYMENT}', '${USER}', 1, null, 'OPEN', 'created', now()), ('${PAYMENT}', '${USER}', 2, 'OPEN', 'FOUND', 'transfer_seen', now()),
    ('${PAYMENT}', '${USER}', 3, 'FOUND', 'RECEIVED', 'paid_in_full', now()), ('${OTHER_PAYMENT}', '${USER}', 1, null, 'OPEN', 'created', now());
  insert into quotes (id, payment_id, user_id, chain, asset, currency_code, asset_decimals, priced_amount, asset_amount, rate, rate_source, rate_inputs, locked_at, expires_at)
    values ('${QUOTE}', '${PAYMENT}', '${USER}', 'ethereum', 'native', 'ETH', 18, 100, 5, '20', 'kraken', '[]', now(), now());
  insert into deposit_addresses (id, payment_id, user_id, family, key, address, wallet_id, derivation_index, created_at, mac)
    values ('${ADDRESS}', '${PAYMENT}', '${USER}', 'evm', '\\x01', '0x01', '${WALLET}', 0, now(), 'm1.k.x');
  insert into payment_transfers (id, payment_id, user_id, deposit_address_id, chain, tx_hash, ordinal, asset, currency_code, asset_decimals, amount, state, block_height, block_hash, block_time, confirmations_required, quote_id, is_matched, seen_at)
    values ('${TRANSFER}', '${PAYMENT}', '${USER}', '${ADDRESS}', 'ethereum', '0xaa', 'value', 'native', 'ETH', 18, 5, 'confirmed', 1, '0xbb', now(), 12, '${QUOTE}', true, now());
  insert into payment_events (id, payment_id, user_id, application_id, seq, type, body, created_at)
    values ('${EVENT}', '${PAYMENT}', '${USER}', '${APPLICATION}', 3, 'payment.received', '{}', now());
  insert into payment_events (id, user_id, application_id, type, body, created_at)
    values ('${APPLICATION_EVENT}', '${USER}', '${APPLICATION}', 'wallet.changed', '{}', now());
  insert into payment_events (id, user_id, application_id, type, body, created_at, test_payment_id)
    values ('${TEST_EVENT}', '${USER}', '${APPLICATION}', 'payment.received', '{"test":true}', now(), '${TEST_EVENT}');
  insert into webhook_deliveries (id, event_id, user_id, application_id, type, created_at, next_attempt_at, test_payment_id)
    values ('${TEST_EVENT}', '${TEST_EVENT}', '${USER}', '${APPLICATION}', 'payment.received', now(), '-infinity', '${TEST_EVENT}');`;

type Changes = Record<string, string | object | null>;

/** `insert into <table>` of a copy of a seeded row with some columns changed. */
export function copy(table: string, id: string, changes: Changes): string {
  return `insert into ${table} select r.* from ${table} t, jsonb_populate_record(t, '${JSON.stringify({ id: FRESH, ...changes })}') r where t.id = '${id}'`;
}

export const newPayment = (changes: Changes): string => copy('payments', OTHER_PAYMENT, changes);
/** One row of a history: its number, the status before and after. A payment that is not there is made before it. */
export const newHistory = (payment: string, row: string): string =>
  `${payment === FRESH ? `${newPayment({})};` : ''}
   insert into payment_status_history values ('${payment}', '${USER}', ${row}, 'x', now())`;
export const newTransfer = (changes: Changes): string =>
  copy('payment_transfers', TRANSFER, { tx_hash: '0xcc', ...changes });
export const newQuote = (changes: Changes): string => copy('quotes', QUOTE, changes);
export const newAddress = (changes: Changes): string =>
  copy('deposit_addresses', ADDRESS, {
    payment_id: OTHER_PAYMENT,
    key: '\\x02',
    derivation_index: '1',
    ...changes,
  });

/** Unmatched funds, as the transfer `FRESH`. */
export const UNMATCHED = newTransfer({ is_matched: 'false', quote_id: null });
export const ACCEPTANCE = '00000000-0000-7000-8000-0000000000d2';
/** A quote that accepts a transfer, and makes it count. */
export const acceptance = (transferId: string, changes: Changes = {}): string =>
  newQuote({ id: ACCEPTANCE, accepted_transfer_id: transferId, accepted_by: USER, ...changes });
export const count = (transferId: string, quoteId: string): string =>
  `update payment_transfers set is_matched = true, quote_id = '${quoteId}' where id = '${transferId}'`;

/** What any status asks for. */
export const STAMPED = {
  created_at: '2026-01-01',
  found_at: '2026-01-02',
  confirmed_at: '2026-01-03',
  cancelled_at: '2026-01-03',
  error_reason: 'x',
  refunded_amount: '1',
};
