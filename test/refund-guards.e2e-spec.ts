import { REFUND_STATUSES, REFUND_TRANSITIONS } from '../src/refunds/refund-status.pure.js';
import { describeGuards } from './support/guard-suite.js';

/** The guards of refunds in Postgres, tried with statements that a faulty program might send. */
const USER = 'user-1';
const APPLICATION = '00000000-0000-7000-8000-0000000000a1';
const PAYMENT = '00000000-0000-7000-8000-0000000000c1';
const OTHER_PAYMENT = '00000000-0000-7000-8000-0000000000c2';
const REFUND = '00000000-0000-7000-8000-000000000081';
const PAID_REFUND = '00000000-0000-7000-8000-000000000082';
const FRESH = '00000000-0000-7000-8000-000000000099';

/** A payment that received 100, of which 20 were refunded and 40 are promised, and one that received nothing. */
const SEED = `
  insert into payment_applications (id, user_id, name, client_id, sealed_secret, created_at)
    values ('${APPLICATION}', '${USER}', 'Shop', repeat('a', 32), 'sealed', now());
  insert into payments (id, user_id, application_id, reference, reference_label, currency_code, settlement_currency_code, amount, expires_at, created_at)
    values ('${PAYMENT}', '${USER}', '${APPLICATION}', 'R', 'L', 'USD', 'USD', 100, now(), now()),
           ('${OTHER_PAYMENT}', '${USER}', '${APPLICATION}', 'R', 'L', 'USD', 'USD', 100, now(), now());
  update payments set status = 'FOUND', status_seq = 2, found_at = now() where id = '${PAYMENT}';
  update payments set status = 'RECEIVED', status_seq = 3 where id = '${PAYMENT}';
  insert into payment_status_history (payment_id, user_id, seq, from_status, to_status, reason, created_at) values
    ('${PAYMENT}', '${USER}', 1, null, 'OPEN', 'created', now()), ('${PAYMENT}', '${USER}', 2, 'OPEN', 'FOUND', 'transfer_seen', now()),
    ('${PAYMENT}', '${USER}', 3, 'FOUND', 'RECEIVED', 'paid_in_full', now()), ('${OTHER_PAYMENT}', '${USER}', 1, null, 'OPEN', 'created', now());
  update payments set received_amount = 100, refunded_amount = 20 where id = '${PAYMENT}';
  insert into refunds (id, payment_id, user_id, type, status, amount, chain, asset, payout_currency_code, payout_decimals, payout_amount, confirmations_required, address, address_key, address_set_by, requested_by, created_at, expires_at)
    values ('${REFUND}', '${PAYMENT}', '${USER}', 'PARTIAL', 'AWAITING_PAYMENT', 40, 'ethereum', 'native', 'ETH', 18, 2, 12, '0x01', '\\x01', 'customer', '${USER}', now(), now() + interval '30 days'),
           ('${PAID_REFUND}', '${PAYMENT}', '${USER}', 'PARTIAL', 'AWAITING_PAYMENT', 20, 'ethereum', 'native', 'ETH', 18, 1, 12, '0x01', '\\x01', 'customer', '${USER}', now(), now() + interval '30 days');
  update refunds set status = 'PROCESSING', status_seq = 2, tx_hash = '0xdd', tx_recorded_at = now(), next_check_at = now() where id = '${PAID_REFUND}';
  update refunds set status = 'COMPLETED', status_seq = 3, next_check_at = null, completed_at = now() where id = '${PAID_REFUND}';
  insert into refund_history (refund_id, user_id, seq, from_status, to_status, reason, address, tx_hash, created_at) values
    ('${REFUND}', '${USER}', 1, null, 'AWAITING_PAYMENT', 'created', '0x01', null, now()),
    ('${PAID_REFUND}', '${USER}', 1, null, 'AWAITING_PAYMENT', 'created', '0x01', null, now()),
    ('${PAID_REFUND}', '${USER}', 2, 'AWAITING_PAYMENT', 'PROCESSING', 'transaction_recorded', '0x01', '0xdd', now()),
    ('${PAID_REFUND}', '${USER}', 3, 'PROCESSING', 'COMPLETED', 'payout_confirmed', '0x01', '0xdd', now());`;

