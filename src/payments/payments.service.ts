import { Injectable } from '@nestjs/common';
import { AuditLog } from '../platform/integrity/audit-log.service.js';
import type { Principal } from '../platform/kernel/principal.pure.js';
import { Clock } from '../platform/kernel/clock.pure.js';
import { ConflictError, NotFoundError } from '../platform/kernel/errors/errors.pure.js';
import { describePathId } from '../platform/kernel/path-id.pure.js';
import { PollingLoops } from '../platform/database/polling-loop.js';
import { LoopName } from '../platform/kernel/loop-name.pure.js';
import { getCurrency } from '../money/currencies.js';
import { formatAmount } from '../money/present-amount.js';
import { Sql } from '../platform/database/sql.js';
import type { CursorQuery } from '../platform/web/http/cursor-query.js';
import { PaymentEventRepository } from './payment-event.repository.js';
import { PaymentStateMachine } from './payment-state-machine.service.js';
import type { Payment, PaymentAggregate, Transfer } from './payment.pure.js';
import { PaymentRepository } from './payment.repository.js';
import { PaymentTransferRepository } from './transfers/payment-transfer.repository.js';
import { isAcceptable, isCancellable, leftToRefund, refusalOf, type Standing } from './payment-moves.pure.js';
import { fundsOf } from './transfers/payment-funds.pure.js';
import { isHeldAsOverpaid } from './payment-status.pure.js';
import { PaymentIntegrityError, requireAuthentic } from './audit/payment-integrity.pure.js';
import { type Open, openOf } from './too-much/open-sums.pure.js';
import { isKeepable, type OfPayment, tooMuchFacts, tooMuchOf } from './too-much/too-much.pure.js';

/** Reads payments, and carries out what merchants decide about them; also acknowledgements and permanent failures. */
@Injectable()
export class PaymentsService {
  constructor(
    private readonly sql: Sql,
    private readonly clock: Clock,
    private readonly audit: AuditLog,
    private readonly stateMachine: PaymentStateMachine,
    private readonly loops: PollingLoops,
    private readonly payments: PaymentRepository,
    private readonly transfers: PaymentTransferRepository,
    private readonly events: PaymentEventRepository,
  ) {}

  /** A payment that the principal may see. @throws NotFoundError also for a foreign one */
  async getOwned(principal: Principal, paymentId: string): Promise<PaymentAggregate> {
    const state = await this.findOwned(principal, paymentId);
    if (!state) throw paymentNotFound();
    return state;
  }

  /** {@link getOwned}, or null. @throws PaymentIntegrityError */
  async findOwned(principal: Principal, paymentId: string): Promise<PaymentAggregate | null> {
    const applicationId = principal.kind === 'client' ? principal.applicationId : null;
    const found = await this.payments.findOwned(paymentId, principal.userId, applicationId);
    if (found) await this.check(found);
    return found;
  }

  /** {@link findOwned} with each transfer as it is, also of a payment with many. */
  async findOwnedWithEach(principal: Principal, paymentId: string): Promise<PaymentAggregate | null> {
    return (await this.findOwned(principal, paymentId)) && this.payments.find(paymentId);
  }

  /** Newest first; one more than the limit if there are more. */
  listTransfers(paymentId: string, { after, limit }: CursorQuery): Promise<Transfer[]> {
    return this.transfers.listBefore(paymentId, after, limit);
  }

  /** A payment whose checkout link was verified. @throws NotFoundError; PaymentIntegrityError */
  async get(paymentId: string): Promise<PaymentAggregate> {
    const found = await this.payments.findSummed(paymentId);
    if (!found) throw paymentNotFound();
    await this.check(found);
    return found;
  }

  /**
   * Cheaper than reading the payment: a text that changes with everything that is stored about it, its settings and the
   * confirmations of its transfers. Null: there is none.
   */
  findMark(paymentId: string): Promise<string | null> {
    return this.payments.findMark(paymentId);
  }

  /** {@link findMark} of many payments at once. */
  async marksOf(paymentIds: readonly string[]): Promise<Map<string, string>> {
    return this.payments.marksOf(paymentIds);
  }

  /** Where the events of each payment go that is authentic; null: where those of its application go. */
  listCallbacks(paymentIds: readonly string[]): Promise<Map<string, string | null>> {
    return this.payments.listCallbacks(paymentIds);
  }

  /** Locks a payment and reads its facts, in the caller's transaction. @throws NotFoundError; PaymentIntegrityError */
  async lock(paymentId: string): Promise<PaymentAggregate> {
    const [state] = await this.payments.lockForUpdate([paymentId]);
    if (!state) throw paymentNotFound();
    requireAuthentic(state);
    return state;
  }

  /** {@link lock} of several, always in the same order; those that are not authentic say so. */
  lockAll(paymentIds: readonly string[]): Promise<PaymentAggregate[]> {
    return this.payments.lockForUpdate(paymentIds);
  }

