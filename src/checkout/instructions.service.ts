import { Injectable, Logger } from '@nestjs/common';
import type { ApplicationView } from '../applications/application-view.pure.js';
import { ApplicationsService } from '../applications/applications.service.js';
import { minTransferAmount } from '../chains/dust-limit.pure.js';
import { paymentUri, qrContent } from '../chains/payment-uri.pure.js';
import { qrCode } from '../platform/html/qr-code.pure.js';
import { eitherOf } from '../platform/errors/similar-names.pure.js';
import { Clock, toIsoSeconds } from '../platform/runtime/clock.pure.js';
import {
  ConflictError,
  GatewayError,
  NotFoundError,
  ServiceUnavailableError,
  ValidationError,
} from '../platform/errors/errors.pure.js';
import { toAmountDto } from '../money/amount-dto.js';
import { PaymentStateMachine } from '../payments/payment-state-machine.service.js';
import { PaymentPresenter } from '../payments/payment-presenter.service.js';
import { PaymentsService } from '../payments/payments.service.js';
import type { Payment, PaymentAggregate, Quote } from '../payments/payment.pure.js';
import { QuotesService } from '../payments/quotes.service.js';
import { dueUnits, unitsOf } from '../payments/settlement.pure.js';
import {
  AddressIntegrityError,
  type DepositAddress,
  DepositAddressesService,
  WalletNotConfiguredError,
} from '../wallets/deposit-addresses.service.js';
import { ConfirmationProgress } from './confirmation-progress.service.js';
import { chooseMethod, listMethods, type MethodName, similarMethods } from './method-choice.pure.js';
import {
  assetCurrency,
  type PaymentMethod,
  PaymentMethodsService,
  toBlockchainDto,
  toQuotedAsset,
  toTokenDto,
  type UnavailableReason,
} from './payment-methods.service.js';

/** The reader of an error: customers do not see how the shop is configured. */
export type Reader = 'customer' | 'merchant';

/** Payment instructions of one method: address, amount and deadline (specification/checkout.md#instructions). */
@Injectable()
export class InstructionsService {
  private readonly logger = new Logger('InstructionsService');

  constructor(
    private readonly payments: PaymentsService,
    private readonly presenter: PaymentPresenter,
    private readonly mover: PaymentStateMachine,
    private readonly progress: ConfirmationProgress,
    private readonly quotes: QuotesService,
    private readonly methods: PaymentMethodsService,
    private readonly applications: ApplicationsService,
    private readonly depositAddresses: DepositAddressesService,
    private readonly clock: Clock,
  ) {}

