import { Injectable } from '@nestjs/common';
import { contractAddressOf, tokenOf } from '../chains/contract-address.pure.js';
import { minTransferAmount } from '../chains/dust-limit.pure.js';
import { paymentUri, qrContent } from '../chains/payment-uri.pure.js';
import { presentAmount } from '../money/present-amount.js';
import { fundsOf } from '../payments/transfers/payment-funds.pure.js';
import { PaymentPresenter } from '../payments/payment-presenter.service.js';
import type { PaymentAggregate, Quote } from '../payments/payment.pure.js';
import type { LockedQuote } from '../payments/quotes/quotes.service.js';
import { dueUnits, unitsOf } from '../payments/quotes/settlement.pure.js';
import { qrCode } from '../platform/web/html/qr-code.pure.js';
import { Clock, toIsoSeconds } from '../platform/kernel/clock.pure.js';
import { ConfirmationProgress } from './confirmation-progress.service.js';
import { InstructionSigner } from './instruction-signer.service.js';
import type { LockedRateContract, PaymentInstructionsContract } from './payment-instructions.contract.js';
import { assetCurrency, type PaymentMethod, toBlockchainSummary } from './payment-method.pure.js';

/** Presents payment instructions (specification/checkout.md#instructions). */
@Injectable()
export class InstructionsPresenter {
  constructor(
    private readonly presenter: PaymentPresenter,
    private readonly progress: ConfirmationProgress,
    private readonly signer: InstructionSigner,
    private readonly clock: Clock,
  ) {}

  /** @param address the payment's deposit address on the chain of the method */
  async describe(
    { state, quote }: LockedQuote,
    paymentMethod: PaymentMethod,
    address: string,
  ): Promise<PaymentInstructionsContract> {
    const { payment } = state;
    const { chain, asset, provider, method } = paymentMethod;
    const currency = assetCurrency(asset);
    const { remaining } = fundsOf(state);
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
      blockchain: toBlockchainSummary(chain),
      token: tokenOf(chain.family, asset),
      address,
      memo: null,
      memoType: null,
      amount: presentAmount(quote.assetAmount, currency),
      receivedAmount: presentAmount(sumOf(state, quote, 'confirmed'), currency),
      remainingAmount: presentAmount(unitsOf(remaining, quote.assetAmount), currency),
      pendingAmount: presentAmount(sumOf(state, quote, 'pending'), currency),
      minAmount: presentAmount(least, currency),
      paymentUri: uri,
      qrCode: qrCode(qrContent(chain, address, uri)),
      rate: rateOf(quote, payment.currencyCode),
      expiresAt: toIsoSeconds(quote.expiresAt),
      secondsRemaining: Math.max(0, Math.floor((quote.expiresAt.getTime() - now.getTime()) / 1000)),
      checkoutExpiresAt: toIsoSeconds(payment.expiresAt),
      serverTime: toIsoSeconds(now),
      confirmations: await this.progress.describe(state, chain, quote.asset),
      ...this.presenter.transactions(state),
      warnings: [due < least ? tooLittle(paymentMethod, due, least) : sendOnly(paymentMethod)],
      signatures: this.signer.signInstructions({
        paymentId: payment.id,
        chain: chain.slug,
        chainId: chain.chainId,
        asset: asset.currencyCode,
        contract: contractAddressOf(chain.family, asset.asset),
        decimals: asset.decimals,
        address,
        memo: null,
        amount: quote.assetAmount,
        expiresAt: quote.expiresAt,
      }),
    };
  }
}

/** Transfers of the quoted asset, in its smallest unit. */
function sumOf({ transfers }: PaymentAggregate, quote: Quote, counted: 'pending' | 'confirmed'): bigint {
  return transfers
    .filter(
      ({ isMatched, chain, asset, state }) =>
        isMatched && chain === quote.chain && asset === quote.asset && state === counted,
    )
    .reduce((total, { amount }) => total + amount, 0n);
}

function rateOf(quote: Quote, priceCurrency: string): LockedRateContract {
  return {
    base: quote.currencyCode,
    quote: priceCurrency,
    value: quote.rate,
    source: quote.rateSource,
    lockedAt: toIsoSeconds(quote.lockedAt),
    expiresAt: toIsoSeconds(quote.expiresAt),
  };
}

function sendOnly({ chain, asset }: PaymentMethod): string {
  return `Send only ${asset.currencyCode} on the ${chain.name} network.`;
}

function tooLittle({ chain, asset }: PaymentMethod, due: bigint, least: bigint): string {
  const currency = assetCurrency(asset);
  return `${presentAmount(due, currency).formatted} cannot be sent: the ${chain.name} network carries no less than ${presentAmount(least, currency).formatted}.`;
}
