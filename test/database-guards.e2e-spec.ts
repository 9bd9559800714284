import pg from 'pg';
import { PAYMENT_STATUSES, TRANSITIONS } from '../src/payments/payment-status.js';
import { createTestDatabase } from './support/test-gateway.js';

/**
 * A bug in TypeScript must become an error, not lost money: these are the promises that Postgres itself
 * keeps. No gateway runs here; every statement is what a wrong program might send.
 */
const USER = 'user-1';
const APPLICATION = '00000000-0000-7000-8000-0000000000a1';
const OTHER_APPLICATION = '00000000-0000-7000-8000-0000000000a2';
const WALLET = '00000000-0000-7000-8000-0000000000b1';
const PAYMENT = '00000000-0000-7000-8000-0000000000c1';
const OTHER_PAYMENT = '00000000-0000-7000-8000-0000000000c2';
const QUOTE = '00000000-0000-7000-8000-0000000000d1';
const ADDRESS = '00000000-0000-7000-8000-0000000000e1';
const TRANSFER = '00000000-0000-7000-8000-0000000000f1';
const EVENT = '00000000-0000-7000-8000-000000000091';
const FRESH = '00000000-0000-7000-8000-000000000099';

const PERSON = '00000000-0000-7000-8000-000000000071';
const OTHER_PERSON = '00000000-0000-7000-8000-000000000072';
const DEFAULT_WALLET = '00000000-0000-7000-8000-0000000000b2';

/** One payment that was paid and announced, and a second one that is untouched. */
const SEED = `
  insert into payment_applications (id, user_id, name, client_id, sealed_secret, created_at) values
    ('${APPLICATION}', '${USER}', 'Shop', repeat('a', 32), 'sealed', now()),
    ('${OTHER_APPLICATION}', 'user-2', 'Other', repeat('b', 32), 'sealed', now());
  insert into wallets (id, application_id, user_id, family, sealed_extended_public_key, masked_key, fingerprint, key_hash, created_at)
    values ('${WALLET}', '${APPLICATION}', '${USER}', 'evm', 'sealed', 'xpub…', '00000000', sha256('key'), now());
  insert into wallets (id, user_id, family, sealed_extended_public_key, masked_key, fingerprint, key_hash, created_at)
    values ('${DEFAULT_WALLET}', '${USER}', 'evm', 'sealed', 'xpub…', '00000000', sha256('default key'), now());
  insert into users (id, email, password_hash) values ('${PERSON}', 'a@example.test', 'x'), ('${OTHER_PERSON}', 'b@example.test', 'x');
  insert into second_factors (user_id, sealed_secret, created_at, confirmed_at, last_step)
    values ('${PERSON}', 'sealed', now(), now(), 100), ('${OTHER_PERSON}', 'sealed', now(), null, null);
  insert into recovery_codes (user_id, slot, code_hash, created_at)
    values ('${PERSON}', 1, sha256('used'), now()), ('${PERSON}', 2, sha256('fresh'), now());
  update recovery_codes set used_at = now() where slot = 1;
  insert into payments (id, user_id, application_id, status, status_seq, reference, reference_label, currency_code, settlement_currency_code, amount, expires_at, created_at, found_at)
    values ('${PAYMENT}', '${USER}', '${APPLICATION}', 'RECEIVED', 3, 'R', 'L', 'USD', 'USD', 100, now(), now(), now()),
           ('${OTHER_PAYMENT}', '${USER}', '${APPLICATION}', 'OPEN', 1, 'R', 'L', 'USD', 'USD', 100, now(), now(), null);
  insert into payment_status_history (payment_id, seq, from_status, to_status, reason, created_at) values
    ('${PAYMENT}', 1, null, 'OPEN', 'created', now()), ('${PAYMENT}', 2, 'OPEN', 'FOUND', 'transfer_seen', now()),
    ('${PAYMENT}', 3, 'FOUND', 'RECEIVED', 'paid_in_full', now()), ('${OTHER_PAYMENT}', 1, null, 'OPEN', 'created', now());
  insert into quotes (id, payment_id, user_id, chain, asset, currency_code, asset_decimals, priced_amount, asset_amount, rate, rate_source, rate_inputs, locked_at, expires_at)
    values ('${QUOTE}', '${PAYMENT}', '${USER}', 'ethereum', 'native', 'ETH', 18, 100, 5, '20', 'kraken', '[]', now(), now());
  insert into deposit_addresses (id, payment_id, user_id, family, key, address, wallet_id, derivation_index, created_at)
    values ('${ADDRESS}', '${PAYMENT}', '${USER}', 'evm', '\\x01', '0x01', '${WALLET}', 0, now());
  insert into payment_transfers (id, payment_id, user_id, deposit_address_id, chain, tx_hash, ordinal, asset, currency_code, asset_decimals, amount, state, block_height, block_hash, block_time, confirmations_required, quote_id, is_matched, seen_at)
    values ('${TRANSFER}', '${PAYMENT}', '${USER}', '${ADDRESS}', 'ethereum', '0xaa', 'value', 'native', 'ETH', 18, 5, 'confirmed', 1, '0xbb', now(), 12, '${QUOTE}', true, now());
  insert into payment_events (id, payment_id, user_id, application_id, seq, type, body, created_at)
    values ('${EVENT}', '${PAYMENT}', '${USER}', '${APPLICATION}', 3, 'payment.received', '{}', now());`;

