import { PAYMENT_STATUSES, TRANSITIONS } from '../src/payments/payment-status.pure.js';
import { AUDIT_REFUSED } from './support/audit-guards.js';
import {
  ACCEPTANCE,
  acceptance,
  copy,
  count,
  DEFAULT_WALLET,
  EVENT,
  FRESH,
  newAddress,
  newHistory,
  newPayment,
  newQuote,
  newTransfer,
  OTHER_APPLICATION,
  OTHER_PAYMENT,
  OTHER_PERSON,
  PAYMENT,
  PERSON,
  SEED,
  STAMPED,
  UNMATCHED,
  USER,
  WALLET,
} from './support/guarded-rows.js';
import { OUTBOX_ALLOWED, OUTBOX_REFUSED } from './support/outbox-guards.js';
import { OPT_IN_ALLOWED, OPT_IN_REFUSED } from './support/opt-in-guards.js';
import { RETURNS_ALLOWED, RETURNS_REFUSED } from './support/returned-transfer-guards.js';
import { ORPHANED, TRANSFERS_REFUSED } from './support/transfer-guards.js';
import { WALLET_CHANGES_ALLOWED, WALLET_CHANGES_REFUSED } from './support/wallet-change-guards.js';
import { describeGuards } from './support/guard-suite.js';

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
  ['metadata that is a text', newPayment({ metadata: 'x' }), 'payments_metadata_check'],
  ['metadata with a number', newPayment({ metadata: { a: 1 } }), 'payments_metadata_check'],
  ['metadata with an object inside', newPayment({ metadata: { a: {} } }), 'payments_metadata_check'],
  [
    'metadata with 51 entries',
    newPayment({ metadata: Object.fromEntries(Array.from({ length: 51 }, (_, i) => [i, ''])) }),
    'payments_metadata_check',
  ],
  ['metadata of 5,000 bytes', newPayment({ metadata: { a: 'x'.repeat(5_000) } }), 'payments_metadata_check'],
  ['changed metadata', `update payments set metadata = '{"a":"b"}'`, 'what was asked is immutable'],
  [
    'a callback URL that is changed',
    `update payments set callback_url = 'https://evil.example'`,
    'what was asked is immutable',
  ],
  ['an endless callback URL', newPayment({ callback_url: 'x'.repeat(2_049) }), 'payments_callback_url_check'],
  ['a test that becomes real money', 'update payments set livemode = true', 'what was asked is immutable'],
  ['a changed currency', `update payments set currency_code = 'EUR'`, 'what was asked is immutable'],
  [
    'a payment moved to another application',
    `update payments set application_id = '${OTHER_APPLICATION}', user_id = 'user-2'`,
    'what was asked is immutable',
  ],
  [
    "a payment for another user's application",
    newPayment({ application_id: OTHER_APPLICATION }),
    'payments_application_id_user_id_fkey',
  ],
  ...(
    [
      ['FOUND', { status: 'FOUND', found_at: '2099-01-01' }],
      ['CANCELLED', { status: 'CANCELLED', cancelled_at: '2099-01-01' }],
      ['ERROR', { status: 'ERROR', error_reason: 'x' }],
      ['in its second status', { status_seq: '2' }],
      ['with money', { received_amount: '1' }],
      ['refunded', { refunded_amount: '1' }],
      ['overpaid', { overpaid_amount: '1' }],
      ['acknowledged', { acknowledged_at: '2099-01-01' }],
    ] as const
  ).map(([what, changes]): [string, string, string] => [
    `a payment that is born ${what}`,
    newPayment(changes),
    'must begin OPEN and without money',
  ]),
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
    `insert into payment_status_history values ('${OTHER_PAYMENT}', '${USER}', 2, 'OPEN', 'CANCELLED', 'x', now());
     update payments set status = 'FOUND', status_seq = 2, found_at = now() where id = '${OTHER_PAYMENT}'`,
    'status without history',
  ],
  [
    'a move in the history of another owner',
    `insert into payment_status_history values ('${OTHER_PAYMENT}', 'user-2', 2, 'OPEN', 'FOUND', 'x', now())`,
    'payment_status_history_payment_id_user_id_fkey',
  ],
  ...(
    [
      ['begins elsewhere', FRESH, `1, null, 'FOUND'`],
      ['begins with a move', FRESH, `1, 'OPEN', 'FOUND'`],
      ['leaves a number out', OTHER_PAYMENT, `3, 'OPEN', 'FOUND'`],
      ['begins twice', OTHER_PAYMENT, `2, null, 'OPEN'`],
      ['goes on from a status that it never had', OTHER_PAYMENT, `2, 'FOUND', 'RECEIVED'`],
      ['makes an illegal move', OTHER_PAYMENT, `2, 'OPEN', 'CONFIRMED'`],
      ['stays where it is', OTHER_PAYMENT, `2, 'OPEN', 'OPEN'`],
    ] as const
  ).map(([what, payment, row]): [string, string, string] => [
    `a history that ${what}`,
    newHistory(payment, row),
    'does not go on from the one before',
  ]),
  ['a new payment without history', newPayment({}), 'status without history'],
  ['two moves with one number', newHistory(PAYMENT, `3, 'FOUND', 'RECEIVED'`), 'payment_status_history_pkey'],
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
  [
    'an address whose number was not taken from its wallet',
    newAddress({ derivation_index: '2' }),
    'its number was not taken from its wallet',
  ],
  ['a counter that goes back', 'update wallets set next_index = 1 where next_index > 1', 'never goes back'],
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
    "an address's MAC outside of the rotation of keys",
    `update deposit_addresses set mac = 'm1.k.y'`,
    'deposit_addresses is append-only',
  ],
  [
    'another address during the rotation of keys',
    `set local gateway.resealing = 'on'; update deposit_addresses set mac = 'm1.k.y', address = '0x02'`,
    'deposit_addresses is append-only',
  ],
  ['an address without a MAC', newAddress({ mac: null }), 'null value in column "mac"'],
  ['an address with no MAC of a known form', newAddress({ mac: 'none' }), 'deposit_addresses_mac_check'],
  ['a deleted wallet', `delete from wallets where id = '${DEFAULT_WALLET}'`, 'never deleted'],
  [
    'a wallet of another owner',
    `update wallets set user_id = 'user-2' where id = '${DEFAULT_WALLET}'`,
    'owner and key are fixed',
  ],
  [
    'another key in a wallet',
    `update wallets set sealed_extended_public_key = 'other' where id = '${WALLET}'`,
    'owner and key are fixed',
  ],
  [
    'a wallet that is retired without its MAC',
    `update wallets set retired_at = now() where id = '${WALLET}'`,
    'its state changes together with its MAC',
  ],
  ['a wallet without a MAC', `update wallets set mac = null`, 'null value in column "mac"'],
  ['a deleted wallet choice', 'delete from wallet_choices', 'wallet_choices is append-only'],
  ...WALLET_CHANGES_REFUSED,
  [
    'two wallet choices of one owner',
    `insert into wallet_choices select r.* from wallet_choices t, jsonb_populate_record(t, '{"id": "${FRESH}"}') r`,
    'wallet_choices_user_id_application_id_key',
  ],
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
    'a second factor that is no longer required',
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
  ...TRANSFERS_REFUSED,
  ...RETURNS_REFUSED,

  ...AUDIT_REFUSED,
  // What was announced.
  ['a rewritten event', `update payment_events set body = '{"x":1}'`, 'what was announced is immutable'],
  ['a deleted event', 'delete from payment_events', 'payment_events is append-only'],
  ...OUTBOX_REFUSED,
  ...OPT_IN_REFUSED,
  ['two events for one move', copy('payment_events', EVENT, {}), 'payment_events_payment_id_seq_key'],
  [
    'an event without a move',
    copy('payment_events', EVENT, { seq: '4' }),
    'payment_events_payment_id_seq_fkey',
  ],
];