  /** Also has the sweep mark it: whoever reads it has no lock. @throws PaymentIntegrityError */
  private async check({ payment, isAuthentic }: PaymentAggregate): Promise<void> {
    if (isAuthentic) return;
    if (payment.reviewReason !== 'integrity') await this.doubt(payment.id);
    throw new PaymentIntegrityError();
  }

  /** Has the sweep look at a payment, which marks it if it is not authentic. */
  doubt(paymentId: string): Promise<void> {
    return this.payments.setRecheck(paymentId, this.clock.now());
  }

  /** What decides about the merchant's moves of a locked payment. */
  async standingOf(state: PaymentAggregate): Promise<Standing> {
    const beside = (await this.payments.beside.standingsOf([state.payment.id])).get(state.payment.id);
    return standing(state, beside);
  }

  /** Payments of a user with what decides about moves of them, in no order; the others are left out. */
  async listStandings(
    userId: string,
    paymentIds: readonly string[],
  ): Promise<{ state: PaymentAggregate; standing: Standing }[]> {
    if (paymentIds.length === 0) return [];
    const [states, beside] = await Promise.all([
      this.payments.listSummed(paymentIds),
      this.payments.beside.standingsOf(paymentIds),
    ]);
    return states
      .filter(({ payment }) => payment.userId === userId)
      .map((state) => ({ state, standing: standing(state, beside.get(state.payment.id)) }));
  }

  /** What is open of each of some payments (open-sums.pure.ts); absent: nothing. */
  async openOf(payments: readonly OpenPayment[]): Promise<Map<string, Open>> {
    const beside = await this.payments.beside.besideOf(payments.map(({ id }) => id));
    // Only there it matters what waits for its blocks.
    const held = payments.filter(({ reviewReason }) => reviewReason === 'overpaid').map(({ id }) => id);
    const read = held.length > 0 ? await this.payments.listSummed(held) : [];
    const states = new Map(read.map((state) => [state.payment.id, state]));
    const found = new Map<string, Open>();
    for (const payment of payments) {
      const state = states.get(payment.id);
      const open = openOf({
        ...tooMuchFacts(payment, beside.get(payment.id) ?? NOTHING_BESIDE),
        underpaidAmount: payment.underpaidAmount,
        seenExcess: state ? fundsOf(state).excessAmount : 0n,
      });
      if (open) found.set(payment.id, open);
    }
    return found;
  }

  /**
   * Cancels a payment for which nothing that matters was seen, matched or not; idempotent (specification/payments.md#cancel).
   * Transfers are recorded under the same lock, so a simultaneous one is either seen here or finds the payment
   * CANCELLED.
   */
  async cancel(principal: Principal, paymentId: string, reason: string | null): Promise<PaymentAggregate> {
    await this.getOwned(principal, paymentId);
    return this.withLocked(paymentId, async (state) => {
      if (state.payment.status === 'CANCELLED') return;
      const standing = await this.standingOf(state);
      if (!isCancellable(standing)) {
        const what = state.payment.status === 'OPEN' ? 'has received funds' : `is ${state.payment.status}`;
        throw new ConflictError('invalid_state_transition', `A payment that ${what} cannot be cancelled`, {
          hint: refusalOf(standing, 'cancel'),
        });
      }
      await this.payments.setCancelReason(paymentId, reason);
      // The event that the move writes includes it.
      state.payment.cancelReason = reason;
      await this.stateMachine.close(state, { to: 'CANCELLED', reason: 'cancelled_by_merchant' });
      const { userId } = state.payment;
      const target = { kind: 'payment', id: paymentId };
      await this.audit.record({ act: 'payment.cancelled', userId, target });
    });
  }

  /** Accepts an underpaid, overpaid or unacknowledged payment as it is (specification/payments.md#accept). */
  async accept(principal: Principal, paymentId: string): Promise<PaymentAggregate> {
    await this.getOwned(principal, paymentId);
    return this.withLocked(paymentId, async (state) => {
      const { payment } = state;
      const standing = await this.standingOf(state);
      if (!isAcceptable(standing))
        throw new ConflictError(
          'invalid_state_transition',
          `A payment that is ${payment.status} cannot be accepted`,
          { hint: refusalOf(standing, 'accept') },
        );
      const funds = fundsOf(state);
      const now = this.clock.now();
      if (payment.status === 'UNDERPAID') {
        payment.underpayAcceptedAt = now;
        payment.underpayAcceptedAmount = funds.receivedAmount;
      } else {
        if (isHeldAsOverpaid(funds, this.stateMachine.decisionsOf(state))) {
          payment.overpayAcceptedAt = now;
          // What is confirmed later of what was seen was accepted as well.
          payment.keptAmount = notBelowZero(funds.excessAmount - standing.promised);
        }
        payment.acknowledgedAt = now;
      }
      const details = { status: payment.status };
      await this.stateMachine.settle(state);
      const target = { kind: 'payment', id: paymentId };
      await this.audit.record({ act: 'payment.accepted', userId: payment.userId, target, details });
    });
  }

