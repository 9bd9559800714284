import { Injectable } from '@nestjs/common';
import type { ApplicationView } from '../applications/application-view.pure.js';
import { ApplicationsService } from '../applications/applications.service.js';
import { PaymentPresenter } from '../payments/payment-presenter.service.js';
import type { Payment, PaymentAggregate } from '../payments/payment.pure.js';
import { QuotesService } from '../payments/quotes/quotes.service.js';
import { ConflictError } from '../platform/kernel/errors/errors.pure.js';
import { toIsoSeconds } from '../platform/kernel/clock.pure.js';
import { chooseMethod, type MethodName } from './method-choice.pure.js';
import {
  methodNotAllowed,
  methodRequired,
  methodUnavailable,
  type Reader,
  unknownMethod,
} from './method-errors.pure.js';
import { type PaymentMethod, toQuotedAsset } from './payment-method.pure.js';
import { PaymentMethodsService } from './payment-methods.service.js';

/** Finds the payment method that a request names, and checks that the payment can be paid with it now. */
@Injectable()
export class MethodSelection {
  constructor(
    private readonly applications: ApplicationsService,
    private readonly methods: PaymentMethodsService,
    private readonly quotes: QuotesService,
    private readonly presenter: PaymentPresenter,
  ) {}

  /** @throws GatewayError if there is no such method, or the payment cannot be paid with it; worded for the reader */
  async select(state: PaymentAggregate, wanted: MethodName, reader: Reader): Promise<PaymentMethod> {
    const application = await this.applications.getById(state.payment.applicationId);
    const method = this.choose(state, application, wanted);
    if (!this.quotes.findCurrent(state, toQuotedAsset(method)))
      await this.checkPayable(state, method, reader);
    return method;
  }

  /** The method that was selected last; null: none was, or the payment does not take it any more. */
  findSelected(payment: Payment): Promise<PaymentMethod | null> {
    return this.findAllowed(payment, { provider: payment.selectedProvider, method: payment.selectedMethod });
  }

  /** Null: the payment does not take it (any more). */
  async findAllowed(payment: Payment, wanted: MethodName): Promise<PaymentMethod | null> {
    const application = await this.applications.getById(payment.applicationId);
    const allowed = this.methods.listFor(payment, application);
    return (
      allowed.find(({ provider, method }) => provider === wanted.provider && method === wanted.method) ?? null
    );
  }

  private choose(
    { payment }: PaymentAggregate,
    application: ApplicationView,
    wanted: MethodName,
  ): PaymentMethod {
    const selected = { provider: payment.selectedProvider, method: payment.selectedMethod };
    const allowed = this.methods.listFor(payment, application);
    const choice = chooseMethod(wanted, selected, allowed, this.methods.listAll());
    switch (choice.kind) {
      case 'chosen':
        return choice.method;
      case 'unknown':
        throw unknownMethod(wanted, allowed);
      case 'not_allowed':
        throw methodNotAllowed(allowed);
      case 'ambiguous':
        throw methodRequired(allowed);
    }
  }

  /** A new quote needs a payable payment and an available method (specification/checkout.md#instructions). */
  private async checkPayable(state: PaymentAggregate, method: PaymentMethod, reader: Reader): Promise<void> {
    const { payment } = state;
    const isExpired = this.presenter.isExpired(payment);
    if (isExpired || !['OPEN', 'FOUND', 'UNDERPAID'].includes(payment.status))
      throw new ConflictError('payment_not_payable', 'This payment can no longer be paid', {
        hint: `Its status is ${payment.status}, and its link ${isExpired ? 'ended' : 'ends'} at ${toIsoSeconds(payment.expiresAt)}. Create a new payment by POST /api/payment/checkout.`,
      });
    const estimate = await this.quotes.estimate(payment, toQuotedAsset(method));
    const obstacle = await this.methods.findObstacle(state, method, estimate && estimate.assetAmount);
    if (obstacle) throw methodUnavailable(obstacle, method, payment, reader);
  }
}
