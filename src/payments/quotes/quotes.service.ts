import { Inject, Injectable, Logger } from '@nestjs/common';
import type { Principal } from '../../platform/kernel/principal.pure.js';
import { Clock } from '../../platform/kernel/clock.pure.js';
import { failpoint } from '../../platform/kernel/failpoints.js';
import { newId } from '../../platform/kernel/ids.pure.js';
import { Sql } from '../../platform/database/sql.js';
import { CONFIG, type Config } from '../../config.js';
import { getCurrency } from '../../money/currencies.js';
import { assetAmountFor, parseRate, rescale } from '../../money/money.js';
import { type Rate, RatesService } from '../../rates/rates.service.js';
import { requireAuthentic } from '../audit/payment-integrity.pure.js';
import { fundsOf } from '../transfers/payment-funds.pure.js';
import { PaymentTransferRepository } from '../transfers/payment-transfer.repository.js';
import { PaymentRepository } from '../payment.repository.js';
import { type NewQuote, QuoteRepository } from './quote.repository.js';
import { paymentNotFound } from '../payments.service.js';
import type { Payment, PaymentAggregate, Quote, Transfer } from '../payment.pure.js';
import { readPrices, type StoredPrice } from './stored-prices.pure.js';
import { priceEnd } from './price-end.pure.js';
import { dueUnits } from './settlement.pure.js';

/** The asset of a quote. */
export interface QuotedAsset {
  chain: string;
  asset: string;
  currencyCode: string;
  decimals: number;
}

/** A valid quote, and its payment. */
export interface LockedQuote {
  state: PaymentAggregate;
  quote: Quote;
}

/** The rates of a quote. */
export interface Rates {
  rate: Rate;
  settlementRate: string | null;
}

/** What a quote is made for: a customer, late funds, or funds that the merchant accepts. */
type Purpose =
  { kind: 'method' } | { kind: 'late' } | { kind: 'acceptance'; transferId: string; by: Principal };

