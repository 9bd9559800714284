import { APPLICATION_EVENT, copy, EVENT, FRESH, TEST_EVENT } from './guarded-rows.js';

/** What Postgres refuses about events that are not of a move of a payment. */
export const OUTBOX_REFUSED: [what: string, statement: string, guard: string][] = [
  [
    'a deleted event of an application',
    `delete from payment_events where id = '${APPLICATION_EVENT}'`,
    'payment_events is append-only',
  ],
  [
    'a test that becomes an event of an application, and could stay for ever',
    `update payment_events set test_payment_id = null where id = '${TEST_EVENT}'`,
    'what was announced is immutable',
  ],
  [
    'an event of an unknown type',
    copy('payment_events', EVENT, { seq: '2', type: 'payment.lost' }),
    'payment_events_type_check',
  ],
  [
    'an event of a payment without a move',
    copy('payment_events', APPLICATION_EVENT, { type: 'payment.received' }),
    'payment_events_kind',
  ],
  [
    'a test of a payment that exists',
    copy('payment_events', EVENT, { seq: '2', test_payment_id: FRESH }),
    'payment_events_kind',
  ],
  [
    'a test of an event of an application',
    copy('payment_events', TEST_EVENT, { type: 'wallet.changed', test_payment_id: FRESH }),
    'payment_events_kind',
  ],
  [
    'a test with a place in the feed',
    `update payment_events set position = 7 where id = '${TEST_EVENT}'`,
    'payment_events_of_moves',
  ],
  ['two tests of one payment', copy('payment_events', TEST_EVENT, {}), 'payment_events_tests'],
  [
    'a test that is due again',
    `update webhook_deliveries set next_attempt_at = now() where id = '${TEST_EVENT}'`,
    'webhook_deliveries_tests_first',
  ],
];

export const OUTBOX_ALLOWED: [what: string, statement: string][] = [
  [
    'a deleted test',
    `delete from webhook_deliveries where id = '${TEST_EVENT}'; delete from payment_events where id = '${TEST_EVENT}'`,
  ],
];
