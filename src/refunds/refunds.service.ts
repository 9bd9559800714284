import { Injectable, Logger } from '@nestjs/common';
import { ChainsService } from '../chains/chains.service.js';
import { requirementFor, usualWait } from '../chains/required-confirmations.pure.js';
import type { AuditAction, AuditActor, AuditDetail } from '../platform/audit/audit-actions.pure.js';
import { AuditLog } from '../platform/audit/audit-log.service.js';
import type { Principal } from '../platform/security/auth.js';
import { Clock } from '../platform/runtime/clock.pure.js';
import { ConflictError, NotFoundError, ValidationError } from '../platform/errors/errors.pure.js';
import { newId, UUID } from '../platform/runtime/ids.pure.js';
import { Page, type PageQuery } from '../platform/http/pagination.js';
import { describePathId } from '../platform/http/path-id.pure.js';
import { PollingLoops } from '../platform/runtime/polling-loop.js';
import { LoopName } from '../platform/runtime/loop-name.pure.js';
import type { Draft } from '../platform/contract/read-contract.js';
import { Sql, sqlState } from '../platform/database/sql.js';
import { formatAmount } from '../money/present-amount.js';
import { getCurrency } from '../money/currencies.js';
import type { PaymentAggregate } from '../payments/payment.pure.js';
import { PaymentsService } from '../payments/payments.service.js';
import { parseTransactionHash, type PayoutAddress } from './payout-address.pure.js';
import { PayoutPlanner } from './payout-planner.service.js';
import {
  canMoveRefund,
  isRefundable,
  leftToRefund,
  type RefundBasis,
  type RefundStatus,
  refundTypeOf,
  takesAddress,
  takesTransaction,
} from './refund-status.pure.js';
import type { CreateRefundContract } from './refund.contract.js';
import type { Refund } from './refund.pure.js';
import { RefundRepository } from './refund.repository.js';

/** How long the customer can name an address (specification/refunds.md#claim-links). */
const CLAIM_DAYS = 30;
const UNIQUE_VIOLATION = '23505';

/**
 * The merchant's side of refunds: create, set the address, name the transaction, cancel
 * (specification/refunds.md#routes). Nothing here queries a node.
 */
@Injectable()
export class RefundsService {
  private readonly logger = new Logger('Refunds');

  constructor(
    private readonly sql: Sql,
    private readonly clock: Clock,
    private readonly payments: PaymentsService,
    private readonly chains: ChainsService,
    private readonly refunds: RefundRepository,
    private readonly planner: PayoutPlanner,
    private readonly loops: PollingLoops,
    private readonly audit: AuditLog,
  ) {}

  /** @throws ValidationError with every wrong field; ConflictError when the payment cannot be refunded */
  async create(principal: Principal, paymentId: string, draft: Draft<CreateRefundContract>): Promise<Refund> {
    const { given, problems } = draft;
    await this.payments.getOwned(principal, paymentId);
    const refund = await this.sql.transaction(async () => {
      const state = await this.payments.lock(paymentId);
      const basis = await this.basisOf(state);
      const amount = this.amountOf(state, basis, draft);
      const isPayoutWrong = problems.has('payoutCurrencyCode') || problems.has('blockchainSlug');
      const payout = isPayoutWrong
        ? null
        : await problems.collect(() => this.planner.payoutAsset(state, given));
      const isSumWrong = problems.has('amount') || problems.has('payoutAmount');
      const plan =
        isSumWrong || !payout
          ? null
          : await problems.collect(() => this.planner.plan(state, amount, payout, given));
      const address =
        payout && given.address
          ? await problems.collect(() => this.planner.readAddress(payout.chain, given.address ?? ''))
          : null;
      const body = draft.finish();
      if (!plan) throw new Error('a refund without a payout passed its checks');
      const { chain, asset, payoutAmount, rate, rateLockedAt } = plan;
      const now = this.clock.now();
      const created: Refund = {
        id: newId(now),
        paymentId,
        userId: state.payment.userId,
        type: refundTypeOf(basis, amount),
        status: address ? 'AWAITING_PAYMENT' : 'AWAITING_ADDRESS',
        statusSeq: 1,
        currencyCode: state.payment.currencyCode,
        amount,
        chain: chain.slug,
        asset: asset.asset,
        payoutCurrencyCode: asset.currencyCode,
        payoutDecimals: asset.decimals,
        payoutAmount,
        rate,
        rateLockedAt,
        confirmationsRequired: usualWait(chain, requirementFor(chain, asset.asset, payoutAmount, null)),
        address: address?.address ?? null,
        addressKey: address?.key ?? null,
        addressSetBy: address ? 'merchant' : null,
        txHash: null,
        txRecordedAt: null,
        txSeenAt: null,
        confirmations: 0,
        nextCheckAt: null,
        reason: body.reason ?? null,
        note: body.note ?? null,
        requestedBy: principal.userId,
        createdAt: now,
        expiresAt: claimEnd(now),
        completedAt: null,
        failureReason: null,
      };
      await this.refunds.insert(created);
      const { amount: promised, currencyCode } = created;
      await this.record('refund.created', created, { amount: promised.toString(), currencyCode });
      return created;
    });
    this.logger.log({ refundId: refund.id, paymentId, type: refund.type }, 'refund created');
    return refund;
  }

