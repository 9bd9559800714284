import { Injectable, Logger } from '@nestjs/common';
import { Sql } from '../platform/database/sql.js';
import { Clock } from '../platform/kernel/clock.pure.js';
import { PaymentStateMachine } from './payment-state-machine.service.js';
import { awaitsRate } from './transfers/transfer-state.pure.js';
import type { PaymentAggregate } from './payment.pure.js';
import { PaymentRepository } from './payment.repository.js';
import { assetOf, type Rates, QuotesService } from './quotes/quotes.service.js';

/** Payments recomputed in one turn. */
const BATCH = 50;
/** After a failure, such as a missing rate, a payment is recomputed again after this. */
const RETRY_SECONDS = 15;

/**
 * Recomputes payments whose status depends on the time: an underpayment whose quote has ended, and late funds that need
 * a rate (specification/payment-states.md#late-funds).
 */
@Injectable()
export class PaymentSweep {
  private readonly logger = new Logger('PaymentSweep');

  constructor(
    private readonly sql: Sql,
    private readonly clock: Clock,
    private readonly payments: PaymentRepository,
    private readonly quotes: QuotesService,
    private readonly stateMachine: PaymentStateMachine,
  ) {}

  /**
   * One turn. It reads what is due from the table, so that no payment depends on a wake-up. Returns whether more may be
   * due.
   */
  async runOnce(): Promise<boolean> {
    const due = await this.payments.listDueForRecheck(this.clock.now(), BATCH);
    for (const id of due) await this.recheckSafely(id);
    return due.length >= BATCH;
  }

  /** A payment that fails must not delay the others. */
  private async recheckSafely(paymentId: string): Promise<void> {
    try {
      await this.recheck(paymentId);
    } catch (error) {
      this.logger.error({ paymentId, err: error }, 'payment could not be recomputed; it is tried again');
      await this.postpone(paymentId);
    }
  }

  private async postpone(paymentId: string): Promise<void> {
    await this.payments.setRecheck(paymentId, new Date(this.clock.now().getTime() + RETRY_SECONDS * 1000));
  }

  private async recheck(paymentId: string): Promise<void> {
    const before = await this.payments.find(paymentId);
    if (!before) return;
    // Before the transaction, because the rates come from the network.
    const rates = await this.findRates(before);
    await this.sql.transaction(async () => {
      const [state] = await this.payments.lockForUpdate([paymentId]);
      if (!state) return;
      if (!state.isAuthentic) return this.stateMachine.settle(state);
      await this.priceLate(state, rates);
      await this.stateMachine.settle(state);
      if (state.transfers.some(awaitsRate)) await this.postpone(paymentId);
    });
  }

  /** The rate of each asset with late funds. */
  private async findRates({ payment, transfers }: PaymentAggregate): Promise<Map<string, Rates | null>> {
    const rates = new Map<string, Rates | null>();
    for (const transfer of transfers.filter(awaitsRate)) {
      const key = assetKey(transfer);
      if (!rates.has(key)) rates.set(key, await this.quotes.findRates(payment, assetOf(transfer)));
    }
    return rates;
  }

  private async priceLate(state: PaymentAggregate, rates: Map<string, Rates | null>): Promise<void> {
    for (const [key, found] of rates) {
      const transfer = state.transfers.find(
        (candidate) => awaitsRate(candidate) && assetKey(candidate) === key,
      );
      if (found && transfer) await this.quotes.priceLate(state, transfer, found);
    }
  }
}

const assetKey = ({ chain, asset }: { chain: string; asset: string }) => `${chain}|${asset}`;
