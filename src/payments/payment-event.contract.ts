import type { EventType } from '../applications/event-types.pure.js';
import { Contract } from '../platform/web/contract/contract.js';
import {
  Choice,
  Constant,
  Flag,
  Instant,
  Nested,
  NestedList,
  Text,
  Uuid,
} from '../platform/web/contract/fields.js';
import { AmountContract, EXAMPLE_USDC_100 } from '../money/amount.contract.js';
import { CHANGE_REASONS, type ChangeReason } from './payment-change.pure.js';
import type { ReviewReason } from './payment.pure.js';
import { Webhook } from '../platform/web/contract/operation.js';
import { EXAMPLE_PAYMENT, OPEN, PaymentContract } from './payment.contract.js';
import { STATUS_AT } from './payment-status.pure.js';

const SUMS = {
  receivedAmount: EXAMPLE_PAYMENT.receivedAmount,
  overpaidAmount: EXAMPLE_PAYMENT.receivedAmount,
  underpaidAmount: null,
  reviewReason: null,
};
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

@Contract('PaymentSums', 'The sums of a payment at a time.')
export class PaymentSumsContract {
  @Nested(() => AmountContract, { about: 'As in the payment.', example: EXAMPLE_PAYMENT.receivedAmount })
  receivedAmount: AmountContract;

  @Nested(() => AmountContract, { nullable: true, about: 'As in the payment.', example: null })
  overpaidAmount: AmountContract | null;

  @Nested(() => AmountContract, { nullable: true, about: 'As in the payment.', example: null })
  underpaidAmount: AmountContract | null;

  @Text({ nullable: true, about: 'As in the payment.', example: null })
  reviewReason: ReviewReason | null;
}

@Contract('UnmatchedChange', 'Confirmed funds of a payment in a coin that was not asked for.')
export class UnmatchedChangeContract {
  @Text({ about: 'The blockchain, by its slug.', example: 'ethereum' })
  blockchain: string;

  @Text({ about: 'The coin.', example: 'USDC' })
  currencyCode: string;

  @Nested(() => AmountContract, { about: 'Before the change.', example: EXAMPLE_USDC_100 })
  before: AmountContract;

  @Nested(() => AmountContract, { about: 'Now.', example: EXAMPLE_USDC_100 })
  after: AmountContract;
}

@Contract('PaymentChange', 'What has changed, and why.')
export class PaymentChangeContract {
  @Choice(CHANGE_REASONS, {
    about:
      '`funds_received`: more that was asked for is confirmed; `unmatched_funds_received`: what was not asked for is ' +
      'confirmed; `unmatched_funds_accepted`: you accepted such funds; `funds_removed`: a reorganization took funds ' +
      'back; `review_changed`: `reviewReason` alone.',
    example: 'funds_received',
  })
  reason: ChangeReason;

  @Nested(() => PaymentSumsContract, {
    about: 'What the event before told.',
    example: { ...SUMS, overpaidAmount: null },
  })
  before: PaymentSumsContract;

  @Nested(() => PaymentSumsContract, { about: 'Now, as in the payment.', example: SUMS })
  after: PaymentSumsContract;

  @NestedList(() => UnmatchedChangeContract, {
    about: 'The coins that were not asked for, at most ten, those that have changed first.',
    example: [],
  })
  unmatched: UnmatchedChangeContract[];
}

@Contract('PaymentUpdatedEvent', 'The sums of the payment have changed, and no other event says so.')
@Webhook({
  id: 'onPaymentUpdated',
  description:
    'Only if `events` of the application lists it. In any status: money after the end, a second payment, funds in a coin ' +
    'that was not asked for, what a reorganization took back. Read the sums of the newest one; an undelivered one is ' +
    'replaced by the next.',
})
export class PaymentUpdatedEvent extends eventFields('payment.updated', {
  overpaidAmount: EXAMPLE_PAYMENT.receivedAmount,
}) {
  @Nested(() => PaymentChangeContract)
  change: PaymentChangeContract;
}
