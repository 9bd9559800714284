import { Injectable, Logger } from '@nestjs/common';
import { ChainsService } from '../chains/chains.service.js';
import { Clock } from '../platform/kernel/clock.pure.js';
import { PollingLoops } from '../platform/database/polling-loop.js';
import { LoopName } from '../platform/kernel/loop-name.pure.js';
import { Sql } from '../platform/database/sql.js';
import { decideExpiry, EXPIRY_GRACE_SECONDS, secondsToNextCheck } from './payment-expiry.pure.js';
import { PaymentExpiryRepository } from './payment-expiry.repository.js';
import { PaymentStateMachine } from './payment-state-machine.service.js';
import type { PaymentEntity } from './payment.entity.js';
import { PaymentRepository } from './payment.repository.js';
import type { PaymentAggregate } from './payment.pure.js';
import { afterDistrust } from './audit/payment-integrity.pure.js';
import { fundsOf } from './transfers/payment-funds.pure.js';

/** Payments of one transaction. */
const BATCH = 50;

/**
 * Announces payment.expired for payments that expired without funds, where the application receives that event: once,
 * whichever process comes first, and never before every chain that could have brought funds was read beyond the expiry.
 * Payments that expired while the gateway was down follow in the next turn.
 */
@Injectable()
export class PaymentExpiry {
  private readonly logger = new Logger('PaymentExpiry');

  constructor(
    private readonly sql: Sql,
    private readonly clock: Clock,
    private readonly chains: ChainsService,
    private readonly stateMachine: PaymentStateMachine,
    private readonly loops: PollingLoops,
    private readonly payments: PaymentRepository,
    private readonly expiries: PaymentExpiryRepository,
  ) {}

  /** Handles one batch; returns whether more may be due. */
  async runOnce(): Promise<boolean> {
    const cutoff = new Date(this.clock.now().getTime() - EXPIRY_GRACE_SECONDS * 1_000);
    const due = await this.expiries.listDue(cutoff, BATCH);
    if (due.length === 0) return false;
    const announced = await this.sql.transaction(() => this.announceDue(due));
    if (announced > 0) {
      this.loops.wake(LoopName.WebhookDelivery);
      this.logger.log({ count: announced }, 'unpaid payments expired');
    }
    return due.length === BATCH;
  }

  /** Under the payments' locks, which the recording of transfers takes as well. Returns how many were announced. */
  private async announceDue(ids: readonly string[]): Promise<number> {
    const chains = this.chains.list();
    const states = await this.payments.lockForUpdate(ids);
    const [facts, seenUntil] = await Promise.all([
      this.expiries.listFacts(ids),
      this.expiries.seenUntil(chains.map(({ slug }) => slug)),
    ]);
    const factsOf = new Map(facts.map((row) => [row.id, row]));
    const [announced, distrusted]: [PaymentAggregate[], PaymentAggregate[]] = [[], []];
    const checks: Pick<PaymentEntity, 'id' | 'expiryCheckAt'>[] = [];
    const now = this.clock.now();
    for (const state of states) {
      const { id, status, expiresAt } = state.payment;
      const fact = factsOf.get(id);
      if (!fact) continue;
      if (!state.isAuthentic) {
        distrusted.push(state);
        checks.push({ id, expiryCheckAt: afterDistrust(now) });
        continue;
      }
      const hasFunds = fact.hasUnmatched || fundsOf(state).isSeen;
      const payable = chains.filter(({ family }) => fact.families.includes(family));
      const seen = payable.map(({ slug }) => seenUntil.get(slug) ?? null);
      const decision = decideExpiry({ status, expiresAt, hasFunds, seenUntil: seen, ...fact });
      if (decision === 'announce') announced.push(state);
      // Compared with the cutoff, which lies the grace before now.
      const again = now.getTime() + (secondsToNextCheck(expiresAt, now) - EXPIRY_GRACE_SECONDS) * 1_000;
      checks.push({ id, expiryCheckAt: decision === 'wait' ? new Date(again) : 'infinity' });
    }
    await this.stateMachine.announceExpiry(announced);
    await this.stateMachine.settleAll(distrusted);
    await this.expiries.setChecks(checks);
    return announced.length;
  }
}