/** `insert into <table>` of a copy of a seeded row with some columns changed. */
function copy(table: string, id: string, changes: Record<string, string>): string {
  return `insert into ${table} select r.* from ${table} t, jsonb_populate_record(t, '${JSON.stringify({ id: FRESH, ...changes })}') r where t.id = '${id}'`;
}

const newPayment = (changes: Record<string, string>): string => copy('payments', OTHER_PAYMENT, changes);
const newTransfer = (changes: Record<string, string>): string =>
  copy('payment_transfers', TRANSFER, { tx_hash: '0xcc', ...changes });
const newQuote = (changes: Record<string, string>): string => copy('quotes', QUOTE, changes);
const newAddress = (changes: Record<string, string>): string =>
  copy('deposit_addresses', ADDRESS, {
    payment_id: OTHER_PAYMENT,
    key: '\\x02',
    derivation_index: '1',
    ...changes,
  });

/** What is refused, the statement that tries it, and the guard that must be the one to speak. */
const REFUSED: [what: string, statement: string, guard: string][] = [
  // What was asked.
  ...['0', '-1', 'NaN', 'Infinity', '-Infinity'].map((amount): [string, string, string] => [
    `a payment of ${amount}`,
    newPayment({ amount }),
    amount.endsWith('Infinity') ? 'numeric field overflow' : 'payments_amount_check',
  ]),
  ['a payment of 10^78', newPayment({ amount: `1${'0'.repeat(78)}` }), 'numeric field overflow'],
  [
    'a received amount of NaN',
    `update payments set received_amount = 'NaN'`,
    'payments_received_amount_check',
  ],
  [
    'a negative received amount',
    'update payments set received_amount = -1',
    'payments_received_amount_check',
  ],
  ['an overpaid amount of zero', 'update payments set overpaid_amount = 0', 'payments_overpaid_amount_check'],
  ['a settled amount of NaN', `update payments set settled_amount = 'NaN'`, 'payments_settled_amount_check'],
  ['REFUND where nothing was refunded', newPayment({ status: 'REFUND' }), 'payments_refund_check'],
  ['a changed amount', 'update payments set amount = 99', 'what was asked is immutable'],
  ['a changed currency', `update payments set currency_code = 'EUR'`, 'what was asked is immutable'],
  [
    'a payment moved to another application',
    `update payments set application_id = '${OTHER_APPLICATION}', user_id = 'user-2'`,
    'what was asked is immutable',
  ],
  [
    'a payment for an application of somebody else',
    newPayment({ application_id: OTHER_APPLICATION }),
    'payments_application_id_user_id_fkey',
  ],
  ['a deleted payment', `delete from payments where id = '${OTHER_PAYMENT}'`, 'payments is append-only'],

  // Its status.
  ['a status outside the list', newPayment({ status: 'PAID' }), 'payments_status_check'],
  [
    'CONFIRMED without its time',
    `update payments set status = 'CONFIRMED', status_seq = 4 where id = '${PAYMENT}'`,
    'payments_check',
  ],
  [
    'a move that skips a number',
    `update payments set status = 'CONFIRMED', status_seq = 5, confirmed_at = now() where id = '${PAYMENT}'`,
    'status_seq must grow by one',
  ],
  [
    'a number that grows without a move',
    'update payments set status_seq = status_seq + 1',
    'status_seq moves with the status only',
  ],
  [
    'a move without history',
    `update payments set status = 'FOUND', status_seq = 2, found_at = now() where id = '${OTHER_PAYMENT}'`,
    'status without history',
  ],
  [
    'a move whose history says something else',
    `insert into payment_status_history values ('${OTHER_PAYMENT}', 2, 'OPEN', 'CANCELLED', 'x', now());
     update payments set status = 'FOUND', status_seq = 2, found_at = now() where id = '${OTHER_PAYMENT}'`,
    'status without history',
  ],
  ['a new payment without history', newPayment({}), 'status without history'],
  [
    'two moves with one number',
    `insert into payment_status_history values ('${PAYMENT}', 3, 'FOUND', 'RECEIVED', 'x', now())`,
    'payment_status_history_pkey',
  ],
  [
    'rewritten history',
    `update payment_status_history set reason = 'x'`,
    'payment_status_history is append-only',
  ],
  ['deleted history', 'delete from payment_status_history', 'payment_status_history is append-only'],

  // Quotes and addresses.
  ['a quote of zero coins', newQuote({ asset_amount: '0' }), 'quotes_asset_amount_check'],
  ['a quote of NaN coins', newQuote({ asset_amount: 'NaN' }), 'quotes_asset_amount_check'],
  ['a quote for no amount', newQuote({ priced_amount: '-1' }), 'quotes_priced_amount_check'],
  ['a changed rate', `update quotes set rate = '1'`, 'quotes is append-only'],
  ['a deleted quote', 'delete from quotes', 'quotes is append-only'],
  ['an address handed out twice', newAddress({ key: '\\x01' }), 'deposit_addresses_family_key_key'],
  [
    'an index of a wallet handed out twice',
    newAddress({ derivation_index: '0' }),
    'deposit_addresses_wallet_id_derivation_index_key',
  ],
  [
    'a second address of one family for a payment',
    newAddress({ payment_id: PAYMENT }),
    'deposit_addresses_payment_id_family_key',
  ],
  [
    'an address that moves to another payment',
    `update deposit_addresses set payment_id = '${OTHER_PAYMENT}'`,
    'deposit_addresses is append-only',
  ],
  ['a forgotten address', 'delete from deposit_addresses', 'deposit_addresses is append-only'],
  [
    'one extended key in two wallets',
    copy('wallets', WALLET, { retired_at: '2026-01-01' }),
    'wallets_key_hash_key',
  ],
  [
    'two active wallets of one family',
    copy('wallets', WALLET, { key_hash: `\\x${'02'.repeat(32)}` }),
    'wallets_active',
  ],

  [
    'two active default wallets of a user and family',
    copy('wallets', DEFAULT_WALLET, { key_hash: `\\x${'02'.repeat(32)}` }),
    'wallets_active',
  ],
  [
    'a wallet of an application without its user',
    `insert into wallets select r.* from wallets t, jsonb_populate_record(t,
       '{"id": "${FRESH}", "user_id": null, "family": "bitcoin", "key_hash": "\\\\x${'02'.repeat(32)}"}') r
     where t.id = '${WALLET}'`,
    'wallets_check',
  ],

  // How people sign in.
  ['one address for two users', `update users set email = 'b@example.test'`, 'users_email_key'],
  ['an address in capitals', `update users set email = 'A@example.test'`, 'users_email_check'],
  ['an empty name', `update users set name = ''`, 'users_name_check'],
  [
    'a code of a step that was used',
    `update second_factors set last_step = 100 where user_id = '${PERSON}'`,
    'a code counts once',
  ],
  [
    'a code of an older step',
    `update second_factors set last_step = 99 where user_id = '${PERSON}'`,
    'a code counts once',
  ],
  [
    'a second factor in force without a first code',
    `update second_factors set confirmed_at = now() where user_id = '${OTHER_PERSON}'`,
    'second_factors_check',
  ],
  [
    'another secret behind the same codes',
    `update second_factors set sealed_secret = 'other' where user_id = '${PERSON}'`,
    'fixed once confirmed',
  ],
  [
    'a second factor that is asked for no more',
    `update second_factors set confirmed_at = null, last_step = null where user_id = '${PERSON}'`,
    'fixed once confirmed',
  ],
  ['a recovery code used twice', 'update recovery_codes set used_at = now() where slot = 1', 'used once'],
  ['a recovery code made good again', 'update recovery_codes set used_at = null', 'used once'],
  [
    'another recovery code in its place',
    `update recovery_codes set code_hash = sha256('x') where slot = 2`,
    'otherwise fixed',
  ],
  [
    'an eleventh recovery code',
    `insert into recovery_codes values ('${PERSON}', 11, sha256('x'), now())`,
    'recovery_codes_slot_check',
  ],
  [
    'one recovery code twice in a set',
    `insert into recovery_codes values ('${PERSON}', 3, sha256('fresh'), now())`,
    'recovery_codes_user_id_code_hash_key',
  ],
  [
    'recovery codes before there is anything to recover',
    `insert into recovery_codes values ('${OTHER_PERSON}', 1, sha256('x'), now())`,
    'of a confirmed second factor',
  ],

  // What was observed.
  ['one transfer credited twice', newTransfer({ tx_hash: '0xaa' }), 'payment_transfers_identity'],
  ['a transfer of NaN', newTransfer({ amount: 'NaN' }), 'payment_transfers_amount_check'],
  ['a transfer of nothing', newTransfer({ amount: '0' }), 'payment_transfers_amount_check'],
  ['a negative transfer', newTransfer({ amount: '-5' }), 'payment_transfers_amount_check'],
  [
    'a confirmed transfer outside every block',
    'update payment_transfers set block_height = null, block_hash = null, block_time = null',
    'payment_transfers_check2',
  ],
  [
    'an orphaned transfer inside a block',
    `update payment_transfers set state = 'orphaned'`,
    'payment_transfers_check3',
  ],
  [
    "a transfer to somebody else's address",
    newTransfer({ payment_id: OTHER_PAYMENT }),
    'payment_transfers_deposit_address_id_payment_id_fkey',
  ],
  ['a changed transfer', 'update payment_transfers set amount = 6', 'facts are immutable'],
  ['a renamed transfer', `update payment_transfers set tx_hash = '0xcc'`, 'facts are immutable'],
  [
    'a transfer whose transaction spends something else now',
    `update payment_transfers set inputs = array['${'0'.repeat(64)}:0']`,
    'facts are immutable',
  ],
  [
    'a transfer whose transaction spends nothing',
    newTransfer({ inputs: '{}' }),
    'payment_transfers_inputs_check',
  ],
  ['a transfer valued anew', 'update payment_transfers set quote_id = null', 'its quote is fixed'],
  ['a deleted transfer', 'delete from payment_transfers', 'payment_transfers is append-only'],

  // What was announced.
  ['a rewritten event', `update payment_events set body = '{"x":1}'`, 'what was announced is immutable'],
  ['a deleted event', 'delete from payment_events', 'payment_events is append-only'],
  ['two events for one move', copy('payment_events', EVENT, {}), 'payment_events_payment_id_seq_key'],
  [
    'an event without a move',
    copy('payment_events', EVENT, { seq: '4' }),
    'payment_events_payment_id_seq_fkey',
  ],
];

