import { Injectable } from '@nestjs/common';
import { fundsOf } from '../payments/transfers/payment-funds.pure.js';
import type { PaymentAggregate } from '../payments/payment.pure.js';
import { PaymentsService } from '../payments/payments.service.js';
import { Sql } from '../platform/database/sql.js';
import { ConflictError } from '../platform/kernel/errors/errors.pure.js';
import { RefundPresenter } from './refund-presenter.service.js';
import { RefundPromises } from './refund-promises.service.js';
import type { ReturnableFundsContract } from './refund-request.contract.js';
import {
  isReturnable,
  type RequestFacts,
  type RequestSubject,
  type Returnable,
  returnableFunds,
} from './refund-requests.pure.js';
import type { Refund } from './refund.pure.js';
import { RefundRepository } from './refund.repository.js';
import { RefundsService } from './refunds.service.js';

/**
 * What customers ask back by themselves, on the page of the payment (specification/refunds.md#requests). Callers have
 * verified the link of the payment.
 */
@Injectable()
export class RefundRequests {
  constructor(
    private readonly sql: Sql,
    private readonly payments: PaymentsService,
    private readonly repository: RefundRepository,
    private readonly refunds: RefundsService,
    private readonly promises: RefundPromises,
    private readonly presenter: RefundPresenter,
  ) {}

  /** All that can be asked back, and what became of earlier requests. */
  async list(state: PaymentAggregate): Promise<ReturnableFundsContract[]> {
    // The usual payment, whose status is polled, costs no query.
    if (!mayHaveAny(state)) return [];
    return this.returnable(state, await this.repository.listAll(state.payment.id)).flatMap((funds) => {
      if (funds.refund) return [this.presenter.requested(funds, funds.refund)];
      const promise = this.promises.ofRequest(state, funds);
      return promise ? [this.presenter.returnable(funds, promise.plan)] : [];
    });
  }

  /**
   * Creates the refund that the customer asks for; while it stands, asking again returns the same one.
   * @param seen the sum that the customer saw, in the smallest unit of the coin; null: not said
   * @throws ConflictError if there is nothing of that kind to give back
   * @throws ReturnableChanged if another sum can be asked back by now
   */
  async request(
    paymentId: string,
    subject: RequestSubject,
    seen: bigint | null,
  ): Promise<ReturnableFundsContract> {
    return this.sql.transaction(async () => {
      const state = await this.payments.lock(paymentId);
      const all = this.returnable(state, await this.repository.listAll(paymentId));
      const alike = all.filter(
        ({ type, transferId }) => type === subject.type && transferId === subject.transferId,
      );
      const funds = alike.find(({ refund }) => refund === null) ?? alike[0];
      if (!funds) throw nothingToReturn();
      if (funds.refund) return this.presenter.requested(funds, standing(funds.refund));
      const promise = this.promises.ofRequest(state, funds);
      if (!promise) throw nothingToReturn();
      if (seen !== null && seen !== promise.plan.payoutAmount) throw new ReturnableChanged();
      const origin = { requestedBy: null, address: null, reason: null, note: null };
      return this.presenter.requested(funds, await this.refunds.add(state, promise, origin));
    });
  }

  private returnable(state: PaymentAggregate, refunds: readonly Refund[]): Returnable<Refund>[] {
    return returnableFunds(this.factsOf(state, refunds));
  }

  private factsOf(state: PaymentAggregate, refunds: readonly Refund[]): RequestFacts<Refund> {
    const { payment, transfers, site } = state;
    const { countedAmount, leastAmount, isLeastShareMet } = fundsOf(state);
    return {
      status: payment.status,
      received: countedAmount,
      least: leastAmount,
      overpaid: payment.overpaidAmount,
      isAcceptedSoon: site.allowUnderpay && isLeastShareMet,
      // Sums are no transfers that could be given back.
      transfers: transfers.filter(({ sumOf }) => sumOf === null),
      refunds,
    };
  }
}

/** More arrived, or some of it went back, while the customer looked at the sum. */
export class ReturnableChanged extends ConflictError {
  constructor() {
    super('invalid_state_transition', 'Another sum can be given back by now', {
      hint: '`returnable` of the status of the payment has it. Show it, and ask again.',
    });
  }
}

/** False only where there is certainly nothing, and nothing was asked for. */
function mayHaveAny({ payment, transfers }: PaymentAggregate): boolean {
  return (payment.status !== 'OPEN' && payment.status !== 'FOUND') || transfers.some(isReturnable);
}

/** A request that stands or was carried out. @throws ConflictError if it is of no use to the customer */
function standing(refund: Refund): Refund {
  if (refund.requestedBy !== null)
    throw new ConflictError('invalid_state_transition', 'The shop gives these funds back already', {
      hint: 'The shop has a link where the address is entered.',
    });
  if (refund.status === 'CANCELLED')
    throw new ConflictError('invalid_state_transition', 'The shop has cancelled this refund', {
      hint: 'Contact the shop.',
    });
  return refund;
}

function nothingToReturn(): ConflictError {
  return new ConflictError('invalid_state_transition', 'There is nothing of this kind to give back now', {
    hint: '`returnable` of the status of the payment lists what there is.',
  });
}
