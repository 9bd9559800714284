import { Injectable } from '@nestjs/common';
import type { AmountContract } from '../money/amount.contract.js';
import { toIsoSecondsOrNull } from '../platform/kernel/clock.pure.js';
import { RefundPresenter } from './refund-presenter.service.js';
import { RefundRepository } from './refund.repository.js';

/** A refund that was sent, as customers may see it: without its address. */
export interface SentRefund {
  /** The network has confirmed it. */
  isCompleted: boolean;
  /** In the currency of the payment; null: a transfer that did not count was given back. */
  amount: AmountContract | null;
  /** In the coin. */
  payoutAmount: AmountContract;
  /** The slug of the blockchain. */
  chain: string;
  txHash: string | null;
  explorerUrl: string | null;
  completedAt: string | null;
}

/** The refunds of a payment that were sent, for its receipt. */
@Injectable()
export class SentRefunds {
  constructor(
    private readonly refunds: RefundRepository,
    private readonly presenter: RefundPresenter,
  ) {}

  /** Without checking the owner: the caller has verified a link of the payment. Oldest first. */
  async list(paymentId: string): Promise<SentRefund[]> {
    return (await this.refunds.listSent(paymentId)).map((refund) => ({
      isCompleted: refund.status === 'COMPLETED',
      amount: refund.transferId === null ? this.presenter.amount(refund) : null,
      payoutAmount: this.presenter.payoutAmount(refund),
      chain: refund.chain,
      txHash: refund.txHash,
      explorerUrl: this.presenter.explorerUrl(refund),
      completedAt: toIsoSecondsOrNull(refund.completedAt),
    }));
  }
}