/** Changes that the same tables must still allow. */
const ALLOWED: [what: string, statement: string][] = [
  ...RETURNS_ALLOWED,
  ['a transfer that loses its block', `update payment_transfers set ${ORPHANED}`],
  [
    'a position that another transfer has left',
    `update payment_transfers set ordinal = ordinal || '~' || id, ${ORPHANED};
     ${newTransfer({ tx_hash: '0xaa', ordinal: 'value', amount: '6', state: 'pending' })}`,
  ],
  ['a transfer of the largest amount', newTransfer({ amount: '9'.repeat(78) })],
  ['the same transaction with another ordinal', newTransfer({ tx_hash: '0xaa', ordinal: 'log:0' })],
  ['an accepted transfer', `${UNMATCHED}; ${acceptance(FRESH)}; ${count(FRESH, ACCEPTANCE)}`],
  [
    'an act, whatever number and hash it claims',
    `insert into audit_log (seq, at, actor_kind, act, details, previous_hash, hash)
     values (99, now(), 'system', 'x.y', '{}', sha256('a'), sha256('b'))`,
  ],
  ...OPT_IN_ALLOWED,
  ['an event that was dispatched', 'update payment_events set dispatched_at = now()'],
  ...OUTBOX_ALLOWED,
  ['a received amount', 'update payments set received_amount = 100'],
  [
    'a wallet that replaces a retired one',
    `update wallets set retired_at = now(), mac = 'm1.k.y' where id = '${WALLET}';
     ${copy('wallets', WALLET, { key_hash: `\\x${'02'.repeat(32)}` })}`,
  ],
  ...WALLET_CHANGES_ALLOWED,
  [
    'the MAC of an address under another key',
    `set local gateway.resealing = 'on'; update deposit_addresses set mac = 'm1.k.y'`,
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
     insert into payment_status_history values ('${OTHER_PAYMENT}', '${USER}', 2, 'OPEN', 'FOUND', 'transfer_seen', now())`,
  ],
  [
    'several rows of a history at once, in any order',
    `insert into payment_status_history values ('${OTHER_PAYMENT}', '${USER}', 3, 'FOUND', 'OPEN', 'transfer_gone', now()),
       ('${OTHER_PAYMENT}', '${USER}', 2, 'OPEN', 'FOUND', 'transfer_seen', now());
     update payments set status = 'FOUND', status_seq = 2, found_at = now() where id = '${OTHER_PAYMENT}';
     update payments set status = 'OPEN', status_seq = 3 where id = '${OTHER_PAYMENT}'`,
  ],
];

describeGuards({ seed: SEED, refused: REFUSED, allowed: ALLOWED }, (client) => {
  it.each(PAYMENT_STATUSES)(
    'the database allows exactly the transitions out of %s that the state machine has',
    async (from) => {
      const possible: string[] = [];
      for (const to of PAYMENT_STATUSES.filter((status) => status !== from)) {
        await client().query('savepoint move');
        await client().query('alter table payments disable trigger payments_born_open');
        await client().query(
          newPayment({
            status: from,
            ...STAMPED,
          }),
        );
        const move = client().query(`update payments set status = $1, status_seq = 2 where id = '${FRESH}'`, [
          to,
        ]);
        await move.then(
          () => possible.push(to),
          (refusal: Error) => expect(refusal.message).toContain(`illegal move ${from} to ${to}`),
        );
        await client().query('rollback to savepoint move');
      }
      expect(possible.sort()).toEqual([...TRANSITIONS[from]].sort());
    },
  );
});