/** Changes that the same tables must still allow. */
const ALLOWED: [what: string, statement: string][] = [
  [
    'a transfer that loses its block',
    `update payment_transfers set state = 'orphaned', block_height = null, block_hash = null, block_time = null`,
  ],
  ['a transfer of the largest amount', newTransfer({ amount: '9'.repeat(78) })],
  ['the same transaction with another ordinal', newTransfer({ tx_hash: '0xaa', ordinal: 'log:0' })],
  ['an event that was dispatched', 'update payment_events set dispatched_at = now()'],
  ['a received amount', 'update payments set received_amount = 100'],
  [
    'a wallet that replaces a retired one',
    `update wallets set retired_at = now() where id = '${WALLET}';
     ${copy('wallets', WALLET, { key_hash: `\\x${'02'.repeat(32)}` })}`,
  ],
  ['a code of the next step', `update second_factors set last_step = 101 where user_id = '${PERSON}'`],
  ['a recovery code used', 'update recovery_codes set used_at = now() where slot = 2'],
  ['a second factor given up, codes and all', `delete from second_factors where user_id = '${PERSON}'`],
  [
    'another secret before the first code',
    `update second_factors set sealed_secret = 'other' where user_id = '${OTHER_PERSON}'`,
  ],
  [
    'a move with its history',
    `update payments set status = 'FOUND', status_seq = 2, found_at = now() where id = '${OTHER_PAYMENT}';
     insert into payment_status_history values ('${OTHER_PAYMENT}', 2, 'OPEN', 'FOUND', 'transfer_seen', now())`,
  ],
];

