import type { PaymentAggregate } from '../payment.pure.js';

/** One entry of the status history. */
export interface HistoryEntry {
  seq: number;
  from: string | null;
  to: string;
}

/** A stored event, and whether a delivery was created for it. */
export interface AuditedEvent {
  id: string;
  /** Of the move; null: of payment.updated, which has a place. */
  seq: number | null;
  place: number | null;
  type: string;
  /** The JSON text that is sent. */
  body: string;
  createdAt: Date;
  isDispatched: boolean;
  hasDelivery: boolean;
}

/** A payment with all records about it. */
export interface PaymentRecords {
  state: PaymentAggregate;
  history: HistoryEntry[];
  events: AuditedEvent[];
  /** Sum of the completed refunds, in the smallest unit of the pricing currency. */
  refunded: bigint;
}

/** A difference between what is stored and what follows from the facts. */
export interface Finding {
  check:
    | 'amounts'
    | 'status'
    | 'review'
    | 'settled'
    | 'history'
    | 'events'
    | 'quotes'
    | 'attribution'
    | 'demand'
    | 'parts'
    | 'dust'
    | 'record';
  subject: string;
  expected: string;
  found: string;
}
