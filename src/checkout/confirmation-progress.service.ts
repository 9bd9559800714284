import { Injectable } from '@nestjs/common';
import { BlockPaces } from '../chains/block-pace.service.js';
import type { Chain } from '../chains/chain-catalogue.js';
import { isDelayed } from '../chains/chain-condition.js';
import { ChainConditions } from '../chains/chain-conditions.service.js';
import { Clock } from '../common/clock.js';
import type { PaymentState } from '../payments/payment.js';
import { demandedConfirmations } from '../payments/stake.js';
import { progressOf } from './confirmations.js';
import { blockSeconds, estimateSeconds } from './waiting-time.js';

/** How far a payment's funds are, and for how long they will probably wait. */
@Injectable()
export class ConfirmationProgress {
  constructor(
    private readonly paces: BlockPaces,
    private readonly conditions: ChainConditions,
    private readonly clock: Clock,
  ) {}

  /** @param asset that is paid with: 'native' or the contract in lower case */
  async describe(state: PaymentState, chain: Chain, asset: string) {
    const progress = progressOf(state, chain.slug, demandedConfirmations(state, chain, asset));
    const { seen, required, waitsFor } = progress;
    // Everybody polls; only who waits for blocks needs to know how they come.
    const delayed = waitsFor === 'blocks' && (await this.isDelayed(chain));
    const pace = waitsFor === 'blocks' && !delayed ? await this.paces.find(chain.slug) : null;
    const estimatedSecondsRemaining = estimateSeconds(progress, blockSeconds(pace, chain), !delayed);
    return { seen, required, estimatedSecondsRemaining, delayed };
  }

  private async isDelayed({ slug }: Chain): Promise<boolean> {
    const { state, condition } = await this.conditions.judge(slug);
    return isDelayed(state, condition, this.clock.now());
  }
}
