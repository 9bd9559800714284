import { Injectable } from '@nestjs/common';
import { ApplicationsService } from '../applications/applications.service.js';
import { Clock, toIsoSeconds, toIsoSecondsOrNull } from '../platform/kernel/clock.pure.js';
import { ConflictError } from '../platform/kernel/errors/errors.pure.js';
import { PaymentsService } from '../payments/payments.service.js';
import type { PayoutAddress } from './payout-address.pure.js';
import { PayoutPlanner } from './payout-planner.service.js';
import type { RefundClaimContract } from './refund.contract.js';
import { isStillOwed } from './refund-requests.pure.js';
import { RefundPresenter } from './refund-presenter.service.js';
import { refundNotFound, RefundsService } from './refunds.service.js';
import type { Refund } from './refund.pure.js';
import { RefundRepository } from './refund.repository.js';

/**
 * What a customer does with a claim link: read the refund and name the address that receives it
 * (specification/refunds.md#claim-links). Callers have verified the link.
 */
@Injectable()
export class RefundClaims {
  constructor(
    private readonly clock: Clock,
    private readonly applications: ApplicationsService,
    private readonly payments: PaymentsService,
    private readonly repository: RefundRepository,
    private readonly refunds: RefundsService,
    private readonly planner: PayoutPlanner,
    private readonly presenter: RefundPresenter,
  ) {}

  /** The public part of a refund: without its owner, the merchant's note and why a payout failed. */
  async describe(refundId: string): Promise<RefundClaimContract> {
    return this.view(await this.get(refundId));
  }

  /** The entered address, parsed and validated, before it is confirmed. @throws ValidationError on `address` */
  async readAddress(refundId: string, text: string): Promise<PayoutAddress> {
    const { chain } = await this.get(refundId);
    return this.planner.readAddress(this.planner.chainOf(chain), text);
  }

  /**
   * Sets the address, once: a link that is found later must not redirect the funds, which the shop may have sent
   * already. The same address again changes nothing.
   * @throws ConflictError when another address is set
   */
  async claim(refundId: string, text: string): Promise<RefundClaimContract> {
    const { paymentId } = await this.get(refundId);
    const address = await this.readAddress(refundId, text);
    let isOwed = true;
    const claimed = await this.refunds.withLocked(paymentId, refundId, async (refund, state) => {
      const isFirst = refund.status === 'AWAITING_ADDRESS';
      isOwed = !isFirst || isStillOwed(refund, { status: state.payment.status, transfers: state.transfers });
      // Committed although it is an error, so that the merchant does not go on waiting for an address.
      if (!isOwed) return this.refunds.withdraw(refund, 'not_owed_any_more');
      if (!isFirst && refund.address !== address.address) {
        throw new ConflictError(
          'invalid_state_transition',
          `This refund is ${refund.status} and takes no address`,
        );
      }
      await this.refunds.writeAddress(refund, address, 'customer');
    });
    if (!isOwed) throw notOwedAnyMore();
    return this.view(claimed);
  }

  private async get(refundId: string): Promise<Refund> {
    const refund = await this.repository.find(refundId);
    if (!refund) throw refundNotFound();
    return refund;
  }

  private async view(refund: Refund): Promise<RefundClaimContract> {
    const { payment } = await this.payments.get(refund.paymentId);
    const { site, isSiteAuthentic } = await this.applications.getById(payment.applicationId);
    const { token } = this.presenter.refund(refund);
    return {
      id: refund.id,
      status: refund.status,
      transferId: refund.transferId,
      reference: payment.reference,
      referenceLabel: payment.referenceLabel,
      amount: this.presenter.amount(refund),
      payoutAmount: this.presenter.payoutAmount(refund),
      blockchain: this.presenter.blockchain(refund.chain),
      token,
      address: refund.address,
      memo: null,
      txHash: refund.txHash,
      explorerUrl: this.presenter.explorerUrl(refund),
      confirmations: { seen: refund.confirmations, required: refund.confirmationsRequired },
      completedAt: toIsoSecondsOrNull(refund.completedAt),
      expiresAt: toIsoSeconds(refund.expiresAt),
      serverTime: toIsoSeconds(this.clock.now()),
      merchantSettings: { title: site.title, url: isSiteAuthentic ? site.url : null },
    };
  }
}

function notOwedAnyMore(): ConflictError {
  return new ConflictError(
    'invalid_state_transition',
    'This refund is cancelled: the payment was paid in full, or the network has taken the funds back',
  );
}
