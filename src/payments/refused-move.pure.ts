import type { PaymentStatus } from './payment-status.pure.js';

const REFUND = 'To return money, use POST /api/payment/{paymentId}/refunds.';

/** What to do in place of cancelling a payment that is in this status (specification/payments.md#cancel). */
export function insteadOfCancelling(status: PaymentStatus): string {
  switch (status) {
    case 'OPEN':
    case 'FOUND':
      return `Only a payment without funds on a blockchain can be cancelled, and funds for this one are on their way; wait until they are confirmed. ${REFUND}`;
    case 'UNDERPAID':
      return `Only an unpaid payment can be cancelled, and a part of this one was paid; POST /api/payment/{paymentId}/accept accepts it as it is. ${REFUND}`;
    case 'RECEIVED':
    case 'CONFIRMED':
      return `Only an unpaid payment can be cancelled, and this one was paid. ${REFUND}`;
    case 'CANCELLED':
    case 'ERROR':
    case 'REFUND':
      return 'This status is final; there is nothing left to cancel.';
  }
}

const ACCEPTABLE =
  'Only an UNDERPAID payment whose funds are confirmed, or a RECEIVED one that waits for you, can be accepted.';

/** Why a payment in this status cannot be accepted, and what to do (specification/payments.md#accept). */
export function insteadOfAccepting(status: PaymentStatus): string {
  switch (status) {
    case 'OPEN':
      return `${ACCEPTABLE} Nothing was received for this one yet.`;
    case 'FOUND':
    case 'UNDERPAID':
      return `${ACCEPTABLE} The funds of this one are not confirmed yet; try again later.`;
    case 'RECEIVED':
    case 'CONFIRMED':
      return `${ACCEPTABLE} This one is complete; there is nothing left to accept.`;
    case 'CANCELLED':
    case 'ERROR':
    case 'REFUND':
      return `${ACCEPTABLE} The status of this one is final. ${REFUND}`;
  }
}