/** Rate locks: made when a customer selects a method, and for funds that arrive late (specification/money.md#quotes). */
@Injectable()
export class QuotesService {
  private readonly logger = new Logger('QuotesService');

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly sql: Sql,
    private readonly clock: Clock,
    private readonly rates: RatesService,
    private readonly payments: PaymentRepository,
    private readonly quotes: QuoteRepository,
    private readonly transfers: PaymentTransferRepository,
  ) {}

  /** The quote that the customer is shown for the asset now, or null if one must be made. */
  findCurrent(state: PaymentAggregate, asset: QuotedAsset): Quote | null {
    const newest = this.findNewest(state, asset);
    if (!newest) return null;
    // From FOUND on, the last quote stays valid (specification/money.md#quotes).
    return state.payment.status !== 'OPEN' || newest.expiresAt > this.clock.now() ? newest : null;
  }

  /** The last quote that a customer was shown for the asset, whose price may have ended; null: there was none. */
  findNewest({ quotes }: PaymentAggregate, asset: QuotedAsset): Quote | null {
    return (
      quotes.findLast(
        (q) =>
          q.chain === asset.chain && q.asset === asset.asset && !q.isLate && q.acceptedTransferId === null,
      ) ?? null
    );
  }

  /**
   * Returns the current quote, or locks a new one, and stores the method as selected. Concurrent calls get the same
   * quote. What is so already is not written again: customers and merchants ask repeatedly.
   * @param before the payment as it was just read
   * @param least smallest amount to quote, in units of the asset (specification/chains.md#smallest-transfers)
   */
  async lock(
    before: PaymentAggregate,
    asset: QuotedAsset,
    least: bigint,
  ): Promise<LockedQuote | 'rate_unavailable' | 'below_minimum'> {
    const method = methodOf(asset);
    const current = this.findCurrent(before, asset);
    if (current && isSelected(before.payment, method)) return { state: before, quote: current };
    const paymentId = before.payment.id;
    const rates = current ? null : await this.findRates(before.payment, asset);
    if (rates && isUntouched(before)) {
      const first = await this.lockFirst(before, asset, rates, least);
      if (first) return first;
    }
    return this.sql.transaction(async () => {
      const [state] = await this.payments.lockForUpdate([paymentId]);
      if (!state) throw paymentNotFound();
      requireAuthentic(state);
      let quote = this.findCurrent(state, asset);
      if (!quote) {
        if (!rates) return 'rate_unavailable';
        if (this.isTooLittle(state, asset, rates, least)) return 'below_minimum';
        quote = await this.insert(state, asset, rates, { kind: 'method' });
        this.logQuoted(paymentId, quote);
      }
      failpoint('quote.written');
      if (!isSelected(state.payment, method)) await this.payments.selectMethod(paymentId, method);
      Object.assign(state.payment, method);
      return { state, quote };
    });
  }

  /** {@link lock} of a payment that is unchanged since it was read; null: it has changed, so it must be locked. */
  private async lockFirst(
    before: PaymentAggregate,
    asset: QuotedAsset,
    rates: Rates,
    least: bigint,
  ): Promise<LockedQuote | 'below_minimum' | null> {
    const { payment } = before;
    if (this.isTooLittle(before, asset, rates, least)) return 'below_minimum';
    const quote = this.make(payment, asset, rates, { kind: 'method' });
    const method = methodOf(asset);
    if (!(await this.quotes.insertFirst(this.recordOf(payment, quote, rates, { kind: 'method' }), method)))
      return null;
    this.logQuoted(payment.id, quote);
    return { state: { ...before, payment: { ...payment, ...method }, quotes: [quote] }, quote };
  }

  private isTooLittle(state: PaymentAggregate, asset: QuotedAsset, { rate }: Rates, least: bigint): boolean {
    const { remaining } = fundsOf(state);
    return dueUnits(remaining, assetAmount(state.payment, asset, rate)) < least;
  }

  private logQuoted(paymentId: string, { chain, asset, rate }: Quote): void {
    this.logger.log({ paymentId, chain, asset, rate }, 'payment quoted');
  }

  /** The prices behind each quote of a payment, by its id. */
  async listPrices(paymentId: string): Promise<Map<string, StoredPrice[]>> {
    const stored = await this.quotes.listRateInputs(paymentId);
    return new Map([...stored].map(([id, inputs]) => [id, readPrices(inputs)]));
  }

  /** What the payment costs in an asset now, without a lock; null without a rate. */
  async estimate(payment: Payment, asset: QuotedAsset): Promise<{ assetAmount: bigint; rate: Rate } | null> {
    const rate = await this.rates.findRate(asset.currencyCode, payment.currencyCode);
    return rate && { assetAmount: assetAmount(payment, asset, rate), rate };
  }

  /**
   * Values the late transfers of a payment in the asset of one of them, at the current rate. The payment must be locked;
   * its facts are fresh afterwards.
   */
  async priceLate(state: PaymentAggregate, transfer: Transfer, rates: Rates): Promise<void> {
    const { chain, asset } = transfer;
    const { id: paymentId } = state.payment;
    const quote = await this.insert(state, assetOf(transfer), rates, { kind: 'late' });
    await this.transfers.priceLate({ paymentId, quoteId: quote.id, chain, asset });
    await this.payments.facts.refresh([state]);
    this.logger.log({ paymentId, rate: quote.rate }, 'late transfer priced');
  }

  /**
   * Makes an unmatched transfer count from now on, by a quote of its own, which also records who accepted it and when.
   * The payment must be locked; its facts are fresh afterwards.
   */
  async accept(state: PaymentAggregate, transfer: Transfer, rates: Rates, by: Principal): Promise<void> {
    const purpose = { kind: 'acceptance', transferId: transfer.id, by } as const;
    const quote = await this.insert(state, assetOf(transfer), rates, purpose);
    await this.transfers.match(transfer.id, quote.id);
    await this.payments.facts.refresh([state]);
    const { id: paymentId } = state.payment;
    this.logger.log({ paymentId, transferId: transfer.id, rate: quote.rate }, 'transfer accepted');
  }

  /** Fetches the rates of a quote in an asset; null: none at the moment. Never call it inside a transaction. */
  async findRates(payment: Payment, asset: QuotedAsset): Promise<Rates | null> {
    const rate = await this.rates.findRate(asset.currencyCode, payment.currencyCode);
    if (!rate) return null;
    const { currencyCode, settlementCurrencyCode } = payment;
    const settlement =
      settlementCurrencyCode === currencyCode
        ? null
        : await this.rates.findCrossRate(currencyCode, settlementCurrencyCode);
    return { rate, settlementRate: settlement?.value ?? null };
  }

  private async insert(
    state: PaymentAggregate,
    asset: QuotedAsset,
    rates: Rates,
    purpose: Purpose,
  ): Promise<Quote> {
    const quote = this.make(state.payment, asset, rates, purpose);
    await this.quotes.insert(this.recordOf(state.payment, quote, rates, purpose));
    state.quotes.push(quote);
    return quote;
  }

  private make(
    payment: Payment,
    asset: QuotedAsset,
    { rate, settlementRate }: Rates,
    purpose: Purpose,
  ): Quote {
    const now = this.clock.now();
    return {
      id: newId(now),
      chain: asset.chain,
      asset: asset.asset,
      currencyCode: asset.currencyCode,
      assetDecimals: asset.decimals,
      assetAmount: assetAmount(payment, asset, rate),
      rate: rate.value,
      rateSource: rate.source,
      settlementRate,
      isLate: purpose.kind === 'late',
      acceptedTransferId: purpose.kind === 'acceptance' ? purpose.transferId : null,
      lockedAt: now,
      expiresAt: priceEnd(now, this.config.quoteTtlSeconds, {
        linkEndsAt: payment.expiresAt,
        purpose: purpose.kind,
      }),
    };
  }

  /** The quote as it is stored. */
  private recordOf(payment: Payment, quote: Quote, { rate }: Rates, purpose: Purpose): NewQuote {
    const by = purpose.kind === 'acceptance' ? purpose.by : null;
    return {
      ...quote,
      paymentId: payment.id,
      userId: payment.userId,
      pricedAmount: payment.amount,
      rateInputs: rate.inputs,
      acceptedBy: by?.userId ?? null,
      acceptedTokenId: by?.kind === 'client' ? by.tokenId : null,
    };
  }
}

