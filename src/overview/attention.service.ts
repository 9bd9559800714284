import { Injectable } from '@nestjs/common';
import { isPayable, stateSince } from '../chains/chain-health.pure.js';
import { ChainHealthService } from '../chains/chain-health.service.js';
import { ChainsService } from '../chains/chains.service.js';
import { getCurrency } from '../money/currencies.js';
import { presentAmount } from '../money/present-amount.js';
import type { Payment, PaymentAggregate, PaymentSummary } from '../payments/payment.pure.js';
import { type Standing, waysOf } from '../payments/payment-moves.pure.js';
import { PaymentPresenter, priced } from '../payments/payment-presenter.service.js';
import { PaymentListService } from '../payments/payment-list.service.js';
import { PaymentsService } from '../payments/payments.service.js';
import {
  type ReportedTransaction,
  ReportedTransactions,
} from '../payments/transfers/reported-transactions.service.js';
import { gapLimitFor } from '../wallets/earlier-use/address-gap.pure.js';
import { CursorPage } from '../platform/web/http/cursor-page.js';
import { Clock, toIsoSeconds } from '../platform/kernel/clock.pure.js';
import type {
  AttentionCountContract,
  AttentionCountsQuery,
  AttentionItemContract,
  AttentionQuery,
  AttentionSumsContract,
  AttentionWalletContract,
  StrayReceiptContract,
} from './attention.contract.js';
import {
  actionsOf,
  ATTENTION_KINDS,
  type AttentionItem,
  type ChainAttention,
  comparePlaces,
  formatAttentionPlace,
} from './attention.pure.js';
import { type AttentionSums, sumsOf } from './attention-sums.pure.js';
import { AttentionRepository, type StrayReceipt, type WalletGap } from './attention.repository.js';

/** The payment of an item. */
interface About {
  state: PaymentAggregate;
  standing: Standing;
  summary: PaymentSummary;
}

/** Of one key. */
const MOST_STRAYS = 10;
/** Where a list without an item ends: before the worst there is. */
const START = { kind: ATTENTION_KINDS[0], since: new Date(0), id: '0' } as const;

/** What needs the merchant, over all applications (specification/overview.md#attention). */
@Injectable()
export class AttentionService {
  constructor(
    private readonly items: AttentionRepository,
    private readonly payments: PaymentsService,
    private readonly paymentList: PaymentListService,
    private readonly reported: ReportedTransactions,
    private readonly presenter: PaymentPresenter,
    private readonly chains: ChainsService,
    private readonly health: ChainHealthService,
    private readonly clock: Clock,
  ) {}

  /** Worst first; of the same kind, the oldest first. */
  async list(userId: string, query: AttentionQuery): Promise<CursorPage<AttentionItemContract>> {
    const { after = null, limit, kind: kinds = null, paymentApplicationId: applicationIds = null } = query;
    const stored = await this.items.list({ userId, kinds, applicationIds }, after, limit + 1);
    const ofChains = applicationIds === null ? await this.chainItems() : [];
    const found = [
      ...stored,
      ...ofChains.filter(
        (item) => (kinds?.includes(item.kind) ?? true) && (!after || comparePlaces(item, after) > 0),
      ),
    ].toSorted(comparePlaces);
    const items = found.slice(0, limit);
    const paymentIds = new Set(items.flatMap(({ paymentId }) => paymentId ?? []));
    const withTokens = items.flatMap(({ kind, paymentId }) =>
      kind === 'unlisted_token' ? (paymentId ?? []) : [],
    );
    const gapped = items.flatMap(({ kind, id }) => (kind === 'gap_limit' ? id : []));
    const shared = items.flatMap(({ kind, id }) => (kind === 'key_shared' ? id : []));
    const [standings, tokens, strays, gaps] = await Promise.all([
      this.payments.listStandings(userId, [...paymentIds]),
      withTokens.length > 0 ? this.reported.listUnlisted(withTokens) : [],
      shared.length > 0 ? this.items.listStrays(shared, MOST_STRAYS) : [],
      gapped.length > 0 ? this.items.listGaps(gapped) : [],
    ]);
    // Of these, only what lists say.
    const doubted = standings.flatMap(({ state }) => (state.isAuthentic ? [] : state.payment.id));
    const summaries = await this.paymentList.listByIds(userId, doubted);
    const summaryOf = new Map(summaries.map((summary) => [summary.id, summary]));
    const paymentOf = new Map(
      standings.map(({ state, standing }): [string, About] => [
        state.payment.id,
        { state, standing, summary: summaryOf.get(state.payment.id) ?? state.payment },
      ]),
    );
    return new CursorPage(
      items.map((item) =>
        this.present(
          item,
          paymentOf.get(item.paymentId ?? '') ?? null,
          item.kind === 'unlisted_token'
            ? tokens.filter(({ paymentId }) => paymentId === item.paymentId)
            : [],
          {
            strays: item.kind === 'key_shared' ? strays.filter(({ walletId }) => walletId === item.id) : [],
            gap: gaps.find(({ walletId }) => item.kind === 'gap_limit' && walletId === item.id) ?? null,
          },
        ),
      ),
      { next: formatAttentionPlace(items.at(-1) ?? after ?? START), hasMore: found.length > limit },
    );
  }

