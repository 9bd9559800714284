import { Injectable } from '@nestjs/common';
import type { ApplicationView } from '../applications/application-view.pure.js';
import { isPayable } from '../chains/chain-health.pure.js';
import { ChainHealthService } from '../chains/chain-health.service.js';
import { namingStandard } from '../chains/network-name.pure.js';
import { ChainsService } from '../chains/chains.service.js';
import { tokenOf } from '../chains/contract-address.pure.js';
import { isNativeOffered } from '../chains/native-visibility.pure.js';
import { minTransferAmount } from '../chains/dust-limit.pure.js';
import { usualWait } from '../chains/required-confirmations.pure.js';
import { toIsoSeconds } from '../platform/kernel/clock.pure.js';
import { presentAmount } from '../money/present-amount.js';
import { fundsOf } from '../payments/transfers/payment-funds.pure.js';
import { dueUnits } from '../payments/quotes/settlement.pure.js';
import { requirementOf } from '../payments/confirmation-policy.pure.js';
import { QuotesService } from '../payments/quotes/quotes.service.js';
import type { Payment, PaymentAggregate } from '../payments/payment.pure.js';
import { DepositAddressesService } from '../wallets/deposit-addresses.service.js';
import type { PaymentMethodContract, UnavailableReason } from './payment-methods.contract.js';
import {
  assetCurrency,
  minQuotableAmount,
  type PaymentMethod,
  toBlockchainSummary,
  toQuotedAsset,
} from './payment-method.pure.js';

/** The methods that a customer may pay with, and their estimated amounts. */
@Injectable()
export class PaymentMethodsService {
  constructor(
    private readonly chains: ChainsService,
    private readonly conditions: ChainHealthService,
    private readonly quotes: QuotesService,
    private readonly depositAddresses: DepositAddressesService,
  ) {}

  /** Every configured method. */
  listAll(): PaymentMethod[] {
    return this.chains.list().flatMap((chain) =>
      chain.assets.map((asset) => ({
        chain,
        asset,
        provider: chain.slug,
        method: asset.currencyCode.toLowerCase(),
      })),
    );
  }

  /**
   * The methods that the application's whitelist and the payment's own chain allow
   * (specification/checkout.md#payment-methods). A payment that was created for test networks stays on them, even if
   * the application accepts other networks by now.
   */
  listFor(payment: Payment, { currencyWhitelist }: ApplicationView): PaymentMethod[] {
    return this.listAll().filter(
      ({ chain, asset }) =>
        (currencyWhitelist.length === 0 || currencyWhitelist.includes(asset.currencyCode)) &&
        (payment.blockchainSlug === null || payment.blockchainSlug === chain.slug) &&
        (payment.livemode !== false || chain.testnet),
    );
  }

  /**
   * Why the method cannot be used now; null: it can.
   * @param assetAmount price of the whole payment, in the asset's smallest unit; null: no rate is known
   */
  async findObstacle(
    state: PaymentAggregate,
    { chain, asset }: PaymentMethod,
    assetAmount: bigint | null,
  ): Promise<UnavailableReason | null> {
    if (!(await this.depositAddresses.hasWallet(state.payment, chain.family))) return 'wallet_not_configured';
    const { state: chainState, condition } = await this.conditions.statusOf(chain.slug);
    if (!isPayable(chainState)) return 'node_unavailable';
    if (asset.asset === 'native' && !isNativeOffered(chain, condition?.endpoints ?? []))
      return 'not_traceable';
    if (assetAmount === null) return 'rate_unavailable';
    const due = dueUnits(fundsOf(state).remaining, assetAmount);
    return due < minTransferAmount(chain, asset) ? 'below_minimum' : null;
  }

  /** The public list with estimates, which lock nothing (specification/checkout.md#payment-methods). */
  async describeFor(state: PaymentAggregate, application: ApplicationView): Promise<PaymentMethodContract[]> {
    return Promise.all(
      this.listFor(state.payment, application).map((method) => this.describe(state, method)),
    );
  }

  private async describe(
    state: PaymentAggregate,
    paymentMethod: PaymentMethod,
  ): Promise<PaymentMethodContract> {
    const { payment } = state;
    const { chain, asset, provider, method } = paymentMethod;
    const currency = assetCurrency(asset);
    const standard = namingStandard({ slug: chain.slug, tokenStandard: asset.tokenStandard });
    const quoted = toQuotedAsset(paymentMethod);
    const estimate = await this.quotes.estimate(payment, quoted);
    const { assetAmount = 0n } = estimate ?? {};
    // While a rate is locked, the locked amount is shown and not the estimate.
    const locked = this.quotes.findCurrent(state, quoted)?.assetAmount ?? assetAmount;
    const unavailableReason = await this.findObstacle(state, paymentMethod, estimate && locked);
    const requested = { chain: chain.slug, asset: asset.asset, assetAmount };
    const withQuote = { ...state, quotes: [...state.quotes, requested] };
    const required = usualWait(chain, requirementOf(withQuote, chain, asset.asset));
    return {
      provider,
      method,
      type: 'crypto',
      label: standard === null ? currency.name : `${currency.name} (${standard})`,
      selected: payment.selectedProvider === provider && payment.selectedMethod === method,
      currency: {
        code: currency.code,
        name: currency.name,
        decimals: currency.decimals,
        symbol: currency.symbol,
        iconUrl: null,
      },
      blockchain: toBlockchainSummary(chain),
      token: tokenOf(chain.family, asset),
      available: unavailableReason === null,
      unavailableReason,
      estimatedAmount: estimate && presentAmount(estimate.assetAmount, currency),
      estimatedRate: estimate && {
        base: estimate.rate.base,
        quote: estimate.rate.quote,
        value: estimate.rate.value,
        fetchedAt: toIsoSeconds(estimate.rate.fetchedAt),
      },
      minAmount: presentAmount(minQuotableAmount(paymentMethod), currency),
      confirmationsRequired: required,
      estimatedConfirmationSeconds: required * chain.averageBlockSeconds,
    };
  }
}
