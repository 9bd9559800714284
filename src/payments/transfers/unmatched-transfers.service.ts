import { Injectable } from '@nestjs/common';
import { AuditLog } from '../../platform/integrity/audit-log.service.js';
import type { Principal } from '../../platform/kernel/principal.pure.js';
import {
  ConflictError,
  ServiceUnavailableError,
  ValidationError,
} from '../../platform/kernel/errors/errors.pure.js';
import { PollingLoops } from '../../platform/database/polling-loop.js';
import { LoopName } from '../../platform/kernel/loop-name.pure.js';
import { Sql } from '../../platform/database/sql.js';
import { PaymentStateMachine } from '../payment-state-machine.service.js';
import { paymentNotFound, PaymentsService } from '../payments.service.js';
import type { PaymentAggregate, Transfer } from '../payment.pure.js';
import { assetOf, QuotesService } from '../quotes/quotes.service.js';
import { decideAcceptance } from './transfer-acceptance.pure.js';
import { Hook } from '../../platform/kernel/hook.js';

/**
 * Acceptance of funds that arrived on the wrong network or in the wrong coin
 * (specification/payment-states.md#unmatched-funds).
 */
@Injectable()
export class UnmatchedTransfersService {
  /** With the transfer's id, under the lock of its payment; a listener throws if the transfer is not free. */
  readonly accepting = new Hook<string>();

  constructor(
    private readonly sql: Sql,
    private readonly payments: PaymentsService,
    private readonly quotes: QuotesService,
    private readonly stateMachine: PaymentStateMachine,
    private readonly loops: PollingLoops,
    private readonly audit: AuditLog,
  ) {}

  /**
   * Credits an unmatched transfer at the current rate; one that is credited already stays as it is. The payment is then
   * recomputed as after any other transfer: unconfirmed funds count once they are confirmed, and a closed payment stays
   * closed.
   * @throws ValidationError for an unknown transfer, ConflictError if the transfer is gone, ServiceUnavailableError
   *   without a rate
   */
  async accept(principal: Principal, paymentId: string, transferId: string): Promise<PaymentAggregate> {
    const before = await this.payments.findOwnedWithEach(principal, paymentId);
    if (!before) throw paymentNotFound();
    const wanted = findAcceptable(before, transferId);
    if (!wanted) return before;
    const rates = await this.quotes.findRates(before.payment, assetOf(wanted));
    if (!rates) {
      throw new ServiceUnavailableError(
        `No exchange rate is available for ${wanted.currencyCode} at the moment`,
        15,
      );
    }
    const state = await this.sql.transaction(async () => {
      const locked = await this.payments.lock(paymentId);
      // Meanwhile another request may have accepted it, or a reorganization removed it.
      const transfer = findAcceptable(locked, transferId);
      if (!transfer) return locked;
      await this.accepting.call(transfer.id);
      await this.quotes.accept(locked, transfer, rates, principal);
      await this.stateMachine.settle(locked);
      const { userId } = locked.payment;
      const target = { kind: 'transfer', id: transfer.id };
      await this.audit.record({ act: 'transfer.accepted', userId, target, details: { paymentId } });
      return locked;
    });
    // Delivers the event without waiting for the next interval.
    this.loops.wake(LoopName.WebhookDelivery);
    return state;
  }

  /** Fetches the rates that {@link accept} will need, so that it finds them in the cache. */
  async prefetchRate(principal: Principal, paymentId: string, transferId: string): Promise<void> {
    const state = await this.payments.findOwnedWithEach(principal, paymentId);
    const transfer = state?.transfers.find(({ id }) => id === transferId);
    if (state && transfer && decideAcceptance(transfer) === 'accept')
      await this.quotes.findRates(state.payment, assetOf(transfer));
  }
}

/** The transfer to accept, or null if it counts already. @throws GatewayError if it cannot be accepted */
function findAcceptable({ transfers }: PaymentAggregate, transferId: string): Transfer | null {
  const transfer = transfers.find(({ id }) => id === transferId) ?? null;
  switch (decideAcceptance(transfer)) {
    case 'accept':
      return transfer;
    case 'counts_already':
      return null;
    case 'unknown_transfer':
      throw ValidationError.of('transferId', 'The selected transferId is invalid.');
    case 'transfer_gone':
      throw new ConflictError(
        'invalid_state_transition',
        'This transfer is no longer on the blockchain; it can be accepted if it appears again',
      );
  }
}
