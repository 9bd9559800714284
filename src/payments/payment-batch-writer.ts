import { Injectable } from '@nestjs/common';
import { isOptIn, OVERTAKEN_BY_REORG, OVERTAKEN_BY_STANDARD } from '../applications/event-types.pure.js';
import { Clock } from '../platform/kernel/clock.pure.js';
import { failpoint } from '../platform/kernel/failpoints.js';
import type { PaymentBatch } from './payment-batch.js';
import { PaymentEventRepository } from './payment-event.repository.js';
import { PaymentStatusHistoryRepository } from './payment-status-history.repository.js';
import { PaymentRepository } from './payment.repository.js';
import { PaymentTransferRepository } from './transfers/payment-transfer.repository.js';

/** Writes the changes of locked payments with their history and events, in the caller's transaction. */
@Injectable()
export class PaymentBatchWriter {
  constructor(
    private readonly payments: PaymentRepository,
    private readonly history: PaymentStatusHistoryRepository,
    private readonly events: PaymentEventRepository,
    private readonly transfers: PaymentTransferRepository,
    private readonly clock: Clock,
  ) {}

  /**
   * All statements are sent together and run in this order.
   * @throws Error when the row of a payment has another `statusSeq` than expected: it was not locked
   */
  async write(batch: PaymentBatch): Promise<void> {
    const updates = batch.steps.map((payments) => this.payments.update(payments));
    if (batch.steps.length > 0) failpoint('payment.moved');
    const [updated] = await Promise.all([Promise.all(updates), ...this.writeHistoryAndEvents(batch)]);
    if (updated.some((count, i) => count !== batch.steps[i]?.length))
      throw new Error('a payment moved that should have been locked');
    if (batch.events.length > 0) failpoint('payment.announced');
  }

  private writeHistoryAndEvents(batch: PaymentBatch): Promise<void>[] {
    const { history, superseded, events, judged, distrusted } = batch;
    const writes: Promise<void>[] = [];
    if (distrusted.length > 0) writes.push(this.payments.distrust(distrusted, this.clock.now()));
    if (judged.length > 0) writes.push(this.transfers.judge(judged));
    if (history.length > 0) writes.push(this.history.insert(history));
    const [first] = superseded;
    if (first) writes.push(this.events.supersede(superseded, first.createdAt));
    if (events.length > 0) writes.push(this.events.insert(events));
    // A standard event is never held back by one that it makes obsolete.
    const standard = events.filter(({ type }) => !isOptIn(type));
    const [next] = standard;
    if (next) writes.push(this.events.overtake(OVERTAKEN_BY_STANDARD, standard, next.createdAt));
    const updates = events.filter(({ type }) => type === 'payment.updated');
    const [update] = updates;
    if (update) writes.push(this.events.overtake(['payment.updated'], updates, update.createdAt));
    // Nor by one that is no longer true, whenever its next attempt is due.
    if (first) writes.push(this.events.overtake(OVERTAKEN_BY_REORG, superseded, first.createdAt));
    return writes;
  }
}
