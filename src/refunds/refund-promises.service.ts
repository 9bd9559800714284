import { Injectable } from '@nestjs/common';
import type { Chain } from '../chains/chain.pure.js';
import { getCurrency } from '../money/currencies.js';
import { formatAmount } from '../money/present-amount.js';
import type { PaymentAggregate, Transfer } from '../payments/payment.pure.js';
import { isRefundable, leftToRefund, refusalOf, type Standing } from '../payments/payment-moves.pure.js';
import { PaymentsService } from '../payments/payments.service.js';
import type { Draft } from '../platform/web/contract/read-contract.js';
import { ConflictError } from '../platform/kernel/errors/errors.pure.js';
import type { RefundPromise } from './new-refund.js';
import { PayoutPlanner } from './payout-planner.service.js';
import { isReturnable, type Returnable, type RequestedRefund } from './refund-requests.pure.js';
import { refundTypeOf } from './refund-status.pure.js';
import type { CreateRefundContract } from './refund.contract.js';
import { RefundRepository } from './refund.repository.js';

type RefundDraft = Draft<CreateRefundContract>;

/** What the merchant asks for. */
interface ReadPromise {
  /** Null: a field about it is wrong. */
  chain: Chain | null;
  /** Null: some field is wrong. */
  promise: RefundPromise | null;
}

/** A transfer goes back as it came. */
const DECIDED_BY_TRANSFER = [
  'amount',
  'currencyCode',
  'payoutCurrencyCode',
  'blockchainSlug',
  'payoutAmount',
] as const;

/** Decides what a refund promises: a part of what the payment has received, or one unmatched transfer. */
@Injectable()
export class RefundPromises {
  constructor(
    private readonly refunds: RefundRepository,
    private readonly planner: PayoutPlanner,
    private readonly payments: PaymentsService,
  ) {}

  /** Adds every wrong field to the problems of the draft. @throws ConflictError when the payment cannot be refunded */
  async read(state: PaymentAggregate, draft: RefundDraft): Promise<ReadPromise> {
    if (draft.problems.has('transferId')) return { chain: null, promise: null };
    return draft.given.transferId ? this.readTransfer(state, draft) : this.readFunds(state, draft);
  }

  /** What a customer asks for; null if it cannot be sent. */
  ofRequest(
    state: PaymentAggregate,
    { type, transferId, amount }: Returnable<RequestedRefund>,
  ): RefundPromise | null {
    const transfer = state.transfers.find(({ id }) => id === transferId);
    const plan = transfer ? this.planner.planReturn(transfer) : this.planner.planAsPaid(state, amount);
    return plan && { type, amount, transferId, plan };
  }

  private async readTransfer(
    state: PaymentAggregate,
    { given, problems }: RefundDraft,
  ): Promise<ReadPromise> {
    for (const field of DECIDED_BY_TRANSFER)
      if (given[field] !== undefined && given[field] !== null)
        problems.add(
          field,
          `The ${field} field must be left out with transferId: the transaction goes back as it came.`,
        );
    const transfer = state.transfers.find(({ id }) => id === given.transferId);
    if (!transfer) {
      problems.add('transferId', 'The selected transferId is invalid: this payment has no such transaction.');
      return { chain: null, promise: null };
    }
    if (!isReturnable(transfer)) throw notReturnable(transfer);
    if (await this.refunds.isTransferPromised(transfer.id)) throw alreadyPromised();
    const plan = this.planner.planReturn(transfer);
    if (!plan) throw this.planner.unavailable(transfer.chain);
    return { chain: plan.chain, promise: { type: 'UNEXPECTED', amount: 0n, transferId: transfer.id, plan } };
  }

  private async readFunds(state: PaymentAggregate, draft: RefundDraft): Promise<ReadPromise> {
    const { given, problems } = draft;
    const standing = await this.payments.standingOf(state);
    const amount = this.amountOf(state, standing, draft);
    const isPayoutWrong = problems.has('payoutCurrencyCode') || problems.has('blockchainSlug');
    const payout = isPayoutWrong
      ? null
      : await problems.collect(() => this.planner.payoutAsset(state, given));
    const isSumWrong = problems.has('amount') || problems.has('payoutAmount');
    const plan =
      isSumWrong || !payout
        ? null
        : await problems.collect(() => this.planner.plan(state, amount, payout, given));
    const { status, receivedAmount: received, overpaidAmount: overpaid } = state.payment;
    const type = refundTypeOf({ status, received, overpaid, promised: standing.promised }, amount);
    const promise = plan && { type, amount, transferId: null, plan };
    return { chain: payout?.chain ?? null, promise };
  }

  private amountOf(
    { payment }: PaymentAggregate,
    standing: Standing,
    { given, problems }: RefundDraft,
  ): bigint {
    if (!isRefundable(standing)) {
      const what = standing.funds.receivedAmount === 0n ? 'nothing' : 'too little that is confirmed';
      throw new ConflictError(
        'invalid_state_transition',
        `A payment that is ${payment.status} and has received ${what} cannot be refunded`,
        { hint: refusalOf(standing, 'refund') },
      );
    }
    if (given.currencyCode && given.currencyCode !== payment.currencyCode) {
      problems.add('currencyCode', `The currencyCode field must be ${payment.currencyCode}.`);
    }
    const left = leftToRefund(standing);
    const amount = given.amount ?? left;
    if (amount > left || left === 0n) {
      const most = formatAmount(left, getCurrency(payment.currencyCode));
      problems.add('amount', `The amount field must not be greater than ${left} (${most} are left).`);
    }
    return amount;
  }
}

function notReturnable({ isMatched, isDust }: Transfer): ConflictError {
  if (isMatched)
    return new ConflictError(
      'invalid_state_transition',
      'This transaction counts for the payment, so it is refunded with it',
      { hint: 'Leave out transferId, and name the amount.' },
    );
  return isDust
    ? new ConflictError('invalid_state_transition', 'This transaction is too small to be sent back')
    : new ConflictError('invalid_state_transition', 'This transaction is not confirmed', {
        hint: 'GET /api/payment/{paymentId} shows its confirmations.',
      });
}

function alreadyPromised(): ConflictError {
  return new ConflictError('invalid_state_transition', 'Another refund gives this transaction back', {
    hint: 'GET /api/payment/{paymentId}/refunds lists it, by its transferId.',
  });
}
