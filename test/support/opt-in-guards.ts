import {
  copy,
  EVENT,
  FRESH,
  newAddress,
  newTransfer,
  OTHER_APPLICATION,
  OTHER_PAYMENT,
  PAYMENT,
  USER,
} from './guarded-rows.js';

const STANDARD = 'payment.received,payment.completed,payment.underpaid,payment.refund';
const SECOND = '00000000-0000-7000-8000-000000000092';
const event = (type: string, seq: number, more: Record<string, string> = {}) =>
  copy('payment_events', EVENT, { type, seq: String(seq), created_at: '2099-01-01', ...more });
const expired = (more: Record<string, string> = {}) =>
  event('payment.expired', 1, { payment_id: OTHER_PAYMENT, ...more });
/** Seen, and lost again: OPEN once more, by its third entry. */
const BACK = `
  insert into payment_status_history values ('${OTHER_PAYMENT}', '${USER}', 2, 'OPEN', 'FOUND', 'x', now()),
    ('${OTHER_PAYMENT}', '${USER}', 3, 'FOUND', 'OPEN', 'x', now());
  update payments set status = 'FOUND', status_seq = 2, found_at = now() where id = '${OTHER_PAYMENT}';
  update payments set status = 'OPEN', status_seq = 3, found_at = null where id = '${OTHER_PAYMENT}'`;
const site = (columns: string, values: string) => `
  insert into sites (id, application_id, user_id, title, setting_id, allow_overpay, allow_underpay, ${columns})
  values ('${FRESH}', '${OTHER_APPLICATION}', 'user-2', 'Shop', '${SECOND}', true, false, ${values})`;

/** What is refused, the statement that tries it, and the guard that must be the one to speak. */
export const OPT_IN_REFUSED: [what: string, statement: string, guard: string][] = [
  ['payment.found of an entry into RECEIVED', event('payment.found', 3), 'does not belong to an entry'],
  ['payment.found of the beginning', event('payment.found', 1), 'does not belong to an entry'],
  ['payment.cancelled of an entry into FOUND', event('payment.cancelled', 2), 'does not belong to an entry'],
  ['payment.expired of an entry into FOUND', event('payment.expired', 2), 'does not belong to an entry'],
  ['payment.expired of a payment that is paid', event('payment.expired', 1), 'has not expired unpaid'],
  ['payment.expired while the link is good', expired({ created_at: '2000-01-01' }), 'has not expired unpaid'],
  [
    'payment.expired while unmatched funds are pending',
    `${newAddress({})};
     ${newTransfer({ payment_id: OTHER_PAYMENT, deposit_address_id: FRESH, quote_id: null, is_matched: 'false' })};
     ${expired()}`,
    'has not expired unpaid',
  ],
  ['payment.expired of an older entry', `${BACK}; ${expired()}`, 'has not expired unpaid'],
  [
    'a second payment.expired',
    `${expired()}; ${BACK}; ${expired({ id: SECOND, seq: '3' })}`,
    'payment_events_expired_once',
  ],
  ['an event list without payment.received', site('events', `'{payment.found}'`), 'sites_events_check'],
  ['an unknown event in a list', site('events', `'{${STANDARD},payment.lost}'`), 'sites_events_check'],
  [
    'payment.expired in a list without its time',
    site('events', `'{${STANDARD},payment.expired}'`),
    'sites_expired_since_check',
  ],
  [
    'a time of payment.expired that is not listed',
    site('expired_since', 'now()'),
    'sites_expired_since_check',
  ],
];

/** What stands close to it and must go through. */
export const OPT_IN_ALLOWED: [what: string, statement: string][] = [
  ['payment.found of an entry into FOUND', event('payment.found', 2)],
  ['payment.expired of an unpaid payment', expired()],
  ['payment.expired of a payment that lost what it had', `${BACK}; ${expired({ seq: '3' })}`],
  [
    'payment.expired in a list, with its time',
    site('events, expired_since', `'{${STANDARD},payment.expired}', now()`),
  ],
  ['a paid payment that had expired', `${expired()}; ${event('payment.found', 2, { id: SECOND })}`],
  ['a change of something else, of a list without payment.expired', site('confirmations', `'{}'`)],
  [
    'an event that was overtaken',
    `update payment_events set overtaken_at = now() where payment_id = '${PAYMENT}'`,
  ],
];
