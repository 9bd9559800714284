import { Injectable } from '@nestjs/common';
import type { Chain, ChainAsset } from '../chains/chain.pure.js';
import { chainMessage } from '../chains/chain-selection.pure.js';
import { ChainsService } from '../chains/chains.service.js';
import { minTransferAmount } from '../chains/dust-limit.pure.js';
import { ConflictError, ValidationError } from '../platform/kernel/errors/errors.pure.js';
import { CURRENCIES, findCurrency, getCurrency } from '../money/currencies.js';
import { currencyMessage } from '../money/currency-selection.js';
import type { PaymentAggregate, Transfer } from '../payments/payment.pure.js';
import { DepositAddressesService } from '../wallets/deposit-addresses.service.js';
import { type PayoutAddress, PayoutAddressError, readPayoutAddress } from './payout-address.pure.js';
import {
  findPayoutRate,
  mainPaidAsset,
  ownRate,
  type PaidFacts,
  type PayoutAsset,
  payoutAmountFor,
} from './payout-rate.pure.js';
import type { CreateRefundContract } from './refund.contract.js';

const CRYPTO = CURRENCIES.filter(({ type }) => type === 'crypto');

/** The valid fields of a request for a refund. */
type RefundInput = Readonly<Partial<CreateRefundContract>>;

export interface Payout {
  chain: Chain;
  asset: ChainAsset;
}

/** The payout of a refund. */
export interface PayoutPlan extends Payout {
  payoutAmount: bigint;
  rate: string | null;
  rateLockedAt: Date | null;
}

/** Decides the asset, amount and address of a payout, from the facts of the payment alone: never at the current rate. */
@Injectable()
export class PayoutPlanner {
  constructor(
    private readonly chains: ChainsService,
    private readonly depositAddresses: DepositAddressesService,
  ) {}

  /** @param amount smallest unit of the payment's currency @throws ValidationError by field */
  plan(
    state: PaymentAggregate,
    amount: bigint,
    { chain, asset }: Payout,
    { payoutAmount: fixed }: RefundInput,
  ): PayoutPlan {
    if (fixed) return { chain, asset, payoutAmount: fixed, rate: null, rateLockedAt: null };
    const target = { chain: chain.slug, ...asset };
    const rate = findPayoutRate(factsOf(state), target) ?? rateWithin(state, target);
    if (!rate) {
      throw ValidationError.of(
        'payoutAmount',
        `The payoutAmount field is required: this payment has no rate for ${asset.currencyCode} on ${chain.name}.`,
      );
    }
    const payoutAmount = payoutAmountFor(amount, rate);
    if (payoutAmount === 0n) {
      throw ValidationError.of('amount', 'The amount field is too small to be paid out in this currency.');
    }
    return { chain, asset, payoutAmount, rate: rate.rate, rateLockedAt: rate.lockedAt };
  }

  /** What pays an unmatched transfer back; null if its network or coin is not available any more. */
  planReturn({ chain: slug, asset: name, assetDecimals, amount }: Transfer): PayoutPlan | null {
    const chain = this.chains.find(slug);
    const asset = chain?.assets.find((one) => one.asset === name && one.decimals === assetDecimals);
    return chain && asset ? { chain, asset, payoutAmount: amount, rate: null, rateLockedAt: null } : null;
  }

  /** {@link plan} in the asset that most of the funds came in; null if no wallet could send it. */
  planAsPaid(state: PaymentAggregate, amount: bigint): PayoutPlan | null {
    const facts = factsOf(state);
    const paid = mainPaidAsset(facts);
    const chain = paid && this.chains.find(paid.chain);
    const asset = chain?.assets.find((one) => one.asset === paid?.asset);
    const rate = paid && findPayoutRate(facts, paid);
    if (!chain || !asset || !rate) return null;
    const payoutAmount = payoutAmountFor(amount, rate);
    if (payoutAmount === 0n || payoutAmount < minTransferAmount(chain, asset)) return null;
    return { chain, asset, payoutAmount, rate: rate.rate, rateLockedAt: rate.lockedAt };
  }

