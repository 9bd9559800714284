import { namedEventFields } from '../payments/payment-event.contract.js';
import { Contract, exampleOf } from '../platform/web/contract/contract.js';
import { Nested } from '../platform/web/contract/fields.js';
import { Webhook } from '../platform/web/contract/operation.js';
import { ADDRESSED, RefundContract } from './refund.contract.js';

const REQUESTED = {
  ...ADDRESSED,
  type: 'OVERPAYMENT',
  createdBy: 'customer',
  requestedBy: 'customer',
  addressSetBy: 'customer',
};

@Contract('PaymentRefundRequestedEvent', 'The customer asks for money back, and has named an address.')
@Webhook({
  id: 'onPaymentRefundRequested',
  description:
    'Only if `events` of the application lists it. Pay `refund`, or cancel it. Goes to the `callbackUrl` of the ' +
    'application, and is neither in the feed nor in the delivery log.',
})
export class PaymentRefundRequestedEvent extends namedEventFields('payment.refund_requested', {}) {
  @Nested(() => RefundContract, {
    about: 'The refund that was asked for.',
    example: { ...exampleOf(RefundContract, 'response'), ...REQUESTED },
  })
  refund: RefundContract;
}
