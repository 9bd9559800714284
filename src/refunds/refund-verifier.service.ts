import { Injectable, Logger } from '@nestjs/common';
import type { ObservedTransaction } from '../chains/chain-adapter.pure.js';
import { ChainsService } from '../chains/chains.service.js';
import { Clock } from '../platform/runtime/clock.pure.js';
import { failpoint } from '../platform/runtime/failpoints.js';
import { PollingLoops } from '../platform/runtime/polling-loop.js';
import { LoopName } from '../platform/runtime/loop-name.pure.js';
import { type Queryable, Sql } from '../platform/database/sql.js';
import { PaymentStateMachine } from '../payments/payment-state-machine.service.js';
import { PaymentsService } from '../payments/payments.service.js';
import { RefundPresenter } from './refund-presenter.service.js';
import { changeRefund, findRefund, lockRefund, observeTransaction, sumRefunds } from './refund.repository.js';
import { judgePayout, type Verdict } from './refund-status.pure.js';
import type { Refund } from './refund.pure.js';

/** Between two looks at one transaction; a payout is in no hurry. */
export const CHECK_INTERVAL_SECONDS = 10;
/** Refunds taken in one turn. */
const BATCH = 20;

// Moving the next look ahead is the claim: who dies on the way is followed by another after the interval.
// Those that have waited longest come first.
const CLAIM = `
  with due as (
    select id, next_check_at from refunds where status = 'PROCESSING' and next_check_at <= $1
    order by next_check_at limit $3 for no key update skip locked
  ), claimed as (
    update refunds set next_check_at = $2 from due where refunds.id = due.id
    returning due.id, due.next_check_at as due_at
  )
  select id from claimed order by due_at, id`;
const UNCLAIMED = `
  select id, payment_id from refunds where status = 'AWAITING_ADDRESS' and expires_at < $1 order by expires_at limit $2`;

/**
 * Looks for the payouts that merchants report, on the chain itself, and closes claims that nobody made.
 * The node is asked outside of every transaction; what it said is judged and written under the locks.
 */
@Injectable()
export class RefundVerifier {
  private readonly logger = new Logger('RefundVerifier');

  constructor(
    private readonly sql: Sql,
    private readonly clock: Clock,
    private readonly chains: ChainsService,
    private readonly payments: PaymentsService,
    private readonly mover: PaymentStateMachine,
    private readonly presenter: RefundPresenter,
    private readonly loops: PollingLoops,
  ) {}

  /** One turn; answers whether more is waiting. */
  async runOnce(): Promise<boolean> {
    const now = this.clock.now();
    const unclaimed = await this.sql.query<{ id: string; payment_id: string }>(UNCLAIMED, [now, BATCH]);
    let expired = 0;
    for (const { id, payment_id: paymentId } of unclaimed)
      if (await this.alone(id, () => this.expire(paymentId, id))) expired++;
    const next = new Date(now.getTime() + CHECK_INTERVAL_SECONDS * 1000);
    const claimed = await this.sql.query<{ id: string }>(CLAIM, [now, next, BATCH]);
    if (claimed.length > 0) failpoint('refund.claimed');
    for (const { id } of claimed) await this.alone(id, () => this.check(id));
    // A whole batch that cannot be written waits for the timer.
    return (unclaimed.length === BATCH && expired > 0) || claimed.length === BATCH;
  }

  /** One refund that cannot be written (our bug, or an invariant at work) must not hold up those behind it. */
  private async alone(refundId: string, work: () => Promise<void>): Promise<boolean> {
    try {
      await work();
      return true;
    } catch (error) {
      this.logger.error({ refundId, err: error }, 'refund not moved; it is tried again');
      return false;
    }
  }

  private async expire(paymentId: string, refundId: string): Promise<void> {
    await this.sql.transaction(async (tx) => {
      await this.payments.lock(tx, paymentId);
      const refund = await lockRefund(tx, refundId);
      // The customer may have come at the last moment.
      if (refund.status !== 'AWAITING_ADDRESS') return;
      await changeRefund(tx, refund, { status: 'EXPIRED' }, 'claim_expired', this.clock.now());
    });
  }

  /** Node trouble is reported, not thrown: the refund is looked at again after the interval. */
  private async check(refundId: string): Promise<void> {
    const refund = await findRefund(this.sql, refundId);
    if (!refund || refund.txHash === null) return;
    let seen: ObservedTransaction;
    try {
      seen = await this.chains.adapter(refund.chain).transaction(refund.txHash);
    } catch (error) {
      const text = error instanceof Error ? error.message : String(error);
      this.logger.warn({ refundId, chain: refund.chain, error: text }, 'refund not verified yet');
      return;
    }
    await this.apply(refund, refund.txHash, seen);
  }

  private async apply({ id, paymentId }: Refund, txHash: string, seen: ObservedTransaction): Promise<void> {
    const verdict = await this.sql.transaction(async (tx) => {
      const state = await this.payments.lock(tx, paymentId);
      const refund = await lockRefund(tx, id);
      // The merchant named another transaction meanwhile, or another instance was faster.
      if (refund.status !== 'PROCESSING' || refund.txHash !== txHash) return null;
      const judged = this.judge(refund, seen);
      await this.write(tx, refund, judged);
      if (judged.kind === 'completed') {
        failpoint('refund.completed');
        const { completed } = await sumRefunds(tx, paymentId);
        await this.mover.refund(tx, state, completed, this.presenter.refund(refund));
      }
      return judged;
    });
    if (verdict === null || verdict.kind === 'wait') return;
    this.logger.log({ refundId: id, paymentId, txHash, verdict: verdict.kind }, 'refund verified');
    // A hint that an event may have been born; the loop's own timer is the truth.
    this.loops.wake(LoopName.WebhookDelivery);
  }

  private judge(refund: Refund, seen: ObservedTransaction): Verdict {
    const { addressKey, txRecordedAt } = refund;
    if (!addressKey || !txRecordedAt) throw new Error(`refund ${refund.id} is processing without a payout`);
    const lastSeen = refund.txSeenAt ?? txRecordedAt;
    const unseenSeconds = (this.clock.now().getTime() - lastSeen.getTime()) / 1000;
    return judgePayout({ ...refund, addressKey }, seen, unseenSeconds);
  }

  private async write(tx: Queryable, refund: Refund, verdict: Verdict): Promise<void> {
    const now = this.clock.now();
    const { confirmations } = verdict;
    switch (verdict.kind) {
      case 'wait':
        await observeTransaction(tx, refund, confirmations, verdict.isSeen ? now : refund.txSeenAt);
        return;
      case 'completed': {
        const changes = { status: 'COMPLETED', completedAt: now, confirmations, nextCheckAt: null } as const;
        await changeRefund(tx, refund, { ...changes, txSeenAt: now }, 'payout_confirmed', now);
        return;
      }
      case 'failed': {
        const { reason: failureReason } = verdict;
        const changes = { status: 'FAILED', failureReason, confirmations, nextCheckAt: null } as const;
        await changeRefund(tx, refund, changes, failureReason, now);
      }
    }
  }
}
