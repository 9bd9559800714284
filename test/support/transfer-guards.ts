import {
  ACCEPTANCE,
  acceptance,
  count,
  FRESH,
  newTransfer,
  OTHER_PAYMENT,
  QUOTE,
  TRANSFER,
  UNMATCHED,
} from './guarded-rows.js';

/** What a reorg makes of a transfer. */
export const ORPHANED = `state = 'orphaned', block_height = null, block_hash = null, block_time = null`;

/** What the table of transfers refuses, as in the tables of `database-guards.e2e-spec.ts`. */
export const TRANSFERS_REFUSED: [what: string, statement: string, guard: string][] = [
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
    'a transfer to an address of another payment',
    newTransfer({ payment_id: OTHER_PAYMENT }),
    'payment_transfers_deposit_address_id_payment_id_fkey',
  ],
  [
    'a transfer that counts before a second node has shown it',
    'update payment_transfers set awaits_agreement = true',
    'payment_transfers_agreement_check',
  ],
  [
    'a transfer that waits for an unknown tag',
    newTransfer({ finality_required: 'latest' }),
    'payment_transfers_finality_required_check',
  ],
  [
    'a pending transfer that waits for a weaker tag than before',
    `update payment_transfers set state = 'pending', confirmed_at = null;
     update payment_transfers set finality_required = 'finalized';
     update payment_transfers set finality_required = 'safe'`,
    'only rise',
  ],
  [
    'another tag for a transfer that counts',
    `update payment_transfers set finality_required = 'safe'`,
    'only while it waits',
  ],
  ['a changed transfer', 'update payment_transfers set amount = 6', 'facts are immutable'],
  ['a transfer in another place', `update payment_transfers set ordinal = 'log:9'`, 'facts are immutable'],
  [
    'a place that a live transfer gives up',
    `update payment_transfers set ordinal = ordinal || '~' || id`,
    'payment_transfers_given_up_check',
  ],
  [
    'a transfer that gave up its place and lives again',
    `update payment_transfers set ordinal = ordinal || '~' || id, ${ORPHANED};
     update payment_transfers set state = 'pending'`,
    'payment_transfers_given_up_check',
  ],
  [
    'a place that is given up twice',
    `update payment_transfers set ordinal = ordinal || '~' || id, ${ORPHANED};
     update payment_transfers set ordinal = ordinal || '~' || id`,
    'facts are immutable',
  ],
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
  ['a transfer with a changed quote', 'update payment_transfers set quote_id = null', 'its quote is fixed'],
  [
    'a value for an unmatched transfer',
    newTransfer({ is_matched: 'false' }),
    'payment_transfers_unmatched_check',
  ],
  [
    'a transfer that counts no more',
    'update payment_transfers set is_matched = false, quote_id = null',
    'what counts is never taken out',
  ],
  [
    'a transfer that counts without having been accepted',
    `${UNMATCHED}; update payment_transfers set is_matched = true where id = '${FRESH}'`,
    'it counts only once it is accepted',
  ],
  [
    'the same under a quote that accepts nothing',
    `${UNMATCHED}; ${count(FRESH, QUOTE)}`,
    'it counts only once it is accepted',
  ],
  [
    'the same under the acceptance of another transfer',
    `${UNMATCHED}; ${acceptance(TRANSFER)}; ${count(FRESH, ACCEPTANCE)}`,
    'it counts only once it is accepted',
  ],
  [
    'a late transfer under the acceptance of another one',
    `${newTransfer({ quote_id: null })}; ${acceptance(TRANSFER)}; ${count(FRESH, ACCEPTANCE)}`,
    'the quote accepts another one',
  ],
  [
    'an acceptance without effect',
    `${UNMATCHED}; ${acceptance(FRESH)}`,
    'the transfer it accepts does not count',
  ],
  ['an acceptance without a user', acceptance(TRANSFER, { accepted_by: null }), 'quotes_acceptance_check'],
  [
    'an acceptance of a transfer of another payment',
    acceptance(TRANSFER, { payment_id: OTHER_PAYMENT }),
    'quotes_accepted_transfer_id_payment_id_fkey',
  ],
  [
    'a transfer accepted twice',
    `${acceptance(TRANSFER)}; ${acceptance(TRANSFER, { id: FRESH })}`,
    'quotes_accepted_transfer_id_key',
  ],
  ['a deleted transfer', 'delete from payment_transfers', 'payment_transfers is append-only'],
];
