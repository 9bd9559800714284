import { PaymentListItemContract } from '../payments/payment.contract.js';
import { Contract, exampleOf } from '../platform/web/contract/contract.js';
import { Count, FieldOf, Instant, Nested, Text, Uuid } from '../platform/web/contract/fields.js';
import { DELIVERY_STATUSES, type DeliveryStatus } from './webhook-delivery.contract.js';

/** A payment that is RECEIVED while its `payment.received` has had no 2xx. */
@Contract('UnacknowledgedPayment', 'A paid payment whose webhook your server has not acknowledged.')
export class UnacknowledgedPaymentContract {
  @Nested(() => PaymentListItemContract, {
    example: { ...exampleOf(PaymentListItemContract, 'response'), status: 'RECEIVED' },
  })
  payment: PaymentListItemContract;

  @Instant({ about: 'When the payment entered RECEIVED.', example: '2026-01-15T10:20:00Z' })
  receivedAt: string;

  @Count({ about: 'How long ago that is, in seconds.', example: 5_940 })
  waitingSeconds: number;

  @Uuid({
    nullable: true,
    about: 'The delivery of `payment.received`; null: not created yet.',
    example: 'e2a1c3b4-5d6f-4a7b-8c9d-0e1f2a3b4c5d',
  })
  deliveryId: string | null;

  @FieldOf(
    { schema: () => ({ type: ['string', 'null'], enum: [...DELIVERY_STATUSES, null] }) },
    { about: 'Its status, as in the delivery log.', example: 'FAILED' },
  )
  deliveryStatus: DeliveryStatus | null;

  @Count({ about: 'The number of attempts so far.', example: 6 })
  attempt: number;

  @Instant({ nullable: true, about: 'When the newest attempt started.', example: '2026-01-15T11:20:10Z' })
  lastAttemptAt: string | null;

  @Count({ nullable: true, about: 'The status that your server returned; null: no response.', example: 500 })
  httpStatus: number | null;

  @Text({ nullable: true, about: 'Why the attempt failed.', example: 'HTTP 500' })
  errorMessage: string | null;

  @Instant({
    nullable: true,
    about: 'When the next attempt is due; null: there is none.',
    example: '2026-01-15T12:20:00Z',
  })
  nextAttemptAt: string | null;
}