type Selection = Pick<Payment, 'selectedProvider' | 'selectedMethod'>;

function methodOf({ chain, currencyCode }: QuotedAsset) {
  return { selectedProvider: chain, selectedMethod: currencyCode.toLowerCase() };
}

/** As it was created: no method was chosen, and nothing has arrived. */
function isUntouched({ payment, quotes, transfers }: PaymentAggregate): boolean {
  const isNew = payment.status === 'OPEN' && payment.statusSeq === 1 && payment.selectedMethod === null;
  return isNew && quotes.length === 0 && transfers.length === 0;
}

function isSelected(payment: Payment, { selectedProvider, selectedMethod }: Selection): boolean {
  return payment.selectedProvider === selectedProvider && payment.selectedMethod === selectedMethod;
}

/** The asset of a transfer. */
export function assetOf({ chain, asset, currencyCode, assetDecimals }: Transfer): QuotedAsset {
  return { chain, asset, currencyCode, decimals: assetDecimals };
}

/**
 * Units of the asset that pay the payment in full, rounded up; exact if the payment is priced in that coin
 * (specification/money.md#rounding).
 */
function assetAmount(payment: Payment, asset: QuotedAsset, rate: Rate): bigint {
  const { decimals } = getCurrency(payment.currencyCode);
  if (asset.currencyCode === payment.currencyCode)
    return rescale(payment.amount, decimals, asset.decimals, 'up');
  return assetAmountFor({
    pricedAmount: payment.amount,
    pricedDecimals: decimals,
    rate: parseRate(rate.value),
    assetDecimals: asset.decimals,
  });
}
