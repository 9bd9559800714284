import { Injectable } from '@nestjs/common';
import { BlockIntervalService } from '../chains/block-interval.service.js';
import type { Chain } from '../chains/chain.pure.js';
import { isDelayed, stateSince } from '../chains/chain-health.pure.js';
import { ChainHealthService } from '../chains/chain-health.service.js';
import { Clock, toIsoSecondsOrNull } from '../platform/kernel/clock.pure.js';
import type { PaymentAggregate } from '../payments/payment.pure.js';
import { requirementOf } from '../payments/confirmation-policy.pure.js';
import type { PaymentConfirmationsContract } from './checkout.contract.js';
import { progressOf } from '../payments/confirmation-progress.pure.js';
import { blockSeconds, estimateSeconds, nextBlock } from './waiting-time.pure.js';

/** The confirmations of a payment's funds, and the estimated time until they count. */
@Injectable()
export class ConfirmationProgress {
  constructor(
    private readonly paces: BlockIntervalService,
    private readonly conditions: ChainHealthService,
    private readonly clock: Clock,
  ) {}

  /** @param asset of the expected funds: 'native', or the contract in lower case */
  async describe(
    state: PaymentAggregate,
    chain: Chain,
    asset: string,
  ): Promise<PaymentConfirmationsContract> {
    const progress = progressOf(state, chain, requirementOf(state, chain, asset));
    const { seen, required, finality, waitsFor } = progress;
    // Also before anything was sent: a customer should know that it would be seen late.
    const status = waitsFor === 'done' ? null : await this.conditions.statusOf(chain.slug);
    const delayed = status !== null && isDelayed(status.state, status.condition, this.clock.now());
    const since = delayed ? stateSince(status.state, status.condition, status.halted) : null;
    // Every page polls; only those that wait for blocks need the block interval.
    const isWaiting = waitsFor === 'blocks' && !delayed;
    const seconds = blockSeconds(isWaiting ? await this.paces.find(chain.slug) : null, chain);
    return {
      seen,
      required,
      finality,
      estimatedSecondsRemaining: estimateSeconds(progress, seconds, !delayed),
      delayed,
      delayedSince: toIsoSecondsOrNull(since),
      ...nextBlock(isWaiting ? (status?.condition?.roseAt ?? null) : null, seconds),
    };
  }

  /** Whether confirmations on a chain take longer than usual now. */
  async isDelayed(slug: string): Promise<boolean> {
    const { state, condition } = await this.conditions.statusOf(slug);
    return isDelayed(state, condition, this.clock.now());
  }
}
