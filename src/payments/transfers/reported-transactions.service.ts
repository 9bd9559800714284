import { Injectable } from '@nestjs/common';
import { Sql } from '../../platform/database/sql.js';
import { Clock } from '../../platform/kernel/clock.pure.js';
import { newId } from '../../platform/kernel/ids.pure.js';
import { LoopName } from '../../platform/kernel/loop-name.pure.js';
import { PollingLoops } from '../../platform/database/polling-loop.js';
import { PaymentTransferRepository } from './payment-transfer.repository.js';
import type { Payment } from '../payment.pure.js';
import { PaymentRepository } from '../payment.repository.js';
import type { ReportedTransactionEntity } from './reported-transaction.entity.js';
import {
  afterCheck,
  type Finding,
  MAX_REPORTED,
  mayReopen,
  type UnlistedToken,
} from './reported-transaction.pure.js';
import { ReportedTransactionRepository } from './reported-transaction.repository.js';

/** A transaction that a customer named. */
export type ReportedTransaction = ReportedTransactionEntity;

/** Seconds until a search is taken over from a process that was killed in the middle of it. */
const LEASE_SECONDS = 60;

/**
 * Keeps the transactions that customers name because the page does not show their payment
 * (specification/checkout.md#already-paid). They are requests to look, and change no payment.
 */
@Injectable()
export class ReportedTransactions {
  constructor(
    private readonly sql: Sql,
    private readonly clock: Clock,
    private readonly payments: PaymentRepository,
    private readonly transfers: PaymentTransferRepository,
    private readonly reported: ReportedTransactionRepository,
    private readonly loops: PollingLoops,
  ) {}

  /** Oldest first. */
  listOfPayment(paymentId: string): Promise<ReportedTransaction[]> {
    return this.reported.listOfPayment(paymentId);
  }

  /**
   * Has a transaction looked for; repeating it changes nothing while the search goes on.
   * @param txHash in the spelling of its chain
   * @returns null: the payment has as many as it may have
   */
  async report(
    { id: paymentId, userId }: Readonly<Pick<Payment, 'id' | 'userId'>>,
    { chain, txHash }: { chain: string; txHash: string },
  ): Promise<ReportedTransaction | null> {
    const stored = await this.sql.transaction(async () => {
      // The number is counted under the lock of the payment.
      await this.payments.lockForUpdate([paymentId]);
      const all = await this.reported.listOfPayment(paymentId);
      const now = this.clock.now();
      const found = { token: null, tokenAmount: null, keptAt: null };
      const search = { state: 'SEARCHING', checks: 0, reportedAt: now, nextCheckAt: now, ...found } as const;
      const known = all.find((one) => one.chain === chain && one.txHash === txHash);
      if (known) {
        if (!mayReopen(known, now)) return known;
        await this.reported.update(known, search);
        return Object.assign(known, search);
      }
      if (all.length >= MAX_REPORTED) return null;
      const reported = { id: newId(now), paymentId, userId, chain, txHash, checkedAt: null, ...search };
      await this.reported.insert(reported);
      return reported;
    });
    // If the wake-up is lost, the loop finds it at its next interval.
    this.loops.wake(LoopName.ReportedTransactions);
    return stored;
  }

  /** Those that are due, taken from all other processes for a while. */
  async claimDue(limit: number): Promise<ReportedTransaction[]> {
    const now = this.clock.now();
    return this.reported.claimDue(now, new Date(now.getTime() + LEASE_SECONDS * 1000), limit);
  }

  /** Whether the transaction is recorded as a transfer to the payment, in a block or on its way to one. */
  isRecorded({ paymentId, chain, txHash }: ReportedTransaction): Promise<boolean> {
    return this.transfers.hasLive(paymentId, chain, txHash);
  }

  /** Unlisted tokens that wait for the merchant, by payment. */
  listUnlisted(paymentIds: readonly string[]): Promise<ReportedTransaction[]> {
    return this.reported.listUnlisted(paymentIds);
  }

  /**
   * Stores what a look at the chain has found.
   * @param finding null: the node did not respond
   * @param unlisted of UNLISTED_TOKEN
   */
  async conclude(
    reported: ReportedTransaction,
    finding: Finding | null,
    unlisted: UnlistedToken | null,
  ): Promise<void> {
    const now = this.clock.now();
    const checkedAt = finding === null ? reported.checkedAt : now;
    await this.reported.update(reported, {
      ...afterCheck(reported, finding, now),
      checkedAt,
      ...unlisted,
    });
  }
}
