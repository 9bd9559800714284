import { Injectable, Logger } from '@nestjs/common';
import type { AuditActor } from '../platform/kernel/audit-actions.pure.js';
import { actorIdOf, type Principal } from '../platform/kernel/principal.pure.js';
import { Clock } from '../platform/kernel/clock.pure.js';
import { ConflictError, NotFoundError, ValidationError } from '../platform/kernel/errors/errors.pure.js';
import { UUID } from '../platform/kernel/ids.pure.js';
import { Page, type PageQuery } from '../platform/web/http/pagination.js';
import { describePathId } from '../platform/kernel/path-id.pure.js';
import { PollingLoops } from '../platform/database/polling-loop.js';
import { LoopName } from '../platform/kernel/loop-name.pure.js';
import type { Draft } from '../platform/web/contract/read-contract.js';
import { sqlState } from '../platform/database/database-errors.pure.js';
import { Sql } from '../platform/database/sql.js';
import type { PaymentAggregate } from '../payments/payment.pure.js';
import { PaymentsService } from '../payments/payments.service.js';
import { newRefund, type RefundOrigin, type RefundPromise } from './new-refund.js';
import { parseTransactionHash, type PayoutAddress } from './payout-address.pure.js';
import { PayoutPlanner } from './payout-planner.service.js';
import { RefundNotices } from './refund-notices.service.js';
import { RefundPromises } from './refund-promises.service.js';
import {
  canMoveRefund,
  isReportedAs,
  type RefundStatus,
  takesAddress,
  takesTransaction,
} from './refund-status.pure.js';
import type { CreateRefundContract } from './refund.contract.js';
import type { Refund } from './refund.pure.js';
import { RefundRepository } from './refund.repository.js';

