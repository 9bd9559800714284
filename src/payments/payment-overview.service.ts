import { Injectable } from '@nestjs/common';
import { ChainsService } from '../chains/chains.service.js';
import type { AmountContract } from '../money/amount.contract.js';
import { CURRENCY_CODES, getCurrency } from '../money/currencies.js';
import { presentAmount } from '../money/present-amount.js';
import { CursorPage } from '../platform/web/http/cursor-page.js';
import { pageBackwards } from '../platform/web/http/cursor-query.js';
import { formatPlace, OLDEST, type Place } from '../platform/web/http/keyset-cursor.pure.js';
import { Clock, toIsoSeconds, toIsoSecondsOrNull } from '../platform/kernel/clock.pure.js';
import { recordedRequirement } from './confirmation-policy.pure.js';
import { progressOf } from './confirmation-progress.pure.js';
import type { ConfirmationsContract } from './confirmations.contract.js';
import { attentionOf, type OverviewFacts, situationOf, toldOf } from './payment-attention.pure.js';
import type { PaymentOverviewContract, PaymentOverviewQuery } from './payment-overview.contract.js';
import { conditionsOf } from './payment-filters.js';
import {
  type OverviewFilter,
  PaymentOverviewRepository,
  type OverviewRow,
} from './payment-overview.repository.js';
import { PaymentSearch } from './search/payment-search.service.js';
import { PaymentPresenter, priced } from './payment-presenter.service.js';
import type { Quote, Transfer } from './payment.pure.js';
import { PaymentStatusHistoryRepository } from './payment-status-history.repository.js';
import { QuoteRepository } from './quotes/quote.repository.js';
import { tooMuchFacts, tooMuchOf } from './too-much/too-much.pure.js';
import { SummedTransferRepository } from './transfers/summed-transfer.repository.js';

/** So many payments that a search finds are sorted; with more, the list is walked through in its order. */
const MAX_FOUND = 1_000;
/** Payments that a step of such a walk compares with the search, and steps that a page takes at most. */
const STEP = 2_500;
const MAX_STEPS = 4;

/** The list of payments that a dashboard shows (specification/overview.md#payments). */
@Injectable()
export class PaymentOverviewService {
  constructor(
    private readonly overviews: PaymentOverviewRepository,
    private readonly search: PaymentSearch,
    private readonly transfers: SummedTransferRepository,
    private readonly quotes: QuoteRepository,
    private readonly history: PaymentStatusHistoryRepository,
    private readonly presenter: PaymentPresenter,
    private readonly chains: ChainsService,
    private readonly clock: Clock,
  ) {}

  /** Newest first. Payments of deleted applications are included. */
  async list(userId: string, query: PaymentOverviewQuery): Promise<CursorPage<PaymentOverviewContract>> {
    const filter = {
      ...conditionsOf(userId, query, this.clock.now()),
      applicationIds: query.paymentApplicationId ?? null,
    };
    const { rows, walkedTo } = await this.read(filter, query);
    const { limit } = query;
    const shown = rows.slice(0, limit);
    const [transfers, quotes, statuses] = await Promise.all([
      this.transfers.listByPayments(shown.map(({ counted }) => counted)),
      this.quotes.listByPayments(shown.map(({ payment }) => payment.id)),
      this.history.authenticStatuses(shown.map(({ payment }) => payment.id)),
    ]);
    for (const { payment } of shown) payment.status = statuses(payment.id);
    const places = rows.map((row) => ({ at: row.payment.createdAt, id: row.payment.id, row }));
    const page = pageBackwards(places, query, ({ id, row }) =>
      this.present(
        row,
        transfers.rows.filter(({ paymentId }) => paymentId === id),
        quotes.rows.filter(({ paymentId }) => paymentId === id),
      ),
    );
    return walkedTo ? new CursorPage(page.items, { next: formatPlace(walkedTo), hasMore: true }) : page;
  }

  /** One row more than the limit if there are more; fewer if the walk through the list has only come to a place. */
  private async read(
    filter: OverviewFilter,
    { after, limit, search }: PaymentOverviewQuery,
  ): Promise<{ rows: OverviewRow[]; walkedTo?: Place }> {
    if (search === undefined) return { rows: await this.overviews.list(filter, null, after, limit + 1) };
    const { userId } = filter;
    const { text, id, ids } = await this.search.find(userId, search, MAX_FOUND + 1);
    if (ids.length <= MAX_FOUND) return { rows: await this.overviews.list(filter, ids, after, limit + 1) };
    const rows: OverviewRow[] = [];
    let place = after;
    for (let step = 0; step < MAX_STEPS; step++) {
      const end = await this.overviews.step(userId, place, STEP);
      const walk = { id, text, downTo: end ?? OLDEST };
      rows.push(...(await this.overviews.list(filter, walk, place, limit + 1 - rows.length)));
      if (!end || rows.length > limit) return { rows };
      place = end;
    }
    return { rows, walkedTo: place };
  }

