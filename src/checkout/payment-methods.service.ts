import { Injectable } from '@nestjs/common';
import type { ApplicationView } from '../applications/application-view.pure.js';
import type { Chain, ChainAsset } from '../chains/chain.pure.js';
import { ChainHealthService } from '../chains/chain-health.service.js';
import { ChainsService } from '../chains/chains.service.js';
import { contractAddressOf } from '../chains/contract-address.pure.js';
import { minTransferAmount } from '../chains/dust-limit.pure.js';
import { toIsoSeconds } from '../platform/runtime/clock.pure.js';
import { toAmountDto } from '../money/amount-dto.js';
import { type Currency, getCurrency } from '../money/currencies.js';
import { PaymentStateMachine } from '../payments/payment-state-machine.service.js';
import { dueUnits } from '../payments/settlement.pure.js';
import { requiredConfirmationsOf } from '../payments/confirmation-policy.pure.js';
import { type QuotedAsset, QuotesService } from '../payments/quotes.service.js';
import type { Payment, PaymentAggregate } from '../payments/payment.pure.js';
import { DepositAddressesService } from '../wallets/deposit-addresses.service.js';

/** One currency on one chain that a payment may be paid with. */
export interface PaymentMethod {
  chain: Chain;
  asset: ChainAsset;
  /**
   * The chain's slug and the currency's code in lower case, as in the instructions path
   * (specification/checkout.md#instructions-path).
   */
  provider: string;
  method: string;
}

/** Why a method cannot be used now (specification/checkout.md#payment-methods). */
export type UnavailableReason =
  'rate_unavailable' | 'below_minimum' | 'node_unavailable' | 'wallet_not_configured';

/** The methods that a customer may pay with, and their estimated amounts. */
@Injectable()
export class PaymentMethodsService {
  constructor(
    private readonly chains: ChainsService,
    private readonly conditions: ChainHealthService,
    private readonly quotes: QuotesService,
    private readonly mover: PaymentStateMachine,
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
   * (specification/checkout.md#payment-methods). A payment created for test networks stays on them, even if the
   * application accepts more since.
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
   * Null: usable.
   * @param assetAmount price of the whole payment, in the asset's smallest unit; null: no rate is known
   */
  async findObstacle(
    state: PaymentAggregate,
    { chain, asset }: PaymentMethod,
    assetAmount: bigint | null,
  ): Promise<UnavailableReason | null> {
    if (!(await this.depositAddresses.hasWallet(state.payment.applicationId, chain.family)))
      return 'wallet_not_configured';
    if (!(await this.conditions.isReachable(chain.slug))) return 'node_unavailable';
    if (assetAmount === null) return 'rate_unavailable';
    const due = dueUnits(this.mover.fundsOf(state).remaining, assetAmount);
    return due < minTransferAmount(chain, asset) ? 'below_minimum' : null;
  }

  /** The public list with estimates, which lock nothing (specification/checkout.md#payment-methods). */
  async describeFor(state: PaymentAggregate, application: ApplicationView) {
    return Promise.all(
      this.listFor(state.payment, application).map((method) => this.describe(state, method)),
    );
  }

  private async describe(state: PaymentAggregate, paymentMethod: PaymentMethod) {
    const { payment } = state;
    const { chain, asset, provider, method } = paymentMethod;
    const currency = assetCurrency(asset);
    const quoted = toQuotedAsset(paymentMethod);
    const estimate = await this.quotes.estimate(payment, quoted);
    const { assetAmount = 0n } = estimate ?? {};
    // While a rate is locked, the locked amount is shown and not the estimate.
    const locked = this.quotes.findCurrent(state, quoted)?.assetAmount ?? assetAmount;
    const unavailableReason = await this.findObstacle(state, paymentMethod, estimate && locked);
    const asked = { chain: chain.slug, asset: asset.asset, assetAmount };
    const required = requiredConfirmationsOf(
      { ...state, quotes: [...state.quotes, asked] },
      chain,
      asset.asset,
    );
    return {
      provider,
      method,
      type: 'crypto',
      label: asset.tokenStandard ? `${currency.name} (${asset.tokenStandard})` : currency.name,
      selected: payment.selectedProvider === provider && payment.selectedMethod === method,
      currency: {
        code: currency.code,
        name: currency.name,
        decimals: currency.decimals,
        symbol: currency.symbol,
        iconUrl: null,
      },
      blockchain: toBlockchainDto(chain),
      token: toTokenDto(paymentMethod),
      available: unavailableReason === null,
      unavailableReason,
      estimatedAmount: estimate && toAmountDto(estimate.assetAmount, currency),
      estimatedRate: estimate && {
        base: estimate.rate.base,
        quote: estimate.rate.quote,
        value: estimate.rate.value,
        fetchedAt: toIsoSeconds(estimate.rate.fetchedAt),
      },
      minAmount: toAmountDto(leastAsked(paymentMethod), currency),
      confirmationsRequired: required,
      estimatedConfirmationSeconds: required * chain.averageBlockSeconds,
    };
  }
}

/** The asset's currency, counted in the network's decimals (specification/money.md#currency-of-an-amount). */
export function assetCurrency(asset: Pick<ChainAsset, 'currencyCode' | 'decimals'>): Currency {
  return { ...getCurrency(asset.currencyCode), decimals: asset.decimals };
}

/** The asset as a quote names it. */
export function toQuotedAsset({ chain, asset }: PaymentMethod): QuotedAsset {
  return {
    chain: chain.slug,
    asset: asset.asset,
    currencyCode: asset.currencyCode,
    decimals: asset.decimals,
  };
}

/** `blockchain` of instructions and methods. */
export function toBlockchainDto({ slug, name, chainId, testnet }: Chain) {
  return { slug, name, chainId, testnet };
}

/** `token` of instructions and methods; null for the native coin. */
export function toTokenDto({ chain, asset: { asset, tokenStandard, decimals } }: PaymentMethod) {
  const contractAddress = contractAddressOf(chain.family, asset);
  return tokenStandard && contractAddress ? { standard: tokenStandard, contractAddress, decimals } : null;
}

/**
 * The smallest amount that can be sent (specification/chains.md#smallest-transfers), and at least the unit that quotes
 * are rounded up to (specification/money.md#rounding).
 */
function leastAsked({ chain, asset }: PaymentMethod): bigint {
  const smallestQuotable = 10n ** BigInt(Math.max(0, asset.decimals - 8));
  const sendable = minTransferAmount(chain, asset);
  return sendable > smallestQuotable ? sendable : smallestQuotable;
}
