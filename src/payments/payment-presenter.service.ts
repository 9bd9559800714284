import type { KeyObject } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { ChainsService } from '../chains/chains.service.js';
import { usualWait } from '../chains/required-confirmations.pure.js';
import { recordedRequirement } from './confirmation-policy.pure.js';
import { stringifyExact } from '../platform/kernel/exact-json.pure.js';
import { Clock, toIsoSeconds, toIsoSecondsOrNull } from '../platform/kernel/clock.pure.js';
import type { ApplicationEventType, EventType } from '../applications/event-types.pure.js';
import { CONFIG, type Config } from '../config.js';
import type { AmountContract } from '../money/amount.contract.js';
import { presentAmount } from '../money/present-amount.js';
import { getCurrency } from '../money/currencies.js';
import { checkoutKeyOf, checkoutUrl } from './checkout-url.pure.js';
import { receiptKeyOf, receiptUrl } from './receipt-url.pure.js';
import { amountIn, type Change, type Sums, type UnmatchedSum } from './payment-change.pure.js';
import type { PaymentChangeContract } from './payment-event.contract.js';
import type { PaymentContract, PaymentListItemContract, TransactionContract } from './payment.contract.js';
import type { Payment, PaymentAggregate, PaymentSummary, Transfer } from './payment.pure.js';
import { hasReceipt } from './payment-status.pure.js';
import { creditedBy } from './quotes/parts.pure.js';
import { countOf, MAX_LISTED, splitListed, sumsByKind } from './transfers/transfer-listing.pure.js';
import { TRANSACTION_STATUS } from './transfers/transfer-state.pure.js';
import { decideAcceptance } from './transfers/transfer-acceptance.pure.js';

/** Of the body of an event (specification/events.md#body); receivers may refuse more. */
export const MAX_EVENT_BYTES = 64 * 1024;
/** The most coins of `change.unmatched`, those that have changed first. */
const MAX_UNMATCHED = 10;

/** What an event has beside the payment. */
interface EventDetails {
  test?: true;
  refund?: object;
  change?: object;
}

