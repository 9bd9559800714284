import { eventFields } from '../payments/payment-event.contract.js';
import { EXAMPLE_PAYMENT } from '../payments/payment.contract.js';
import { Contract, exampleOf } from '../platform/web/contract/contract.js';
import { Nested } from '../platform/web/contract/fields.js';
import { Webhook } from '../platform/web/contract/operation.js';
import { COMPLETED, RefundContract } from './refund.contract.js';

@Contract('PaymentRefundEvent', 'The payment is refunded in full.')
@Webhook({
  id: 'onPaymentRefund',
  description: 'Completed refunds cover all that was received; `refund` is the last of them.',
})
export class PaymentRefundEvent extends eventFields('payment.refund', {
  refundedAmount: EXAMPLE_PAYMENT.receivedAmount,
}) {
  @Nested(() => RefundContract, {
    about: 'The refund that completed it.',
    example: { ...exampleOf(RefundContract, 'response'), ...COMPLETED },
  })
  refund: RefundContract;
}
