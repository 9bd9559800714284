import { Injectable } from '@nestjs/common';
import type { Queryable } from '../platform/database/sql.js';
import {
  type AuditedEvent,
  checkPaymentInvariants,
  type Finding,
  type HistoryEntry,
} from './payment-invariants.pure.js';
import { PaymentStateMachine } from './payment-state-machine.service.js';
import { listAggregates } from './payment.repository.js';
import type { Transfer } from './payment.pure.js';

const HISTORY = `
  select payment_id, seq, from_status as "from", to_status as "to" from payment_status_history
  where payment_id = any($1::uuid[]) order by payment_id, seq`;
const EVENTS = `
  select e.payment_id, e.id, e.seq, e.type, e.body, e.created_at as "createdAt", e.dispatched_at is not null as "isDispatched",
    d.id is not null as "hasDelivery"
  from payment_events e left join webhook_deliveries d on d.event_id = e.id
  where e.payment_id = any($1::uuid[]) order by e.payment_id, e.seq`;
const REFUNDED = `
  select payment_id, sum(amount)::text as refunded from refunds
  where payment_id = any($1::uuid[]) and status = 'COMPLETED' group by payment_id`;

/** A judged payment, and its transfers for whoever compares them with the chain. */
export interface CheckedPayment {
  paymentId: string;
  transfers: Transfer[];
  findings: Finding[];
  /** How much was looked at. */
  quotes: number;
  statusEntries: number;
  events: number;
}

/** Reads payments a batch at a time and folds their facts again; it writes nothing. */
@Injectable()
export class PaymentInvariantsService {
  constructor(private readonly mover: PaymentStateMachine) {}

  /** Payments after one in the order of their ids. @param after null: from the first */
  async auditBatch(db: Queryable, after: string | null, limit: number): Promise<CheckedPayment[]> {
    const states = await listAggregates(db, after, limit);
    if (states.length === 0) return [];
    const ids = states.map(({ payment }) => payment.id);
    const history = await db.query<HistoryEntry & { payment_id: string }>(HISTORY, [ids]);
    const events = await db.query<AuditedEvent & { payment_id: string }>(EVENTS, [ids]);
    const refunds = await db.query<{ payment_id: string; refunded: string }>(REFUNDED, [ids]);
    return states.map((state) => {
      const { id } = state.payment;
      const books = {
        state,
        history: history.filter((row) => row.payment_id === id),
        events: events.filter((row) => row.payment_id === id),
        refunded: BigInt(refunds.find((row) => row.payment_id === id)?.refunded ?? 0),
      };
      return {
        paymentId: id,
        transfers: state.transfers,
        findings: checkPaymentInvariants(books, this.mover.fundsOf(state), this.mover.decisionsOf(state)),
        quotes: state.quotes.length,
        statusEntries: books.history.length,
        events: books.events.length,
      };
    });
  }
}