  /**
   * Keeps what is too much, so that nothing is owed any more (specification/payments.md#keep). Repeating it changes
   * nothing.
   * @param expected the excess that the merchant has seen, which alone is kept; null: all that is too much, a second
   *   payment of one reference and what came after the end as well
   */
  async keep(principal: Principal, paymentId: string, expected: bigint | null): Promise<PaymentAggregate> {
    await this.getOwned(principal, paymentId);
    return this.withLocked(paymentId, async (state) => {
      const { payment } = state;
      const standing = await this.standingOf(state);
      const beside = (await this.payments.beside.besideOf([paymentId])).get(paymentId);
      const found = tooMuchOf(tooMuchFacts(payment, beside ?? NOTHING_BESIDE));
      // What waits for its blocks is kept by nobody yet.
      const tooMuch = { ...found, isAfterEnd: found.isAfterEnd && standing.funds.isAllConfirmed };
      const { tokens, wasKept } =
        expected === null
          ? await this.payments.beside.keepUnlisted(paymentId, this.clock.now())
          : { tokens: [], wasKept: false };
      if (!isKeepable(tooMuch) && tokens.length === 0) {
        const { keptAmount, twiceKeptAt, lateKeptAt } = payment;
        const isKept = wasKept || (keptAmount ?? twiceKeptAt ?? lateKeptAt) !== null;
        if (isKept && !found.isAfterEnd) return;
        throw new ConflictError('invalid_state_transition', 'This payment has nothing to keep', {
          hint: refusalOf(standing, 'keep'),
        });
      }
      const { owed } = tooMuch;
      const isPaidTwice = tooMuch.isPaidTwice && expected === null;
      const isLate = (tooMuch.isPaidLate || tooMuch.isAfterEnd) && expected === null;
      if (expected !== null && expected !== owed)
        throw new ConflictError('invalid_state_transition', 'The excess is another one by now', {
          hint: `It is ${formatAmount(owed, getCurrency(payment.currencyCode))}: look at it again before you keep it.`,
        });
      if (owed > 0n) payment.keptAmount = (payment.keptAmount ?? 0n) + owed;
      if (isPaidTwice) payment.twiceKeptAt = this.clock.now();
      if (isLate) payment.lateKeptAt = this.clock.now();
      await this.stateMachine.settle(state);
      const target = { kind: 'payment', id: paymentId };
      const details = {
        amount: (isLate ? leftToRefund(standing) : owed).toString(),
        currencyCode: payment.currencyCode,
        twice: isPaidTwice,
        late: isLate,
        tokens,
      };
      await this.audit.record({ act: 'payment.kept', userId: payment.userId, target, details });
    });
  }

  /**
   * Confirms payments whose `payment.received` got a 2xx response, or that have no endpoint
   * (specification/payment-states.md#confirmed). Runs in the transaction that records the responses. An event that was
   * superseded by a reorganization acknowledges nothing.
   */
  async acknowledgeReceived(received: readonly { paymentId: string; eventId: string }[]): Promise<void> {
    const paymentIds = new Set(received.map(({ paymentId }) => paymentId));
    const states = await this.payments.lockForUpdate([...paymentIds]);
    const eventIds = received.map(({ eventId }) => eventId);
    const acknowledged = new Set(await this.events.listPaymentsReceived(eventIds));
    for (const state of states) {
      const { payment } = state;
      if (payment.status !== 'RECEIVED' || !acknowledged.has(payment.id)) continue;
      payment.acknowledgedAt = this.clock.now();
      await this.stateMachine.settle(state);
    }
  }

  /**
   * Moves an OPEN payment to ERROR after a permanent failure, such as an address that cannot be derived
   * (specification/payment-states.md#transitions).
   */
  async fail(paymentId: string, reason: string): Promise<void> {
    await this.withLocked(paymentId, async (state) => {
      if (state.payment.status === 'OPEN') await this.stateMachine.close(state, { to: 'ERROR', reason });
    });
  }

  private async withLocked(
    paymentId: string,
    work: (state: PaymentAggregate) => Promise<void>,
  ): Promise<PaymentAggregate> {
    const changed = await this.sql.transaction(async () => {
      const state = await this.lock(paymentId);
      await work(state);
      return state;
    });
    // Wakes the dispatcher early; if the wake-up is lost, polling picks the event up within a second.
    this.loops.wake(LoopName.WebhookDelivery);
    return changed;
  }
}

type OpenPayment = OfPayment & Pick<Payment, 'id' | 'underpaidAmount'>;

const NOTHING_BESIDE = { promised: 0n, hasTwin: false, hasFundsAfterEnd: false };
const notBelowZero = (amount: bigint) => (amount > 0n ? amount : 0n);

function standing(
  state: PaymentAggregate,
  beside: Pick<Standing, 'unmatched' | 'promised'> = { unmatched: 'none', promised: 0n },
): Standing {
  return { status: state.payment.status, funds: fundsOf(state), ...beside };
}

/**
 * The same error for unknown and foreign ids.
 * @param id from the path of a public endpoint; the hint depends on its form only
 */
export function paymentNotFound(id?: string): NotFoundError {
  const hint = id === undefined ? undefined : describePathId('payment', id);
  return new NotFoundError('payment_not_found', 'Payment not found', hint);
}