/** `insert into <table>` of a copy of a seeded row with some columns changed. */
function copy(table: string, id: string, changes: Record<string, string>): string {
  return `insert into ${table} select r.* from ${table} t, jsonb_populate_record(t, '${JSON.stringify({ id: FRESH, ...changes })}') r where t.id = '${id}'`;
}

const newRefund = (changes: Record<string, string>): string => copy('refunds', REFUND, changes);
const setRefund = (set: string, id = REFUND): string => `update refunds set ${set} where id = '${id}'`;
const processing = (hash: string): string =>
  setRefund(
    `status = 'PROCESSING', status_seq = 2, tx_hash = '${hash}', tx_recorded_at = now(), next_check_at = now()`,
  );

/** @param credited what its transaction has paid */
const completed = (credited: string): string =>
  setRefund(
    `status = 'COMPLETED', status_seq = 3, next_check_at = null, completed_at = now(), tx_credited = ${credited}`,
  );

/** The refused change, its statement, and the guard that must refuse it. */
const REFUSED: [what: string, statement: string, guard: string][] = [
  // The refunded amount.
  ...['0', '-1', 'NaN', 'Infinity'].map((amount): [string, string, string] => [
    `a refund of ${amount}`,
    newRefund({ amount }),
    amount === 'Infinity'
      ? 'numeric field overflow'
      : amount === 'NaN'
        ? 'refunds exceed'
        : 'refunds_amount_check',
  ]),
  ['a payout of nothing', newRefund({ payout_amount: '0' }), 'refunds_payout_amount_check'],
  ['refunds above what was received', newRefund({ amount: '41' }), 'refunds exceed what was received'],
  [
    'a refund of a payment that received nothing',
    newRefund({ payment_id: OTHER_PAYMENT, amount: '1' }),
    'refunds exceed what was received',
  ],
  ["a refund of another user's payment", newRefund({ user_id: 'user-2' }), 'refunds_payment_id_user_id_fkey'],
  [
    'a refund that is born completed',
    newRefund({
      status: 'COMPLETED',
      tx_hash: '0xee',
      tx_recorded_at: '2026-01-01',
      completed_at: '2026-01-01',
    }),
    'illegal first status COMPLETED',
  ],
  ['a refund without history', newRefund({ amount: '1' }), 'change without history'],
  [
    'a refund that awaits payment without an address',
    setRefund('address = null, address_key = null, address_set_by = null, status_seq = 2'),
    'refunds_address_check',
  ],
  [
    'a processing refund without transaction',
    setRefund(`status = 'PROCESSING', status_seq = 2, next_check_at = now()`),
    'refunds_transaction_check',
  ],
  // Ends with COMPLETED: see `completed`.
  [
    'a payout that has paid another refund, of the release before',
    `${processing('0xdd')}; ${completed('null')}`,
    'its transaction has paid other refunds',
  ],
  [
    'a payout with a unit too little for both of its refunds',
    `${processing('0xdd')}; ${completed('2')}`,
    'its transaction has paid other refunds',
  ],
  [
    'a payout of less than is owed',
    `${processing('0xee')}; ${completed('1')}`,
    'its transaction has paid other refunds',
  ],
  [
    'the transaction of another user',
    `alter table refunds disable trigger user; alter table refunds drop constraint refunds_payment_id_user_id_fkey;
     ${setRefund(`user_id = 'user-2'`, PAID_REFUND)}; alter table refunds enable trigger user; ${processing('0xdd')}`,
    'another user has named its transaction',
  ],
  ['a refund that moves without history', processing('0xee'), 'change without history'],
  ['a changed promise', setRefund('payout_amount = 3'), 'what was promised is immutable'],
  ['a grown refund', setRefund('amount = 41'), 'what was promised is immutable'],
  ['a changed address without a number', setRefund(`address = '0x02'`), 'status_seq must grow by one'],
  ['a number that grows without a change', setRefund('status_seq = 2'), 'moves with a change only'],
  [
    'a changed completed refund',
    setRefund('confirmations = 13', PAID_REFUND),
    'illegal change of a COMPLETED refund',
  ],
  [
    'an address that changes while it is being paid',
    `${processing('0xee')}; ${setRefund(`address = '0x02', status_seq = 3`)}`,
    'its address was paid already',
  ],
  ['a deleted refund', 'delete from refunds', 'refunds is append-only'],
  ['rewritten refund history', `update refund_history set reason = 'x'`, 'refund_history is append-only'],
  [
    'a refunded amount without refund',
    `update payments set refunded_amount = 21 where id = '${PAYMENT}'`,
    'refunded amount without its refunds',
  ],
  [
    'a refunded amount of NaN',
    `update payments set refunded_amount = 'NaN'`,
    'payments_refunded_amount_check',
  ],
  [
    'a completed refund that the payment does not know',
    `${processing('0xee')}; ${setRefund(`status = 'COMPLETED', status_seq = 3, next_check_at = null, completed_at = now()`)};
     insert into refund_history values ('${REFUND}', '${USER}', 2, 'AWAITING_PAYMENT', 'PROCESSING', 'x', '0x01', '0xee', now()), ('${REFUND}', '${USER}', 3, 'PROCESSING', 'COMPLETED', 'x', '0x01', '0xee', now())`,
    'refunded amount without its refunds',
  ],
  [
    'a change in the history of another owner',
    `${setRefund(`status = 'CANCELLED', status_seq = 2`)};
     insert into refund_history values ('${REFUND}', 'user-2', 2, 'AWAITING_PAYMENT', 'CANCELLED', 'x', '0x01', null, now())`,
    'change without history',
  ],
];

