import type { EventProgress } from '../../src/payments/audit/payment-records.pure.js';

/** Of an event that its receiver has. */
export const TOLD: EventProgress = {
  isDispatched: true,
  hasPlace: true,
  isSuperseded: false,
  isOvertaken: false,
  isWanted: true,
  deliveryState: 'succeeded',
  isAttempted: true,
  isAccepted: true,
};
