import { Injectable, Logger } from '@nestjs/common';
import type { ObservedTransaction } from '../chains/chain-adapter.pure.js';
import { ChainsService } from '../chains/chains.service.js';
import { Clock } from '../platform/kernel/clock.pure.js';
import { failpoint } from '../platform/kernel/failpoints.js';
import { PollingLoops } from '../platform/database/polling-loop.js';
import { LoopName } from '../platform/kernel/loop-name.pure.js';
import { Sql } from '../platform/database/sql.js';
import { PaymentIntegrityError } from '../payments/audit/payment-integrity.pure.js';
import { PaymentStateMachine } from '../payments/payment-state-machine.service.js';
import { PaymentsService } from '../payments/payments.service.js';
import { RefundPresenter } from './refund-presenter.service.js';
import { assessPayout, type PayoutAssessment } from './refund-status.pure.js';
import type { Refund } from './refund.pure.js';
import { type PlacedRefund, RefundRepository } from './refund.repository.js';

/** Between two verifications of one transaction. */
export const CHECK_INTERVAL_SECONDS = 10;
/** Refunds of each kind per run. */
const BATCH = 20;

/**
 * Verifies the payouts that merchants report on their chain (specification/refunds.md#verification), and expires refunds
 * whose claim link has ended. Nodes are queried outside of transactions; their response is evaluated and stored under
 * the locks.
 */
@Injectable()
export class RefundVerifier {
  private readonly logger = new Logger('RefundVerifier');

  constructor(
    private readonly sql: Sql,
    private readonly clock: Clock,
    private readonly chains: ChainsService,
    private readonly payments: PaymentsService,
    private readonly stateMachine: PaymentStateMachine,
    private readonly refunds: RefundRepository,
    private readonly presenter: RefundPresenter,
    private readonly loops: PollingLoops,
  ) {}

  /** Returns whether more refunds may be due. */
  async runOnce(): Promise<boolean> {
    const now = this.clock.now();
    const unclaimed = await this.refunds.listUnclaimed(now, BATCH);
    let expired = 0;
    for (const { id, paymentId } of unclaimed)
      if (await this.isolated({ id, paymentId }, () => this.expire(paymentId, id))) expired++;
    const nextCheckAt = new Date(now.getTime() + CHECK_INTERVAL_SECONDS * 1000);
    const claimed = await this.refunds.claimDue(now, nextCheckAt, BATCH);
    if (claimed.length > 0) failpoint('refund.claimed');
    for (const refund of claimed) await this.isolated(refund, () => this.check(refund.id));
    // A batch of which nothing could be written is retried after the interval, not at once.
    return (unclaimed.length === BATCH && expired > 0) || claimed.length === BATCH;
  }

  /** A refund that cannot be written (a bug, or a refusal of the database) must not delay the following ones. */
  private async isolated(
    { id: refundId, paymentId }: PlacedRefund,
    work: () => Promise<void>,
  ): Promise<boolean> {
    try {
      await work();
      return true;
    } catch (error) {
      // Whoever has found it out has no lock.
      if (error instanceof PaymentIntegrityError) await this.payments.doubt(paymentId);
      this.logger.error({ refundId, err: error }, 'refund not updated; it will be retried');
      return false;
    }
  }

  private async expire(paymentId: string, refundId: string): Promise<void> {
    await this.sql.transaction(async () => {
      await this.payments.lock(paymentId);
      const refund = await this.refunds.lock(refundId);
      // The customer may have named an address meanwhile.
      if (refund.status !== 'AWAITING_ADDRESS') return;
      await this.refunds.change(refund, { status: 'EXPIRED' }, 'claim_expired', this.clock.now());
    });
  }

  /** Failures of the node are logged, not thrown: the refund is verified again after the interval. */
  private async check(refundId: string): Promise<void> {
    const refund = await this.refunds.find(refundId);
    if (!refund || refund.txHash === null) return;
    let observed: ObservedTransaction;
    try {
      observed = await this.chains.adapter(refund.chain).transaction(refund.txHash);
    } catch (error) {
      const text = error instanceof Error ? error.message : String(error);
      this.logger.warn({ refundId, chain: refund.chain, error: text }, 'refund not verified yet');
      return;
    }
    await this.apply(refund, refund.txHash, observed);
  }

  private async apply(
    { id, paymentId }: Refund,
    txHash: string,
    observed: ObservedTransaction,
  ): Promise<void> {
    const assessment = await this.sql.transaction(async () => {
      const state = await this.payments.lock(paymentId);
      const refund = await this.refunds.lock(id);
      // The merchant named another transaction meanwhile, or another process was faster.
      if (refund.status !== 'PROCESSING' || refund.txHash !== txHash) return null;
      const assessed = await this.assess(refund, observed);
      await this.write(refund, assessed);
      if (assessed.kind === 'completed') {
        failpoint('refund.completed');
        // What did not count changes nothing of the payment when it is gone.
        if (refund.transferId !== null) return assessed;
        const { completed } = await this.refunds.sumOf(paymentId);
        await this.stateMachine.refund(state, completed, this.presenter.refund(refund));
      }
      return assessed;
    });
    if (assessment === null || assessment.kind === 'wait') return;
    this.logger.log({ refundId: id, paymentId, txHash, outcome: assessment.kind }, 'refund verified');
    // Wakes the dispatcher early; if the wake-up is lost, polling picks the event up.
    this.loops.wake(LoopName.WebhookDelivery);
  }

  private async assess(refund: Refund, observed: ObservedTransaction): Promise<PayoutAssessment> {
    const { id, asset, payoutAmount, confirmationsRequired, addressKey, txRecordedAt } = refund;
    if (!addressKey || !txRecordedAt) throw new Error(`refund ${refund.id} is processing without a payout`);
    const lastSeen = refund.txSeenAt ?? txRecordedAt;
    const unseenSeconds = (this.clock.now().getTime() - lastSeen.getTime()) / 1000;
    const payout = { id, asset, addressKey, payoutAmount, confirmationsRequired };
    const others = await this.refunds.listSharing(refund);
    // Two that are decided at the same time do not see each other; the database lets only one of them count what is not
    // enough for both, and the other is verified again.
    return assessPayout(payout, observed, unseenSeconds, {
      completed: others.filter(({ status }) => status === 'COMPLETED'),
      pending: others.filter(({ status }) => status === 'PROCESSING'),
    });
  }

  private async write(refund: Refund, assessment: PayoutAssessment): Promise<void> {
    const now = this.clock.now();
    const { confirmations } = assessment;
    switch (assessment.kind) {
      case 'wait':
        await this.refunds.observe(refund, confirmations, assessment.isSeen ? now : refund.txSeenAt);
        return;
      case 'completed': {
        const { credited: txCredited } = assessment;
        const changes = { status: 'COMPLETED', completedAt: now, confirmations, nextCheckAt: null } as const;
        await this.refunds.change(refund, { ...changes, txSeenAt: now, txCredited }, 'payout_confirmed', now);
        return;
      }
      case 'failed': {
        const { reason: failureReason } = assessment;
        const changes = { status: 'FAILED', failureReason, confirmations, nextCheckAt: null } as const;
        await this.refunds.change(refund, changes, failureReason, now);
      }
    }
  }
}
