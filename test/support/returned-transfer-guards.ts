import {
  ACCEPTANCE,
  acceptance,
  count,
  FRESH,
  newTransfer,
  OTHER_PAYMENT,
  PAYMENT,
  TRANSFER,
  UNMATCHED,
  USER,
} from './guarded-rows.js';
import { ORPHANED } from './transfer-guards.js';

const [REFUND, SECOND] = ['00000000-0000-7000-8000-000000000081', '00000000-0000-7000-8000-000000000082'];

/** A refund that the customer asked for, which gives the transfer `FRESH` back, with its history. */
function newReturn(changes: Record<string, string | null> = {}, id = REFUND): string {
  const row = {
    id: `'${id}'`,
    payment_id: `'${PAYMENT}'`,
    user_id: `'user-1'`,
    type: `'UNEXPECTED'`,
    status: `'AWAITING_ADDRESS'`,
    amount: '0',
    chain: `'ethereum'`,
    asset: `'native'`,
    payout_currency_code: `'ETH'`,
    payout_decimals: '18',
    payout_amount: '5',
    confirmations_required: '12',
    created_at: 'now()',
    expires_at: `now() + interval '30 days'`,
    transfer_id: `'${FRESH}'`,
    ...changes,
  };
  return `insert into refunds (${Object.keys(row).join(', ')}) values (${Object.values(row)
    .map((value) => value ?? 'null')
    .join(', ')});
    insert into refund_history values ('${id}', '${USER}', 1, null, 'AWAITING_ADDRESS', 'created', null, null, now())`;
}
const CANCEL = `update refunds set status = 'CANCELLED', status_seq = 2 where id = '${REFUND}';
  insert into refund_history values ('${REFUND}', '${USER}', 2, 'AWAITING_ADDRESS', 'CANCELLED', 'x', null, null, now())`;

/** A transfer is given back at most once, and either given back or accepted. */
export const RETURNS_REFUSED: [what: string, statement: string, guard: string][] = [
  [
    'a transfer that is given back twice',
    `${UNMATCHED}; ${newReturn()}; ${newReturn({}, SECOND)}`,
    'refunds_transfer',
  ],
  ['a refund of a transfer that counts', newReturn({ transfer_id: `'${TRANSFER}'` }), 'its transfer counts'],
  [
    'a refund of a transfer that is not confirmed',
    `${newTransfer({ is_matched: 'false', quote_id: null, state: 'pending' })}; ${newReturn()}`,
    'or is not confirmed',
  ],
  [
    'a refund of a transfer that is gone',
    `${UNMATCHED}; update payment_transfers set ${ORPHANED} where id = '${FRESH}'; ${newReturn()}`,
    'or is not confirmed',
  ],
  [
    'a refund of a transfer of another payment',
    `${UNMATCHED}; ${newReturn({ payment_id: `'${OTHER_PAYMENT}'` })}`,
    'refunds_transfer_id_payment_id_fkey',
  ],
  [
    'more than the transfer',
    `${UNMATCHED}; ${newReturn({ payout_amount: '6' })}`,
    'does not pay its transfer back',
  ],
  [
    'another coin than the transfer',
    `${UNMATCHED}; ${newReturn({ asset: `'0x01'` })}`,
    'does not pay its transfer back',
  ],
  [
    'a refund of a transfer with an amount',
    `${UNMATCHED}; ${newReturn({ amount: '1' })}`,
    'refunds_amount_check',
  ],
  ['a refund of nothing', newReturn({ transfer_id: null }), 'refunds_amount_check'],
  [
    'a refund that changes its transfer',
    `${UNMATCHED}; ${newReturn()}; update refunds set transfer_id = null`,
    'what was promised is immutable',
  ],
  [
    'a transfer that is accepted while a refund gives it back',
    `${UNMATCHED}; ${newReturn()}; ${acceptance(FRESH)}; ${count(FRESH, ACCEPTANCE)}`,
    'a refund gives it back',
  ],
];

export const RETURNS_ALLOWED: [what: string, statement: string][] = [
  ['a transfer that is given back', `${UNMATCHED}; ${newReturn()}`],
  [
    'a transfer that is given back after a cancelled refund',
    `${UNMATCHED}; ${newReturn()}; ${CANCEL}; ${newReturn({}, SECOND)}`,
  ],
  [
    'a transfer that is accepted after a cancelled refund',
    `${UNMATCHED}; ${newReturn()}; ${CANCEL}; ${acceptance(FRESH)}; ${count(FRESH, ACCEPTANCE)}`,
  ],
];