describe('Postgres itself', () => {
  let client: pg.Client;

  beforeAll(async () => {
    client = new pg.Client({ connectionString: await createTestDatabase() });
    await client.connect();
    await client.query(`begin; ${SEED}; commit`);
  });
  afterAll(() => client.end());
  beforeEach(() => client.query('begin'));
  afterEach(() => client.query('rollback'));

  /** Runs statements to the point of commit: deferred guards speak too. */
  async function attempt(statement: string): Promise<void> {
    await client.query(statement);
    await client.query('set constraints all immediate');
  }

  it.each(REFUSED)('refuses %s', async (_what, statement, guard) => {
    const error: unknown = await attempt(statement).then(
      () => null,
      (refusal: unknown) => refusal,
    );
    if (!(error instanceof pg.DatabaseError)) throw new Error(`not refused: ${String(error)}`);
    expect([error.constraint, error.message].join(' ')).toContain(guard);
  });

  it.each(ALLOWED)('allows %s', async (_what, statement) => {
    await attempt(statement);
  });

  it.each(PAYMENT_STATUSES)(
    'allows the moves out of %s that the state machine knows, and no other',
    async (from) => {
      const possible: string[] = [];
      for (const to of PAYMENT_STATUSES.filter((status) => status !== from)) {
        await client.query('savepoint move');
        await client.query(
          newPayment({
            status: from,
            created_at: '2026-01-01',
            found_at: '2026-01-02',
            confirmed_at: '2026-01-03',
            cancelled_at: '2026-01-03',
            error_reason: 'x',
            refunded_amount: '1',
          }),
        );
        const move = client.query('update payments set status = $1, status_seq = 2 where id = $2', [
          to,
          FRESH,
        ]);
        await move.then(
          () => possible.push(to),
          (refusal: Error) => expect(refusal.message).toContain(`illegal move ${from} to ${to}`),
        );
        await client.query('rollback to savepoint move');
      }
      expect(possible.sort()).toEqual([...TRANSITIONS[from]].sort());
    },
  );
});
