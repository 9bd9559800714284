import type { PaymentAggregate } from '../payment.pure.js';

/** One entry of the status history. */
export interface HistoryEntry {
  seq: number;
  from: string | null;
  to: string;
}

/** How far the announcement of an event came. */
export interface EventProgress {
  isDispatched: boolean;
  /** It has a place in the event feed. */
  hasPlace: boolean;
  isSuperseded: boolean;
  isOvertaken: boolean;
  /** There has been an endpoint ever since, and the log of deliveries goes back that far. */
  isWanted: boolean;
  /** Null: none was created. */
  deliveryState: string | null;
  isAttempted: boolean;
  /** An attempt got a 2xx. */
  isAccepted: boolean;
}

/** A stored event, and how far its announcement came. */
export interface AuditedEvent extends EventProgress {
  id: string;
  /** Of the move; null: of payment.updated, which has a place. */
  seq: number | null;
  place: number | null;
  type: string;
  /** The JSON text that is sent. */
  body: string;
  createdAt: Date;
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
