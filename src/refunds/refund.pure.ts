import type { RefundEntity } from './refund.entity.js';

/** A refund as it is read, with the currency of its `amount`. */
export type Refund = Omit<RefundEntity, 'mac'> & {
  /** The payment's. */
  currencyCode: string;
};

/** What may change of a refund after its creation. */
export type RefundChanges = Partial<
  Pick<
    Refund,
    | 'status'
    | 'address'
    | 'addressKey'
    | 'addressSetBy'
    | 'txHash'
    | 'txRecordedAt'
    | 'txSeenAt'
    | 'confirmations'
    | 'nextCheckAt'
    | 'completedAt'
    | 'failureReason'
  >
>;