/** Changes that the same tables must still allow. */
const ALLOWED: [what: string, statement: string][] = [
  [
    'a payout of two refunds',
    `${processing('0xdd')}; ${completed('3')}; update payments set refunded_amount = 60 where id = '${PAYMENT}';
     insert into refund_history values ('${REFUND}', '${USER}', 2, 'AWAITING_PAYMENT', 'PROCESSING', 'x', '0x01', '0xdd', now()), ('${REFUND}', '${USER}', 3, 'PROCESSING', 'COMPLETED', 'x', '0x01', '0xdd', now())`,
  ],
  [
    'the rest as another refund',
    `${newRefund({ amount: '40' })}; insert into refund_history values ('${FRESH}', '${USER}', 1, null, 'AWAITING_PAYMENT', 'created', '0x01', null, now())`,
  ],
  [
    'a refund in the place of a cancelled one',
    `${setRefund(`status = 'CANCELLED', status_seq = 2`)};
     insert into refund_history values ('${REFUND}', '${USER}', 2, 'AWAITING_PAYMENT', 'CANCELLED', 'x', '0x01', null, now());
     ${newRefund({ amount: '80', status: 'AWAITING_PAYMENT', status_seq: '1' })};
     insert into refund_history values ('${FRESH}', '${USER}', 1, null, 'AWAITING_PAYMENT', 'created', '0x01', null, now())`,
  ],
];

describeGuards({ seed: SEED, refused: REFUSED, allowed: ALLOWED }, (client) => {
  it.each(REFUND_STATUSES)(
    'the database allows exactly the transitions of a refund out of %s that its table has',
    async (from) => {
      const fill = (status: string) =>
        [
          ['COMPLETED', `completed_at = now()`],
          ['FAILED', `failure_reason = 'x'`],
          ['PROCESSING', `next_check_at = now()`],
        ]
          .map(([when, set]) => (when === status ? set : `${set?.split(' = ')[0]} = null`))
          .join(', ');
      const possible: string[] = [];
      for (const to of REFUND_STATUSES.filter((status) => status !== from)) {
        await client().query('savepoint move');
        await client().query('alter table refunds disable trigger user');
        for (const check of ['address', 'transaction'])
          await client().query(`alter table refunds drop constraint refunds_${check}_check`);
        await client().query(setRefund(`status = '${from}', ${fill(from)}`));
        await client().query('alter table refunds enable trigger user');
        await client()
          .query(setRefund(`status = '${to}', status_seq = 2, ${fill(to)}`))
          .then(
            () => possible.push(to),
            (refusal: Error) => expect(refusal.message).toMatch(/illegal (move|change)/),
          );
        await client().query('rollback to savepoint move');
      }
      expect(possible.sort()).toEqual([...REFUND_TRANSITIONS[from]].sort());
    },
  );
});
