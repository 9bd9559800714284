import { Injectable } from '@nestjs/common';
import { ForeignRows } from '../audit/foreign-rows.service.js';
import type { PaymentAggregate } from '../payment.pure.js';
import { QuoteRepository } from '../quotes/quote.repository.js';
import { type Kept, NO_ROWS, setQuotes, setTransfers } from './payment-facts.js';
import { PaymentTransferRepository } from './payment-transfer.repository.js';
import { type CountedTransfers, SummedTransferRepository } from './summed-transfer.repository.js';

/** What is stored about payments beside their rows and statuses. */
export type ReadFacts = Awaited<ReturnType<PaymentFacts['read']>>;

/** A payment, and what there is about it. */
export interface CountedFacts extends CountedTransfers {
  hasQuotes: boolean;
  hasRefunds: boolean;
}

/** Reads quotes and transfers of payments. A row that is not authentic makes the payment so. */
@Injectable()
export class PaymentFacts {
  constructor(
    private readonly quotes: QuoteRepository,
    private readonly transfers: PaymentTransferRepository,
    private readonly summed: SummedTransferRepository,
    private readonly foreign: ForeignRows,
  ) {}

  /** All of them. The statements are sent at once. */
  async read(paymentIds: readonly string[]) {
    const [quotes, transfers, foreign] = await Promise.all([
      this.quotes.listByPayments(paymentIds),
      this.transfers.listByPayments(paymentIds),
      this.foreign.list(paymentIds),
    ]);
    return { quotes, transfers, foreign };
  }

  /** As {@link read}, without asking for what is not there. @param transfers `summed`: of a payment with many, only the largest as they are */
  async readExisting(rows: readonly CountedFacts[], transfers: 'each' | 'summed'): Promise<ReadFacts> {
    const withQuotes = rows.filter(({ hasQuotes }) => hasQuotes).map(({ id }) => id);
    const withTransfers = rows.filter(({ transferCount }) => transferCount > 0).map(({ id }) => id);
    const withRefunds = rows.filter(({ hasRefunds }) => hasRefunds).map(({ id }) => id);
    const [quotes, listed, foreign] = await Promise.all([
      withQuotes.length > 0 ? this.quotes.listByPayments(withQuotes) : NO_ROWS,
      transfers === 'summed'
        ? this.summed.listByPayments(rows)
        : withTransfers.length > 0
          ? this.transfers.listByPayments(withTransfers)
          : NO_ROWS,
      withRefunds.length > 0 ? this.foreign.list(withRefunds) : [],
    ]);
    return { quotes, transfers: listed, foreign };
  }

  /** Reads the quotes and transfers of locked payments again, after some were written. */
  async refresh(states: readonly PaymentAggregate[]): Promise<void> {
    const ids = states.map(({ payment }) => payment.id);
    const [quotes, transfers] = await Promise.all([
      this.quotes.listByPayments(ids),
      this.transfers.listByPayments(ids),
    ]);
    setQuotes(states, quotes);
    setTransfers(states, transfers);
  }

  /**
   * As {@link refresh}, after transfers were written and no quotes.
   * @param writes the statements that write them, sent already; they share their round trip with the one that reads
   */
  async refreshTransfers(states: readonly PaymentAggregate[], ...writes: Promise<unknown>[]): Promise<void> {
    const read = this.transfers.listByPayments(states.map(({ payment }) => payment.id));
    const [transfers] = await Promise.all([read, ...writes]);
    setTransfers(states, transfers);
  }
}

export function setFacts(
  states: readonly PaymentAggregate[],
  { quotes, transfers, foreign }: ReadFacts,
  kept: Kept = 'authentic',
): void {
  setQuotes(states, quotes, kept);
  setTransfers(states, transfers, kept);
  const stopped = new Set(foreign.map(({ paymentId }) => paymentId));
  for (const state of states) if (stopped.has(state.payment.id)) state.isAuthentic = false;
}