const UNIQUE_VIOLATION = '23505';
const CUSTOMER: AuditActor = { kind: 'customer', id: null };

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
    private readonly refunds: RefundRepository,
    private readonly promises: RefundPromises,
    private readonly planner: PayoutPlanner,
    private readonly loops: PollingLoops,
    private readonly notices: RefundNotices,
  ) {}

  /** @throws ConflictError for a transfer that a refund gives back: it cannot count for the payment as well */
  async refusePromised(transferId: string): Promise<void> {
    if (!(await this.refunds.isTransferPromised(transferId))) return;
    throw new ConflictError('invalid_state_transition', 'A refund gives this transaction back', {
      hint: 'Cancel the refund first by POST /api/payment/{paymentId}/refunds/{refundId}/cancel; one that is paid stays.',
    });
  }

  /** @throws ValidationError with every wrong field; ConflictError when the payment cannot be refunded */
  async create(principal: Principal, paymentId: string, draft: Draft<CreateRefundContract>): Promise<Refund> {
    const { given, problems } = draft;
    await this.payments.getOwned(principal, paymentId);
    return this.sql.transaction(async () => {
      const state = await this.payments.lock(paymentId);
      const { chain, promise } = await this.promises.read(state, draft);
      const address =
        chain && given.address
          ? await problems.collect(() => this.planner.readAddress(chain, given.address ?? ''))
          : null;
      const { reason = null, note = null } = draft.finish();
      if (!promise) throw new Error('a refund without a payout passed its checks');
      return this.add(state, promise, { requestedBy: actorIdOf(principal), address, reason, note });
    });
  }

  /** Inserts a refund of a locked payment; the last statement of its transaction. */
  async add(state: PaymentAggregate, promise: RefundPromise, origin: RefundOrigin): Promise<Refund> {
    const refund = newRefund(state.payment, promise, origin, this.clock.now());
    await this.refunds.insert(refund);
    const { amount, currencyCode, transferId, type } = refund;
    const details = { amount: amount.toString(), currencyCode, ...(transferId !== null && { transferId }) };
    await this.notices.record(
      'refund.created',
      refund,
      details,
      origin.requestedBy === null ? CUSTOMER : undefined,
    );
    this.logger.log({ refundId: refund.id, paymentId: refund.paymentId, type }, 'refund created');
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
    const address = await this.planner.readAddress(this.planner.chainOf(chain), text);
    return this.withLocked(paymentId, refundId, (refund) => this.writeAddress(refund, address, 'merchant'));
  }

  /**
   * Records the transaction that the merchant reports as the payout; the verifier checks it on chain
   * (specification/refunds.md#verification).
   */
  async complete(principal: Principal, paymentId: string, refundId: string, text: string): Promise<Refund> {
    const { chain } = await this.get(principal, paymentId, refundId);
    const txHash = parseTransactionHash(this.planner.chainOf(chain), text);
    if (!txHash) {
      throw ValidationError.of(
        'txHash',
        'The txHash field must be the hash of a transaction of the network.',
      );
    }
    const refund = await this.withLocked(paymentId, refundId, async (locked) => {
      if (await this.writeTransaction(locked, txHash)) await this.noticeTransaction(locked);
    });
    this.loops.wake(LoopName.Refunds);
    return refund;
  }

  /** Cancels a refund without a recorded transaction, or whose transaction failed; idempotent. */
  async cancel(principal: Principal, paymentId: string, refundId: string): Promise<Refund> {
    await this.get(principal, paymentId, refundId);
    return this.withLocked(paymentId, refundId, async (refund) => {
      if (refund.status === 'CANCELLED') return;
      if (!canMoveRefund(refund.status, 'CANCELLED')) throw illegal(refund.status, 'cancelled');
      await this.withdraw(refund, 'cancelled_by_merchant');
    });
  }

  /** Cancels a locked refund whose status allows it; the last statement of its transaction. */
  async withdraw(refund: Refund, reason: 'cancelled_by_merchant' | 'not_owed_any_more'): Promise<void> {
    const changes = { status: 'CANCELLED', failureReason: null } as const;
    await this.refunds.change(refund, changes, reason, this.clock.now());
    const actor = reason === 'not_owed_any_more' ? CUSTOMER : undefined;
    await this.notices.record('refund.cancelled', refund, {}, actor);
  }

  /** Locks a payment and then its refund, and runs `work` in that transaction. */
  async withLocked(
    paymentId: string,
    refundId: string,
    work: (refund: Refund, state: PaymentAggregate) => Promise<void>,
  ): Promise<Refund> {
    return this.sql.transaction(async () => {
      const state = await this.payments.lock(paymentId);
      const refund = await this.refunds.lock(refundId);
      await work(refund, state);
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
    const isAsked = setBy === 'customer' && refund.requestedBy === null;
    if (isAsked) await this.notices.announceRequest(refund);
    await this.notices.record(
      'refund.address_set',
      refund,
      { address },
      setBy === 'customer' ? CUSTOMER : undefined,
    );
  }

  /** Records the transaction of a locked refund. @returns false: it was recorded before */
  async writeTransaction(refund: Refund, txHash: string): Promise<boolean> {
    if (isReportedAs(refund, txHash)) return false;
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
      // Another user recorded it at the same time.
      if (sqlState(error) === UNIQUE_VIOLATION) throw transactionTaken();
      throw error;
    }
    return true;
  }

  /** As {@link RefundNotices.record}. */
  noticeTransaction(refund: Refund): Promise<void> {
    return this.notices.record('refund.transaction_recorded', refund, { txHash: refund.txHash });
  }
}

function illegal(status: RefundStatus, what: string): ConflictError {
  return new ConflictError('invalid_state_transition', `A refund that is ${status} cannot be ${what}`, {
    hint: 'GET /api/payment/{paymentId}/refunds shows where each refund stands; for what was not paid out, create another one.',
  });
}

function transactionTaken(): ValidationError {
  return ValidationError.of(
    'txHash',
    'The txHash field names the transaction of a refund of another account.',
  );
}

/**
 * The same error for unknown and foreign ids.
 * @param id from the path of a public route; the hint depends on its form only
 */
export function refundNotFound(id?: string): NotFoundError {
  const hint = id === undefined ? undefined : describePathId('refund', id);
  return new NotFoundError('refund_not_found', 'Refund not found', hint);
}