  private present(
    row: OverviewRow,
    transfers: readonly Transfer[],
    quotes: readonly Quote[],
  ): PaymentOverviewContract {
    const { payment } = row;
    const { selectedMethod, underpaidAmount, overpaidAmount, refundedAmount } = payment;
    // A reorganization may have left less than was kept.
    const kept = min(payment.keptAmount ?? 0n, overpaidAmount ?? 0n);
    const expired = this.presenter.isExpired(payment);
    const tooMuch = tooMuchOf(tooMuchFacts(payment, row));
    const facts: OverviewFacts = {
      status: payment.status,
      reviewReason: payment.reviewReason,
      isExpired: expired,
      isChosen: payment.selectedProvider !== null,
      told: toldOf(row.newestEvent),
      hasUnmatchedFunds: row.hasUnmatchedFunds,
      hasLateFunds: row.hasLateFunds,
      hasFailedRefund: row.hasFailedRefund,
      hasWaitingRefund: row.hasWaitingRefund,
      hasUnlistedToken: row.hasUnlistedToken,
      tooMuch,
    };
    return {
      id: payment.id,
      status: payment.status,
      reference: payment.reference,
      referenceLabel: payment.referenceLabel,
      currencyCode: payment.currencyCode,
      amount: priced(payment, payment.amount),
      date: toIsoSeconds(payment.createdAt),
      paymentApplicationId: payment.applicationId,
      blockchain: payment.selectedProvider,
      coin: CURRENCY_CODES.find((code) => code.toLowerCase() === selectedMethod) ?? null,
      askedAmount: askedOf(payment, quotes),
      receivedAmount: priced(payment, payment.receivedAmount),
      underpaidAmount: underpaidAmount === null ? null : priced(payment, underpaidAmount),
      overpaidAmount: overpaidAmount === null ? null : priced(payment, overpaidAmount),
      owedAmount: tooMuch.owed === 0n ? null : priced(payment, tooMuch.owed),
      keptAmount: kept === 0n ? null : priced(payment, kept),
      paidLateAt: toIsoSecondsOrNull(payment.paidLateAt),
      refundedAmount: refundedAmount === 0n ? null : priced(payment, refundedAmount),
      confirmations: this.confirmationsOf(transfers),
      happens: situationOf(facts),
      attention: attentionOf(facts),
      told: facts.told,
      reviewReason: payment.reviewReason,
      expiresAt: toIsoSeconds(payment.expiresAt),
      expired,
    };
  }

  /** Of the chain whose funds wait for the most blocks; a chain that is no longer configured shows none. */
  private confirmationsOf(transfers: readonly Transfer[]): ConfirmationsContract | null {
    const waiting = transfers.filter(
      ({ isMatched, isDust, state }) => isMatched && !isDust && state === 'pending',
    );
    const [slowest] = waiting
      .flatMap((transfer) => {
        const chain = this.chains.find(transfer.chain);
        return chain ? [progressOf({ transfers: [transfer] }, chain, recordedRequirement(transfer))] : [];
      })
      .toSorted((a, b) => b.missing - a.missing);
    return slowest ? { seen: slowest.seen, required: slowest.required } : null;
  }
}

const min = (a: bigint, b: bigint) => (a < b ? a : b);

/** By the last quote that the customer was shown for the chosen network and coin. */
function askedOf(
  { selectedProvider, selectedMethod }: Pick<OverviewRow['payment'], 'selectedProvider' | 'selectedMethod'>,
  quotes: readonly Quote[],
): AmountContract | null {
  const quote = quotes.findLast(
    (one) =>
      one.chain === selectedProvider &&
      one.currencyCode.toLowerCase() === selectedMethod &&
      !one.isLate &&
      one.acceptedTransferId === null,
  );
  if (!quote) return null;
  return presentAmount(quote.assetAmount, {
    ...getCurrency(quote.currencyCode),
    decimals: quote.assetDecimals,
  });
}