  private present(
    item: AttentionItem,
    about: About | null,
    tokens: readonly ReportedTransaction[],
    { strays, gap }: { strays: readonly StrayReceipt[]; gap: WalletGap | null },
  ): AttentionItemContract {
    // What is not authentic adds up to nothing, and nothing can be done with it.
    const known = item.kind !== 'integrity' && about?.state.isAuthentic ? about : null;
    return {
      kind: item.kind,
      since: toIsoSeconds(item.since),
      paymentApplicationId: item.applicationId,
      payment: about && this.presenter.listItem(about.summary),
      otherPaymentId: item.otherPaymentId,
      endedAt: item.kind === 'paid_late' && known ? toIsoSeconds(known.state.payment.expiresAt) : null,
      refundId: item.refundId,
      blockchain: item.blockchain,
      sums: known && presentSums(sumsOf(item.kind, known.state, known.standing), known.state.payment),
      tokens: tokens.map(({ chain, token, tokenAmount, txHash }) => ({
        blockchain: chain,
        contract: token ?? '',
        amount: String(tokenAmount ?? 0n),
        txHash,
      })),
      strays: strays.map(presentStray),
      wallet: gap && presentGap(gap),
      actions: actionsOf(item, known ? waysOf(known.standing) : []),
    };
  }

  /** Every kind, worst first. */
  async counts(userId: string, query: AttentionCountsQuery): Promise<AttentionCountContract[]> {
    const applicationIds = query.paymentApplicationId ?? null;
    const stored = await this.items.counts({ userId, applicationIds });
    const countOf = new Map(stored.map(({ kind, count }) => [kind, count]));
    const ofChains = applicationIds === null ? await this.chainItems() : [];
    for (const { kind } of ofChains) countOf.set(kind, (countOf.get(kind) ?? 0) + 1);
    return ATTENTION_KINDS.map((kind) => ({ kind, count: countOf.get(kind) ?? 0 }));
  }

  /** Networks on which payments go unseen, or some of them. */
  private async chainItems(): Promise<AttentionItem[]> {
    const slugs = this.chains.list().map(({ slug }) => slug);
    const [statuses, unread] = await Promise.all([
      this.health.statusesOf(slugs),
      this.items.unreadTraces(slugs),
    ]);
    const halted = slugs.flatMap((slug, index) => {
      const status = statuses[index];
      if (!status || isPayable(status.state)) return [];
      const since = stateSince(status.state, status.condition, status.halted) ?? this.clock.now();
      return [chainItem('chain_halted', slug, since)];
    });
    return [...halted, ...unread.map(({ chain, since }) => chainItem('traces_unread', chain, since))];
  }
}

function presentGap({ family, longest, statedGapLimit }: WalletGap): AttentionWalletContract {
  return { family, addressGap: { longest, gapLimit: gapLimitFor(longest), statedGapLimit } };
}

function presentStray({
  currencyCode,
  decimals,
  amount,
  seenAt,
  ...stray
}: StrayReceipt): StrayReceiptContract {
  const { blockchain, address, derivationIndex, txHash } = stray;
  const money = presentAmount(BigInt(amount), { ...getCurrency(currencyCode), decimals });
  return { blockchain, address, derivationIndex, amount: money, txHash, seenAt: toIsoSeconds(seenAt) };
}

function presentSums(
  { asked, received, excess, coins }: AttentionSums,
  payment: Pick<Payment, 'currencyCode'>,
): AttentionSumsContract {
  return {
    asked: priced(payment, asked),
    received: priced(payment, received),
    excess: excess === null ? null : priced(payment, excess),
    coins: coins.map((coin) => {
      const amountOf = (units: bigint | null) =>
        units === null
          ? null
          : presentAmount(units, { ...getCurrency(coin.currencyCode), decimals: coin.decimals });
      return {
        blockchain: coin.chain,
        asked: amountOf(coin.asked),
        received: presentAmount(coin.received, {
          ...getCurrency(coin.currencyCode),
          decimals: coin.decimals,
        }),
        excess: amountOf(coin.excess),
      };
    }),
  };
}

function chainItem(kind: ChainAttention, slug: string, since: Date): AttentionItem {
  const about = {
    applicationId: null,
    paymentId: null,
    refundId: null,
    deliveryId: null,
    otherPaymentId: null,
  };
  return { kind, since, id: slug, blockchain: slug, ...about };
}
