import type { RefundEntity } from './refund.entity.js';

/** A refund as it is read, with what is said of its payment. */
export type Refund = Omit<RefundEntity, 'mac' | 'txCredited'> & {
  /** Of `amount`. */
  currencyCode: string;
  /** The order. */
  reference: string;
  applicationId: string;
};

/** What may change of a refund after its creation. */
export type RefundChanges = Partial<
  Pick<
    Refund & Pick<RefundEntity, 'txCredited'>,
    | 'status'
    | 'address'
    | 'addressKey'
    | 'addressSetBy'
    | 'txHash'
    | 'txRecordedAt'
    | 'txSeenAt'
    | 'txCredited'
    | 'confirmations'
    | 'nextCheckAt'
    | 'completedAt'
    | 'failureReason'
  >
>;