  /**
   * The instructions of one method. Derives the address and locks the rate on the first call; later calls
   * return the same until the lock ends, then a new rate at the same address.
   */
  async get(before: PaymentAggregate, wanted: MethodName, reader: Reader = 'customer') {
    const application = await this.applications.getById(before.payment.applicationId);
    const method = this.choose(before, application, wanted);
    const asset = toQuotedAsset(method);
    if (!this.quotes.findCurrent(before, asset)) await this.checkPayable(before, method, reader);
    const address = await this.addressOf(before, method, reader);
    const locked = await this.quotes.lock(
      before.payment.id,
      asset,
      minTransferAmount(method.chain, method.asset),
    );
    if (typeof locked === 'string') throw unusable(method, locked);
    return this.describe(locked.state, locked.quote, method, address);
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
        throw ValidationError.of(
          'method',
          'The selected method is not available for this payment.',
          `This payment takes ${listMethods(allowed)}, as the whitelist of its application and its own blockchainSlug say.`,
        );
      case 'ambiguous':
        throw new ValidationError(
          {
            method: [
              `Select a payment method: name a provider and a method, one of ${listMethods(allowed)}.`,
            ],
          },
          'method_selection_required',
          'The path ends in /provider/{provider}/method/{method}.',
        );
    }
  }

  /** A new quote needs a payable payment and an available method (specification/checkout.md#instructions). */
  private async checkPayable(state: PaymentAggregate, method: PaymentMethod, reader: Reader): Promise<void> {
    const { payment } = state;
    const isPayable =
      ['OPEN', 'FOUND', 'UNDERPAID'].includes(payment.status) && !this.presenter.isExpired(payment);
    if (!isPayable)
      throw new ConflictError('payment_not_payable', 'This payment can no longer be paid', {
        hint: `Its status is ${payment.status}, and its link ${this.presenter.isExpired(payment) ? 'ended' : 'ends'} at ${toIsoSeconds(payment.expiresAt)}. Create a new payment by POST /api/payment/checkout.`,
      });
    const estimate = await this.quotes.estimate(payment, toQuotedAsset(method));
    const obstacle = await this.methods.findObstacle(state, method, estimate && estimate.assetAmount);
    if (obstacle === 'wallet_not_configured' && reader === 'merchant') throw walletMissing(payment, method);
    if (obstacle) throw unusable(method, obstacle);
  }

  private async addressOf(
    { payment }: PaymentAggregate,
    method: PaymentMethod,
    reader: Reader,
  ): Promise<DepositAddress> {
    try {
      return await this.depositAddresses.allocate({
        paymentId: payment.id,
        userId: payment.userId,
        applicationId: payment.applicationId,
        family: method.chain.family,
      });
    } catch (error) {
      if (error instanceof WalletNotConfiguredError)
        throw reader === 'merchant'
          ? walletMissing(payment, method)
          : unusable(method, 'wallet_not_configured');
      if (!(error instanceof AddressIntegrityError)) throw error;
      // A permanent failure: an address that its wallet does not derive must never be shown
      // (specification/payment-states.md#transitions).
      this.logger.error({ paymentId: payment.id, error: error.message }, 'address integrity');
      await this.payments.fail(payment.id, 'address_integrity');
      throw new ConflictError('payment_not_payable', 'This payment can no longer be paid');
    }
  }

  private async describe(
    state: PaymentAggregate,
    quote: Quote,
    paymentMethod: PaymentMethod,
    { address }: DepositAddress,
  ) {
    const { payment } = state;
    const { chain, asset, provider, method } = paymentMethod;
    const currency = assetCurrency(asset);
    const ofAsset = state.transfers.filter(
      (t) => t.isMatched && t.chain === quote.chain && t.asset === quote.asset,
    );
    const sum = (wanted: 'pending' | 'confirmed') =>
      ofAsset
        .filter((transfer) => transfer.state === wanted)
        .reduce((total, { amount }) => total + amount, 0n);
    const { remaining } = this.mover.fundsOf(state);
    const due = dueUnits(remaining, quote.assetAmount);
    const least = minTransferAmount(chain, asset);
    // A remainder below the dust limit is shown but not requested: sending the limit instead would overpay.
    const uri = due < least ? null : paymentUri({ chain, asset, address, amount: due });
    const now = this.clock.now();
    return {
      paymentId: payment.id,
      status: payment.status,
      type: 'crypto_address',
      provider,
      method,
      blockchain: toBlockchainDto(chain),
      token: toTokenDto(paymentMethod),
      address,
      memo: null,
      memoType: null,
      amount: toAmountDto(quote.assetAmount, currency),
      receivedAmount: toAmountDto(sum('confirmed'), currency),
      remainingAmount: toAmountDto(unitsOf(remaining, quote.assetAmount), currency),
      pendingAmount: toAmountDto(sum('pending'), currency),
      minAmount: toAmountDto(least, currency),
      paymentUri: uri,
      qrCode: qrCode(qrContent(chain, address, uri)),
      rate: {
        base: quote.currencyCode,
        quote: payment.currencyCode,
        value: quote.rate,
        source: quote.rateSource,
        lockedAt: toIsoSeconds(quote.lockedAt),
        expiresAt: toIsoSeconds(quote.expiresAt),
      },
      expiresAt: toIsoSeconds(quote.expiresAt),
      secondsRemaining: Math.max(0, Math.floor((quote.expiresAt.getTime() - now.getTime()) / 1000)),
      checkoutExpiresAt: toIsoSeconds(payment.expiresAt),
      serverTime: toIsoSeconds(now),
      confirmations: await this.progress.describe(state, chain, quote.asset),
      transactions: state.transfers.map((transfer) => this.presenter.transaction(state, transfer)),
      warnings: [
        due < least
          ? `${toAmountDto(due, currency).formatted} cannot be sent: the ${chain.name} network carries no less than ${toAmountDto(least, currency).formatted}.`
          : `Send only ${currency.code} on the ${chain.name} network.`,
      ],
    };
  }
}

/** The result of {@link InstructionsService.get}. */
export type Instructions = Awaited<ReturnType<InstructionsService['get']>>;

/** The merchant's version of `wallet_not_configured`, with the remedy. */
function walletMissing({ applicationId }: Payment, { chain, asset }: PaymentMethod): GatewayError {
  const wallet = `/api/payment-applications/${applicationId}/wallets/${chain.family}`;
  return ValidationError.of(
    'method',
    `There is no ${chain.family} wallet, so ${asset.currencyCode} on ${chain.name} cannot be received.`,
    `Add the wallet by PUT ${wallet}, or for all applications of the account by PUT /api/account/wallets/${chain.family}.`,
  );
}

function unknownMethod(wanted: MethodName, allowed: readonly PaymentMethod[]): NotFoundError {
  const meant = similarMethods(wanted, allowed);
  return new NotFoundError(
    'payment_method_not_found',
    'Payment method not found',
    meant.length > 0
      ? `Did you mean ${eitherOf(meant.map((one) => listMethods([one])))}? The path names the provider (a blockchain) first, then the method (a currency): /provider/{provider}/method/{method}.`
      : 'The path names the provider (a blockchain) first, then the method (a currency): /provider/{provider}/method/{method}.',
    { method: [`This payment takes ${listMethods(allowed)}.`] },
  );
}

/** Why a method cannot be used now, as an error (specification/checkout.md#instructions). */
function unusable(
  { chain, asset: { currencyCode } }: PaymentMethod,
  reason: UnavailableReason,
): GatewayError {
  switch (reason) {
    case 'node_unavailable':
      return new ServiceUnavailableError(`The ${chain.name} network is not available at the moment`, 15);
    case 'rate_unavailable':
      return new ServiceUnavailableError('No exchange rate is available for this method at the moment', 15);
    case 'below_minimum':
      return ValidationError.of(
        'method',
        `The amount is too small to be paid in ${currencyCode} on ${chain.name}.`,
      );
    case 'wallet_not_configured':
      return ValidationError.of('method', `The merchant cannot receive ${currencyCode} at the moment.`);
  }
}