  /** @throws NotFoundError also for a foreign payment or refund */
  async get(principal: Principal, paymentId: string, refundId: string): Promise<Refund> {
    await this.payments.getOwned(principal, paymentId);
    const refund = UUID.test(refundId) ? await this.refunds.findOfPayment(paymentId, refundId) : null;
    if (!refund) throw refundNotFound();
    return refund;
  }

  async list(principal: Principal, paymentId: string, query: PageQuery): Promise<Page<Refund>> {
    await this.payments.getOwned(principal, paymentId);
    const { items, total } = await this.refunds.list(paymentId, query);
    return Page.of(items, total, query);
  }

  /** Sets or corrects the address before a transaction is recorded. */
  async setAddress(principal: Principal, paymentId: string, refundId: string, text: string): Promise<Refund> {
    const { chain } = await this.get(principal, paymentId, refundId);
    const address = await this.planner.readAddress(this.chainOf(chain), text);
    return this.withLocked(paymentId, refundId, (refund) => this.writeAddress(refund, address, 'merchant'));
  }

  /**
   * Records the transaction that the merchant reports as the payout; the verifier checks it on chain
   * (specification/refunds.md#verification).
   */
  async complete(principal: Principal, paymentId: string, refundId: string, text: string): Promise<Refund> {
    const { chain } = await this.get(principal, paymentId, refundId);
    const txHash = parseTransactionHash(this.chainOf(chain), text);
    if (!txHash) {
      throw ValidationError.of(
        'txHash',
        'The txHash field must be the hash of a transaction of the network.',
      );
    }
    const refund = await this.withLocked(paymentId, refundId, (locked) =>
      this.writeTransaction(locked, txHash),
    );
    this.loops.wake(LoopName.Refunds);
    return refund;
  }

  /** Cancels a refund without a recorded transaction, or whose transaction failed; idempotent. */
  async cancel(principal: Principal, paymentId: string, refundId: string): Promise<Refund> {
    await this.get(principal, paymentId, refundId);
    return this.withLocked(paymentId, refundId, async (refund) => {
      if (refund.status === 'CANCELLED') return;
      if (!canMoveRefund(refund.status, 'CANCELLED')) throw illegal(refund.status, 'cancelled');
      const changes = { status: 'CANCELLED', failureReason: null } as const;
      await this.refunds.change(refund, changes, 'cancelled_by_merchant', this.clock.now());
      await this.record('refund.cancelled', refund);
    });
  }

  /** Locks a payment and then its refund, and runs `work` in that transaction. */
  async withLocked(
    paymentId: string,
    refundId: string,
    work: (refund: Refund) => Promise<void>,
  ): Promise<Refund> {
    return this.sql.transaction(async () => {
      await this.payments.lock(paymentId);
      const refund = await this.refunds.lock(refundId);
      await work(refund);
      return refund;
    });
  }

  /** Sets the address of a locked refund; the same address again changes nothing. */
  async writeAddress(
    refund: Refund,
    { address, key }: PayoutAddress,
    setBy: 'merchant' | 'customer',
  ): Promise<void> {
    if (refund.address === address) return;
    if (!takesAddress(refund.status)) throw illegal(refund.status, 'given another address');
    const status = refund.status === 'AWAITING_ADDRESS' ? 'AWAITING_PAYMENT' : refund.status;
    const changes = { status, address, addressKey: key, addressSetBy: setBy };
    await this.refunds.change(refund, changes, `address_set_by_${setBy}`, this.clock.now());
    const customer = { kind: 'customer', id: null } as const;
    await this.record('refund.address_set', refund, { address }, setBy === 'customer' ? customer : undefined);
  }