  /** @throws ConflictError if the gateway has it no more */
  chainOf(slug: string): Chain {
    const chain = this.chains.find(slug);
    if (!chain) throw this.unavailable(slug);
    return chain;
  }

  unavailable(slug: string): ConflictError {
    return new ConflictError('invalid_state_transition', `The network ${slug} is not available any more`);
  }

  /** @throws PayoutAddressError, without the entered text, which may be a secret */
  async readAddress(chain: Chain, text: string): Promise<PayoutAddress> {
    const read = readPayoutAddress(chain, text);
    if ('problem' in read) throw new PayoutAddressError(read.problem);
    // A payout to one of these would be credited to another payment.
    const ours = await this.depositAddresses.match(chain.family, [read.key]);
    if (ours.length > 0) throw new PayoutAddressError('own_address');
    return read;
  }

  /** Returns the coin and chain of the payout. @throws ValidationError by field */
  payoutAsset(state: PaymentAggregate, input: RefundInput): Payout {
    const paid = mainPaidAsset(factsOf(state));
    const code = input.payoutCurrencyCode ?? paid?.currencyCode;
    if (!code) {
      throw ValidationError.of(
        'payoutCurrencyCode',
        `The payoutCurrencyCode field is required, because nothing was paid yet whose currency could be used: one of ${this.chains.enabledCodes.join(', ')}.`,
      );
    }
    const chain = this.payoutChain(paid, code, input);
    // Codes are unique on a chain, so this is the asset that was paid.
    const asset = this.chains.findAsset(chain, code);
    if (!asset)
      throw this.notOnChain(input.payoutCurrencyCode ? 'payoutCurrencyCode' : 'blockchainSlug', chain, code);
    return { chain, asset };
  }

  /** The coin is not on the chain; the message lists what would be valid on either side. */
  private notOnChain(field: string, { slug, assets }: Chain, code: string): ValidationError {
    const others = this.chains.list().filter((chain) => this.chains.findAsset(chain, code));
    const networks = others.length > 0 ? ` It is on ${others.map((chain) => chain.slug).join(', ')}.` : '';
    const coins = assets.map(({ currencyCode }) => currencyCode).join(', ');
    const known = findCurrency(code) ? code : 'This currency';
    return ValidationError.of(
      field,
      `The selected ${field} is invalid. ${known} cannot be paid out on ${slug}, which carries ${coins}.${networks}`,
    );
  }

  private payoutChain(paid: PayoutAsset | null, code: string, input: RefundInput): Chain {
    if (input.blockchainSlug) {
      const named = this.chains.find(input.blockchainSlug);
      if (!named)
        throw ValidationError.of(
          'blockchainSlug',
          chainMessage('blockchainSlug', input.blockchainSlug, this.chains.list()),
        );
      return named;
    }
    const able = this.chains.list().filter((chain) => this.chains.findAsset(chain, code));
    if (able.length === 0)
      throw ValidationError.of(
        'payoutCurrencyCode',
        currencyMessage('payoutCurrencyCode', code, CRYPTO, this.chains.enabledCodes),
      );
    const chain = able.find(({ slug }) => slug === paid?.chain) ?? (able.length === 1 ? able[0] : null);
    if (!chain) {
      throw ValidationError.of(
        'blockchainSlug',
        `The blockchainSlug field is required: ${code} can be paid out on ${able.map(({ slug }) => slug).join(', ')}.`,
      );
    }
    return chain;
  }
}

function factsOf({ payment, quotes, transfers }: PaymentAggregate): PaidFacts {
  return { due: payment.amount, quotes, transfers };
}

/** The rate 1 if the payment is priced in the coin that is paid out, else null. */
function rateWithin({ payment }: PaymentAggregate, asset: PayoutAsset) {
  const { currencyCode, createdAt } = payment;
  return asset.currencyCode === currencyCode
    ? ownRate(getCurrency(currencyCode).decimals, asset, createdAt)
    : null;
}
