import type { EventType } from '../applications/event-types.pure.js';
import { Contract } from '../platform/web/contract/contract.js';
import { Constant, Flag, Instant, Nested, Uuid } from '../platform/web/contract/fields.js';
import { Webhook } from '../platform/web/contract/operation.js';
import { EXAMPLE_PAYMENT, OPEN, PaymentContract } from './payment.contract.js';
import { STATUS_AT } from './payment-status.pure.js';

const HAPPENED_AT = '2026-01-15T10:20:00Z';

/**
 * The fields that every event has (specification/events.md#body). `payment.refund` adds a field of its own.
 * @param payment differences of the example of the payment
 */
export function eventFields(type: EventType, payment: object) {
  return namedEventFields(type, { ...payment, status: STATUS_AT[type] });
}

/** {@link eventFields} of an event that follows no status. */
export function namedEventFields<Name extends string>(type: Name, payment: object) {
  class EventFields {
    @Uuid({ about: 'The event. Handle each once.', example: '0b0e1f6c-5a3d-4a53-9d5c-0c8b1f0a7e11' })
    id: string;

    @Constant(type, { about: 'The name of the event.' })
    event: Name;

    @Instant({ about: 'When it happened.', example: HAPPENED_AT })
    createdAt: string;

    @Flag({
      optional: true,
      about:
        'As `livemode` of the payment: false when no real money is involved, and in test events. Absent in events from ' +
        'before this field existed.',
      example: EXAMPLE_PAYMENT.livemode,
    })
    livemode?: boolean;

    @Nested(() => PaymentContract, {
      about: 'The payment as of the event.',
      example: { ...EXAMPLE_PAYMENT, ...payment },
    })
    payment: PaymentContract;

    @Constant(true, {
      optional: true,
      about:
        'Only in a test event that you requested: nothing happened, and no one has paid. Do not act on it.',
    })
    test?: true;
  }
  return EventFields;
}

/** The body of an event; `refund` with `payment.refund` only (refund-event.contract.ts). */
export type EventBody = InstanceType<ReturnType<typeof eventFields>> & { refund?: object };

@Contract('PaymentReceivedEvent', 'The full amount is confirmed.')
@Webhook({
  id: 'onPaymentReceived',
  description:
    'Every time that the payment enters RECEIVED. Your 2xx moves it to CONFIRMED. If the application accepts ' +
    'underpayments, check `receivedAmount` and `underpaidAmount` first.',
})
export class PaymentReceivedEvent extends eventFields('payment.received', { confirmedAt: null }) {}

@Contract('PaymentCompletedEvent', 'You have acknowledged the payment.')
@Webhook({
  id: 'onPaymentCompleted',
  description: 'Follows your 2xx to `payment.received`; its own delivery changes nothing.',
})
export class PaymentCompletedEvent extends eventFields('payment.completed', {}) {}

@Contract('PaymentUnderpaidEvent', 'Less than the amount is confirmed.')
@Webhook({
  id: 'onPaymentUnderpaid',
  description:
    'Only if the underpayment is not accepted automatically: the application does not allow it, or it is below the ' +
    'operator’s minimum.',
})
export class PaymentUnderpaidEvent extends eventFields('payment.underpaid', {}) {}

@Contract('PaymentFoundEvent', 'A transaction was seen.')
@Webhook({
  id: 'onPaymentFound',
  description:
    'Only if `events` of the application lists it. Every time that the payment enters FOUND; nothing is final yet. ' +
    'Not sent after a later event has reported confirmed funds.',
})
export class PaymentFoundEvent extends eventFields('payment.found', {
  ...OPEN,
  foundAt: EXAMPLE_PAYMENT.foundAt,
}) {}

@Contract('PaymentExpiredEvent', 'The link has expired without funds.')
@Webhook({
  id: 'onPaymentExpired',
  description:
    'Only if `events` of the application lists it. Once, about a minute after `expiresAt` or as soon as every ' +
    'blockchain that the payment has an address on was read beyond that; never if funds were found. The payment stays ' +
    'OPEN: funds that arrive later are found and received as usual.',
})
export class PaymentExpiredEvent extends eventFields('payment.expired', { ...OPEN, expired: true }) {}

@Contract('PaymentCancelledEvent', 'You have cancelled the payment.')
@Webhook({
  id: 'onPaymentCancelled',
  description: 'Only if `events` of the application lists it.',
})
export class PaymentCancelledEvent extends eventFields('payment.cancelled', {
  ...OPEN,
  cancelledAt: HAPPENED_AT,
}) {}
