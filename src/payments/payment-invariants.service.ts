import { Injectable } from '@nestjs/common';
import { Clock } from '../platform/kernel/clock.pure.js';
import { PaymentEventRepository } from './payment-event.repository.js';
import type { Finding, PaymentRecords } from './audit/payment-records.pure.js';
import { checkPaymentInvariants } from './payment-invariants.pure.js';
import { PaymentRecordsRepository, type PaymentsToCheck } from './payment-records.repository.js';
import { PaymentStateMachine } from './payment-state-machine.service.js';
import { PaymentStatusHistoryRepository } from './payment-status-history.repository.js';
import { auditParts } from './audit/parts-audit.pure.js';
import { auditTimes } from './payment-times.pure.js';
import type { Transfer } from './payment.pure.js';
import { fundsOf } from './transfers/payment-funds.pure.js';
import { groupByPayment } from './transfers/payment-facts.js';
import { PaymentRepository } from './payment.repository.js';

/** A checked payment, and its transfers, which are then compared with the chain. */
export interface CheckedPayment {
  paymentId: string;
  transfers: Transfer[];
  findings: Finding[];
  /** How much was checked. */
  quotes: number;
  statusEntries: number;
  events: number;
}

/** The log of deliveries is kept for 30 days (specification/webhooks.md#delivery-log). */
const LOGGED_MS = 29 * 24 * 3_600_000;

/** Checks stored payments against their facts; it writes nothing. */
@Injectable()
export class PaymentInvariantsService {
  constructor(
    private readonly stateMachine: PaymentStateMachine,
    private readonly payments: PaymentRepository,
    private readonly history: PaymentStatusHistoryRepository,
    private readonly events: PaymentEventRepository,
    private readonly records: PaymentRecordsRepository,
    private readonly clock: Clock,
  ) {}

  /** {@link PaymentRecordsRepository.next} */
  next(after: string | null, since: Date | null, limit: number): Promise<PaymentsToCheck> {
    return this.records.next(after, since, limit);
  }

  /** Number of all payments after one; null: of all. */
  count(after: string | null): Promise<number> {
    return this.records.count(after);
  }

  /** Checks payments in the order of their ids, in the caller's transaction. */
  async audit(ids: readonly string[]): Promise<CheckedPayment[]> {
    const states = await this.payments.listAll(ids);
    if (states.length === 0) return [];
    const history = groupByPayment(await this.history.listByPayments(ids));
    const events = groupByPayment(await this.events.listByPayments(ids, this.loggedSince()));
    const refunded = await this.records.sumCompletedRefunds(ids);
    const unauthentic = groupByPayment(await this.records.audit(ids));
    return states.map((state) => {
      const { id } = state.payment;
      const moves = history.get(id) ?? [];
      const records: PaymentRecords = {
        state,
        history: moves.map(({ seq, fromStatus: from, toStatus: to }) => ({ seq, from, to })),
        events: events.get(id) ?? [],
        refunded: refunded.get(id) ?? 0n,
      };
      return this.check(records, [...(unauthentic.get(id) ?? []), ...auditTimes(state.payment, moves)]);
    });
  }

  private loggedSince(): Date {
    return new Date(this.clock.now().getTime() - LOGGED_MS);
  }

  private check(records: PaymentRecords, found: readonly Finding[]): CheckedPayment {
    const { state, history, events } = records;
    return {
      paymentId: state.payment.id,
      transfers: state.transfers,
      findings: [...found, ...this.compare(records)],
      quotes: state.quotes.length,
      statusEntries: history.length,
      events: events.length,
    };
  }

  /** Values that no arithmetic is possible with, which only a writer of the database stores, are a difference too. */
  private compare(records: PaymentRecords): Finding[] {
    const { state } = records;
    try {
      const decisions = this.stateMachine.decisionsOf(state);
      return [...checkPaymentInvariants(records, fundsOf(state), decisions), ...auditParts(state)];
    } catch (error) {
      const found = error instanceof Error ? error.message : String(error);
      return [{ check: 'record', subject: 'payment', expected: 'values that can be compared', found }];
    }
  }
}
