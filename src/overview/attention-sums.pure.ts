import type { PaymentAggregate, Transfer } from '../payments/payment.pure.js';
import { isOwedKind, owedBy } from '../payments/too-much/open-sums.pure.js';
import type { Standing } from '../payments/payment-moves.pure.js';
import { fundsOf } from '../payments/transfers/payment-funds.pure.js';
import { isUnmatched } from '../payments/transfers/transfer-acceptance.pure.js';
import { findPayoutRate, mainPaidAsset, payoutAmountFor } from '../refunds/payout-rate.pure.js';
import type { AttentionKind } from './attention.pure.js';

/** One coin on one network; amounts in its smallest unit there. */
export interface CoinSums {
  chain: string;
  currencyCode: string;
  decimals: number;
  /** Null: never asked for. */
  asked: bigint | null;
  received: bigint;
  /** Null: not this coin's. */
  excess: bigint | null;
}

/** What an item is about; of the price in the smallest unit of its currency. */
export interface AttentionSums {
  asked: bigint;
  received: bigint;
  /** What is too much, and a refund would give back; null: nothing is. */
  excess: bigint | null;
  /** Those that came, at most the listed coins of a network. */
  coins: CoinSums[];
}

type Asset = Pick<Transfer, 'chain' | 'asset'>;
const isSame = (a: Asset, b: Asset) => a.chain === b.chain && a.asset === b.asset;

/** The sums of an item about a payment. */
export function sumsOf(kind: AttentionKind, state: PaymentAggregate, standing: Standing): AttentionSums {
  const { payment, quotes } = state;
  const excess = excessOf(kind, state, standing);
  // Funds that were not asked for are what the item is about, or no part of it.
  const transfers =
    kind === 'unmatched_funds'
      ? state.transfers.filter(isUnmatched)
      : state.transfers.filter(({ isMatched, state: at }) => isMatched && at === 'confirmed');
  const facts = { due: payment.amount, quotes, transfers: state.transfers };
  const main = excess === null ? null : mainPaidAsset(facts);
  const rate = main && findPayoutRate(facts, main);
  const coins: CoinSums[] = [];
  for (const transfer of transfers) {
    const known = coins.find(
      (coin) => coin.chain === transfer.chain && coin.currencyCode === transfer.currencyCode,
    );
    if (known) {
      known.received += transfer.amount;
      continue;
    }
    const quote = quotes.findLast(
      (one) => isSame(one, transfer) && !one.isLate && one.acceptedTransferId === null,
    );
    coins.push({
      chain: transfer.chain,
      currencyCode: transfer.currencyCode,
      decimals: transfer.assetDecimals,
      asked: quote?.assetAmount ?? null,
      received: transfer.amount,
      excess:
        main && rate && excess !== null && isSame(main, transfer) ? payoutAmountFor(excess, rate) : null,
    });
  }
  return { asked: payment.amount, received: payment.receivedAmount, excess, coins };
}

function excessOf(kind: AttentionKind, state: PaymentAggregate, standing: Standing): bigint | null {
  if (!isOwedKind(kind)) return null;
  const { promised } = standing;
  const owed = owedBy(kind, { ...state.payment, promised, seenExcess: fundsOf(state).excessAmount });
  return owed > 0n ? owed : null;
}