/** Renders payments for the API and for webhooks (specification/payments.md#resource). */
@Injectable()
export class PaymentPresenter {
  private readonly checkoutKey: KeyObject;
  private readonly receiptKey: KeyObject;

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly clock: Clock,
    private readonly chains: ChainsService,
  ) {
    const [key] = config.checkoutSigningKeys;
    if (!key) throw new Error('no checkout signing key');
    this.checkoutKey = checkoutKeyOf(key);
    this.receiptKey = receiptKeyOf(key);
  }

  /** The signed link of the hosted checkout page; the same at every call. */
  checkoutUrl(payment: Pick<Payment, 'id' | 'expiresAt'>): string {
    return checkoutUrl(this.config.baseUrl, this.checkoutKey, payment.id, expiresUnix(payment));
  }

  /** The signed link of the receipt; null: there is none before the payment is RECEIVED. */
  receiptUrl({ id, createdAt, status }: Pick<Payment, 'id' | 'createdAt' | 'status'>): string | null {
    return hasReceipt(status) ? receiptUrl(this.config.baseUrl, this.receiptKey, { id, createdAt }) : null;
  }

  /** The payment resource (specification/payments.md#resource). @param most transfers and kinds of them that are listed */
  payment(state: PaymentAggregate, most = MAX_LISTED): PaymentContract {
    const { payment } = state;
    return {
      id: payment.id,
      userId: payment.userId,
      status: payment.status,
      reference: payment.reference,
      referenceLabel: payment.referenceLabel,
      currencyCode: payment.currencyCode,
      settlementCurrencyCode: payment.settlementCurrencyCode,
      amount: priced(payment, payment.amount),
      receivedAmount: priced(payment, payment.receivedAmount),
      confirmedAt: toIsoSecondsOrNull(payment.confirmedAt),
      foundAt: toIsoSecondsOrNull(payment.foundAt),
      date: toIsoSeconds(payment.createdAt),
      checkoutUrl: this.checkoutUrl(payment),
      receiptUrl: this.receiptUrl(payment),
      expiresAt: toIsoSeconds(payment.expiresAt),
      expired: this.isExpired(payment),
      redirectUrl: payment.redirectUrl,
      blockchainSlug: payment.blockchainSlug,
      productId: payment.productId,
      callbackUrl: payment.callbackUrl,
      metadata: payment.metadata,
      livemode: this.livemode(payment),
      settledAmount:
        payment.settledAmount === null
          ? null
          : presentAmount(payment.settledAmount, getCurrency(payment.settlementCurrencyCode)),
      refundedAmount: payment.refundedAmount === 0n ? null : priced(payment, payment.refundedAmount),
      overpaidAmount: pricedOrNull(payment, payment.overpaidAmount),
      underpaidAmount: pricedOrNull(payment, payment.underpaidAmount),
      cancelledAt: toIsoSecondsOrNull(payment.cancelledAt),
      cancelReason: payment.cancelReason,
      errorReason: payment.errorReason,
      reviewReason: payment.reviewReason,
      ...this.transactions(state, most),
      transactionsUrl: `${this.config.baseUrl}/api/payment/${payment.id}/transactions`,
    };
  }

  /** The transfers, bounded: anybody can send thousands (specification/payments.md#transactions). */
  transactions(
    state: PaymentAggregate,
    most = MAX_LISTED,
  ): Pick<PaymentContract, 'transactions' | 'otherTransactions' | 'transactionCount'> {
    const { listed, others } = splitListed(state.transfers, most);
    const kinds = sumsByKind(others).map((sum) => ({
      sum,
      credited: sum.reduce((total, transfer) => total + creditedBy(transfer), 0n),
    }));
    return {
      transactions: listed.map((transfer) => this.transaction(state, transfer)),
      otherTransactions: mostCredited(kinds, most).map(({ sum, credited }) => ({
        blockchain: sum[0].chain,
        currencyCode: sum[0].currencyCode,
        status: TRANSACTION_STATUS[sum[0].state],
        matched: sum[0].isMatched,
        count: countOf(sum),
        amount: receivedOf(sum),
        creditedAmount: priced(state.payment, credited),
      })),
      transactionCount: countOf(state.transfers),
    };
  }

  /** A list item: these seven fields and no others (specification/payments.md#list). */
  listItem(payment: PaymentSummary): PaymentListItemContract {
    return {
      id: payment.id,
      status: payment.status,
      reference: payment.reference,
      referenceLabel: payment.referenceLabel,
      currencyCode: payment.currencyCode,
      amount: priced(payment, payment.amount),
      date: toIsoSeconds(payment.createdAt),
    };
  }

  /** One entry of `transactions[]`. */
  transaction(state: PaymentAggregate, transfer: Transfer): TransactionContract {
    const { payment, quotes } = state;
    const quote = quotes.find(({ id }) => id === transfer.quoteId);
    const chain = this.chains.find(transfer.chain);
    const required = recordedRequirement(transfer);
    return {
      id: transfer.id,
      txHash: transfer.txHash,
      blockchain: transfer.chain,
      currencyCode: transfer.currencyCode,
      amount: receivedOf([transfer]),
      creditedAmount: priced(payment, creditedBy(transfer)),
      confirmations: transfer.confirmations,
      confirmationsRequired: chain ? usualWait(chain, required) : required.confirmations,
      finality: required.finality,
      status: TRANSACTION_STATUS[transfer.state],
      late: transfer.isLate,
      matched: transfer.isMatched,
      acceptable: decideAcceptance(transfer) === 'accept',
      acceptedAt: quote?.acceptedTransferId ? toIsoSeconds(quote.lockedAt) : null,
      seenAt: toIsoSeconds(transfer.seenAt),
      confirmedAt: toIsoSecondsOrNull(transfer.confirmedAt),
      explorerUrl: this.explorerUrl(transfer),
    };
  }

  /** Of a transaction; null where no explorer of the chain is known. */
  explorerUrl({ chain, txHash }: Pick<Transfer, 'chain' | 'txHash'>): string | null {
    return this.chains.find(chain)?.explorerTxUrl?.replace('{txHash}', txHash) ?? null;
  }

  /** The text of the webhook of an event (specification/events.md#body). @param more what belongs to its type only */
  event(
    { id, type, createdAt }: { id: string; type: EventType | ApplicationEventType; createdAt: Date },
    state: PaymentAggregate,
    more: EventDetails = {},
  ): string {
    return this.fitting(state, (payment) => {
      const head = { id, event: type, createdAt: toIsoSeconds(createdAt), livemode: payment.livemode };
      return more.test ? { ...head, test: true, payment, ...more } : { ...head, payment, ...more };
    });
  }

  /** What a `payment.updated` reports. */
  change({ payment }: PaymentAggregate, { reason, before, after }: Change): PaymentChangeContract {
    const sums = ({ receivedAmount, overpaidAmount, underpaidAmount, reviewReason }: Sums) => ({
      receivedAmount: priced(payment, receivedAmount),
      overpaidAmount: pricedOrNull(payment, overpaidAmount),
      underpaidAmount: pricedOrNull(payment, underpaidAmount),
      reviewReason,
    });
    const gone = before.unmatched.filter((sum) => amountIn(after, sum) === 0n);
    const unmatched = [...after.unmatched, ...gone].toSorted(
      (a, b) => Number(hasMoved(b)) - Number(hasMoved(a)),
    );
    function hasMoved(sum: UnmatchedSum): boolean {
      return amountIn(before, sum) !== amountIn(after, sum);
    }
    return {
      reason,
      before: sums(before),
      after: sums(after),
      unmatched: unmatched.slice(0, MAX_UNMATCHED).map((sum) => {
        const currency = { ...getCurrency(sum.currencyCode), decimals: sum.decimals };
        return {
          blockchain: sum.chain,
          currencyCode: sum.currencyCode,
          before: presentAmount(amountIn(before, sum), currency),
          after: presentAmount(amountIn(after, sum), currency),
        };
      }),
    };
  }

  /**
   * Below {@link MAX_EVENT_BYTES} whatever strangers have sent and the merchant has stored: as few transfers are listed one
   * by one as it takes. All bounded texts together, and no transfer, are less.
   */
  private fitting(state: PaymentAggregate, around: (payment: PaymentContract) => object): string {
    for (let most = MAX_LISTED; ; most = Math.floor(most / 2)) {
      const text = stringifyExact(around(this.payment(state, most)));
      if (most === 0 || Buffer.byteLength(text) < MAX_EVENT_BYTES) return text;
    }
  }

  /**
   * Whether real money may be involved (specification/payments.md#livemode). For payments of older releases, the chains
   * that the gateway watches now decide.
   */
  private livemode({ livemode }: Payment): boolean {
    return livemode ?? this.chains.list().some(({ testnet }) => !testnet);
  }

  /**
   * Expiry is a property, not a status (specification/payment-states.md#expiry); the link is valid while now <=
   * expires.
   */
  isExpired(payment: Pick<Payment, 'expiresAt'>): boolean {
    return this.clock.unixSeconds() > expiresUnix(payment);
  }
}

/** Kinds of transfers, at most so many: those that count for most. */
function mostCredited<Kind extends { credited: bigint }>(kinds: readonly Kind[], most: number): Kind[] {
  if (kinds.length <= most) return [...kinds];
  return kinds
    .toSorted((a, b) => Number(b.credited > a.credited) - Number(a.credited > b.credited))
    .slice(0, most);
}

/** The sum of transfers of one coin. */
function receivedOf(transfers: readonly [Transfer, ...Transfer[]]): AmountContract {
  const [{ currencyCode, assetDecimals }] = transfers;
  const sum = transfers.reduce((total, { amount }) => total + amount, 0n);
  return presentAmount(sum, { ...getCurrency(currencyCode), decimals: assetDecimals });
}

function expiresUnix(payment: Pick<Payment, 'expiresAt'>): number {
  return Math.floor(payment.expiresAt.getTime() / 1000);
}

/** An amount in the pricing currency. */
export function priced(payment: Pick<Payment, 'currencyCode'>, amount: bigint): AmountContract {
  return presentAmount(amount, getCurrency(payment.currencyCode));
}

function pricedOrNull(payment: Payment, amount: bigint | null): AmountContract | null {
  return amount === null ? null : priced(payment, amount);
}