  /** Must be the last statement of its transaction, see {@link AuditLog.record}. */
  private record(
    act: AuditAction,
    { id, userId, paymentId }: Refund,
    details: Record<string, AuditDetail> = {},
    actor?: AuditActor,
  ): Promise<void> {
    return this.audit.record({
      act,
      userId,
      target: { kind: 'refund', id },
      details: { paymentId, ...details },
      ...(actor && { actor }),
    });
  }

  private async writeTransaction(refund: Refund, txHash: string): Promise<void> {
    const isRepeated = refund.status === 'PROCESSING' || refund.status === 'COMPLETED';
    if (isRepeated && refund.txHash === txHash) return;
    if (!takesTransaction(refund.status)) throw illegal(refund.status, 'completed');
    if (await this.refunds.isTransactionTaken(refund, txHash)) throw transactionTaken();
    const now = this.clock.now();
    const changes = {
      status: 'PROCESSING',
      txHash,
      txRecordedAt: now,
      txSeenAt: null,
      confirmations: 0,
      nextCheckAt: now,
      failureReason: null,
    } as const;
    try {
      await this.refunds.change(refund, changes, 'transaction_recorded', now);
    } catch (error) {
      // A refund of another payment recorded it at the same time.
      if (sqlState(error) === UNIQUE_VIOLATION) throw transactionTaken();
      throw error;
    }
    await this.record('refund.transaction_recorded', refund, { txHash });
  }

  private async basisOf({ payment }: PaymentAggregate): Promise<RefundBasis> {
    const { promised } = await this.refunds.sumOf(payment.id);
    const { status, receivedAmount, overpaidAmount } = payment;
    return { status, received: receivedAmount, overpaid: overpaidAmount, promised };
  }

  private amountOf(
    { payment }: PaymentAggregate,
    basis: RefundBasis,
    { given, problems }: Draft<CreateRefundContract>,
  ): bigint {
    if (!isRefundable(basis)) {
      throw new ConflictError(
        'invalid_state_transition',
        `A payment that is ${basis.status} and has received ${basis.received === 0n ? 'nothing' : 'funds'} cannot be refunded`,
        {
          hint: 'Funds can be given back once they were received and confirmed; an unpaid payment can be cancelled by POST /api/payment/{paymentId}/cancel.',
        },
      );
    }
    if (given.currencyCode && given.currencyCode !== payment.currencyCode) {
      problems.add('currencyCode', `The currencyCode field must be ${payment.currencyCode}.`);
    }
    const left = leftToRefund(basis);
    const amount = given.amount ?? left;
    if (amount > left || left === 0n) {
      const most = formatAmount(left, getCurrency(payment.currencyCode));
      problems.add('amount', `The amount field must not be greater than ${left} (${most} are left).`);
    }
    return amount;
  }

  private chainOf(slug: string) {
    const chain = this.chains.find(slug);
    if (!chain) {
      throw new ConflictError('invalid_state_transition', `The network ${slug} is not available any more`);
    }
    return chain;
  }
}

function claimEnd(now: Date): Date {
  const seconds = Math.floor(now.getTime() / 1000) + CLAIM_DAYS * 86_400;
  return new Date(seconds * 1000);
}

function illegal(status: RefundStatus, what: string): ConflictError {
  return new ConflictError('invalid_state_transition', `A refund that is ${status} cannot be ${what}`, {
    hint: 'GET /api/payment/{paymentId}/refunds shows where each refund stands; for what was not paid out, create another one.',
  });
}

function transactionTaken(): ValidationError {
  return ValidationError.of('txHash', 'The txHash field names the transaction of another refund.');
}

/**
 * The same error for unknown and foreign ids.
 * @param id from the path of a public route; the hint depends on its form only
 */
export function refundNotFound(id?: string): NotFoundError {
  const hint = id === undefined ? undefined : describePathId('refund', id);
  return new NotFoundError('refund_not_found', 'Refund not found', hint);
}
