import type { Requirement } from '../chains/chain.pure.js';
import { isMet, strictest } from '../chains/required-confirmations.pure.js';
import { recordedRequirement } from './confirmation-policy.pure.js';
import { getCurrency } from '../money/currencies.js';
import { assetAmountFor, parseRate, pricedAmountFor, rescale } from '../money/money.js';
import { misjudged } from './transfers/dust.pure.js';
import { hasLateFunds } from './transfers/late-funds.pure.js';
import { canMove, type Decisions, isPaymentStatus, isStillPaid, nextMove } from './payment-status.pure.js';
import { auditEvents } from './audit/events-audit.pure.js';
import type { Finding, PaymentRecords } from './audit/payment-records.pure.js';
import type { PaymentAggregate, Quote, Transfer } from './payment.pure.js';
import type { Settlement } from './quotes/settlement.pure.js';

/** Before and after every time that can be stored. */
const [ALWAYS, NEVER] = [new Date(-8.64e15), new Date(8.64e15)];

/**
 * Finds every record of a payment that does not follow from its transfers and the merchant's decisions.
 * @param funds the sum of the transfers now
 * @param decisions as they stand now; a setting that was changed later does not make an old status wrong
 */
export function checkPaymentInvariants(
  records: PaymentRecords,
  funds: Settlement,
  decisions: Decisions,
): Finding[] {
  return [
    ...auditAmounts(records, funds),
    ...auditStatus(records.state, funds, decisions),
    ...auditSettled(records.state),
    ...auditHistory(records),
    ...auditEvents(records),
    ...records.state.quotes.flatMap((quote) => auditQuote(records.state, quote)),
    ...records.state.quotes.flatMap((quote) => auditAcceptance(records.state, quote)),
    ...records.state.transfers.flatMap((transfer) => auditAttribution(records.state, transfer)),
    ...auditDust(records.state, funds),
    ...auditRequiredConfirmations(records.state),
  ];
}

function auditAmounts({ state: { payment }, refunded }: PaymentRecords, funds: Settlement): Finding[] {
  const compare = (subject: string, expected: bigint | null, found: bigint | null): Finding[] =>
    expected === found ? [] : [{ check: 'amounts', subject, expected: text(expected), found: text(found) }];
  // The application's tolerance may have been another one when the payment was settled.
  const isTolerated =
    payment.underpaidAmount === null && !['OPEN', 'FOUND', 'UNDERPAID'].includes(payment.status);
  return [
    ...compare('receivedAmount', funds.receivedAmount, payment.receivedAmount),
    ...compare('refundedAmount', refunded, payment.refundedAmount),
    ...compare('overpaidAmount', funds.overpaidAmount, payment.overpaidAmount),
    ...(isTolerated ? [] : compare('underpaidAmount', funds.underpaidAmount, payment.underpaidAmount)),
  ];
}

/** The settings and times that may have applied when the payment was last recomputed. */
function* everySetting(decisions: Decisions): Generator<Decisions> {
  for (const allowUnderpay of [true, false])
    for (const allowOverpay of [true, false])
      for (const isQuoteEnded of [true, false])
        for (const isAcknowledged of decisions.isAcknowledged ? [true, false] : [false])
          yield { ...decisions, allowUnderpay, allowOverpay, isQuoteEnded, isAcknowledged };
}

function auditStatus(state: PaymentAggregate, funds: Settlement, decisions: Decisions): Finding[] {
  const { payment } = state;
  const wrong = (expected: string): Finding[] => [
    { check: 'status', subject: 'status', expected, found: payment.status },
  ];
  const next = nextMove(payment.status, funds, decisions);
  const fits = [...everySetting(decisions)].some((each) => nextMove(payment.status, funds, each) === null);
  if (next && !fits) return wrong(next.to);
  const isReorged = payment.reviewReason === 'reorg';
  if (payment.status === 'CONFIRMED' && !isStillPaid(funds, decisions) && !isReorged)
    return wrong('not CONFIRMED: the confirmed funds do not pay it');
  if (hasLateFunds(state, funds) && payment.reviewReason !== 'funds_after_cancel')
    return [
      {
        check: 'review',
        subject: 'reviewReason',
        expected: 'funds_after_cancel',
        found: text(payment.reviewReason),
      },
    ];
  return [];
}

/** The settled amounts are fixed when the payment is received; later transfers do not change them. */
function auditSettled(state: PaymentAggregate): Finding[] {
  const { payment } = state;
  const isSettled = payment.status === 'RECEIVED' || payment.status === 'CONFIRMED';
  if (!isSettled || payment.reviewReason === 'reorg' || !payment.receivedAt) return [];
  const possible = confirmedSets(state, payment.receivedAt);
  const compare = (subject: string, due: readonly (bigint | null)[], found: bigint | null): Finding[] =>
    due.length === 0 || due.includes(found)
      ? []
      : [{ check: 'settled', subject, expected: text(due[0] ?? null), found: text(found) }];
  const settled = possible.map((transfers) => settledFrom(state, transfers));
  const received = possible.map((transfers) => receivedFrom(payment.amount, state.quotes, transfers));
  return [
    ...compare('settledAmount', settled, payment.settledAmount),
    ...(payment.underpayAcceptedAmount === null
      ? []
      : compare('underpayAcceptedAmount', received, payment.underpayAcceptedAmount)),
  ];
}

/** With more uncertain transfers, too many sets are possible to try them all. */
const MAX_UNCERTAIN = 6;

/**
 * Every set of transfers that may have been confirmed when the payment was received; empty if there are too many. A
 * transfer of the same moment may have come before or after. One that was seen before and is confirmed later, or not any
 * more, may have been confirmed then, until a reorganization removed it.
 */
function confirmedSets(state: PaymentAggregate, receivedAt: Date): Transfer[][] {
  const isBefore = (time: Date) => time <= receivedAt;
  const isEarlier = (time: Date) => time < receivedAt;
  const uncertain = state.transfers.filter(
    ({ isMatched, seenAt, confirmedAt }) => isMatched && isBefore(seenAt) && !isBefore(confirmedAt ?? NEVER),
  );
  if (uncertain.length > MAX_UNCERTAIN) return [];
  const accepted = [isBefore, isEarlier].map((isAccepted) =>
    state.transfers.filter((transfer) => isAccepted(acceptedAt(state, transfer) ?? ALWAYS)),
  );
  const certain = [isBefore, isEarlier, () => true].map(
    (isConfirmed) =>
      ({ confirmedAt, state: now }: Transfer) =>
        now === 'confirmed' && isConfirmed(confirmedAt ?? NEVER),
  );
  return subsetsOf(uncertain).flatMap((reverted) =>
    certain.flatMap((isCertain) =>
      accepted.map((all) => all.filter((transfer) => isCertain(transfer) || reverted.includes(transfer))),
    ),
  );
}

/** All subsets, the empty one first. */
function subsetsOf<T>(items: readonly T[]): T[][] {
  return items.reduce<T[][]>((sets, item) => [...sets, ...sets.map((set) => [...set, item])], [[]]);
}

/** When the merchant accepted an unmatched transfer; null: it counts without that. */
function acceptedAt({ quotes }: PaymentAggregate, { id }: Transfer): Date | null {
  return quotes.find(({ acceptedTransferId }) => acceptedTransferId === id)?.lockedAt ?? null;
}

function settledFrom({ payment, quotes }: PaymentAggregate, transfers: readonly Transfer[]): bigint | null {
  const received = receivedFrom(payment.amount, quotes, transfers);
  if (payment.settlementCurrencyCode === payment.currencyCode) return received;
  const quote = quotes.findLast(({ id }) => transfers.some((transfer) => transfer.quoteId === id));
  if (!quote?.settlementRate) return null;
  return pricedAmountFor({
    assetAmount: received,
    assetDecimals: getCurrency(payment.currencyCode).decimals,
    rate: parseRate(quote.settlementRate),
    pricedDecimals: getCurrency(payment.settlementCurrencyCode).decimals,
  });
}

/**
 * The due amount times the sum of a/q of the matched transfers, rounded down once. Deliberately does not use
 * settlement.pure.ts.
 */
function receivedFrom(due: bigint, quotes: readonly Quote[], transfers: readonly Transfer[]): bigint {
  const counted = transfers.filter(({ isMatched }) => isMatched);
  const used = quotes.filter(({ id }) => counted.some(({ quoteId }) => quoteId === id));
  const denominator = used.reduce((product, quote) => product * quote.assetAmount, 1n);
  const numerator = counted.reduce((sum, transfer) => {
    const quote = used.find(({ id }) => id === transfer.quoteId);
    return quote ? sum + (transfer.amount * denominator) / quote.assetAmount : sum;
  }, 0n);
  return (due * numerator) / denominator;
}

function auditHistory({ state, history }: PaymentRecords): Finding[] {
  const findings: Finding[] = [];
  const wrong = (seq: number, expected: string, found: string) =>
    findings.push({ check: 'history', subject: `entry ${seq}`, expected, found });
  let before: string | null = null;
  for (const [i, { seq, from, to }] of history.entries()) {
    if (seq !== i + 1) wrong(seq, `entry ${i + 1}`, `entry ${seq}`);
    if (from !== before) wrong(seq, `from ${text(before)}`, `from ${text(from)}`);
    if (!isPaymentStatus(to)) wrong(seq, 'a status', to);
    else if (before === null ? to !== 'OPEN' : !isPaymentStatus(before) || !canMove(before, to))
      wrong(seq, `a legal move from ${text(before)}`, to);
    before = to;
  }
  const { status, statusSeq } = state.payment;
  if (history.at(-1)?.seq !== statusSeq || before !== status)
    wrong(statusSeq, `${status} as the last entry`, `entry ${history.at(-1)?.seq ?? 0}: ${text(before)}`);
  return findings;
}

/** The amount of a quote follows from the payment's amount and the rate, neither of which changes. */
function auditQuote({ payment }: PaymentAggregate, quote: Quote): Finding[] {
  const { decimals } = getCurrency(payment.currencyCode);
  const expected =
    quote.currencyCode === payment.currencyCode
      ? rescale(payment.amount, decimals, quote.assetDecimals, 'up')
      : assetAmountFor({
          pricedAmount: payment.amount,
          pricedDecimals: decimals,
          rate: parseRate(quote.rate),
          assetDecimals: quote.assetDecimals,
        });
  if (expected === quote.assetAmount) return [];
  return [
    {
      check: 'quotes',
      subject: `quote ${quote.id}`,
      expected: text(expected),
      found: text(quote.assetAmount),
    },
  ];
}

/** Pending transfers of a payment in one asset wait for the same; see confirmation-policy.pure.ts. */
function auditRequiredConfirmations({ transfers }: PaymentAggregate): Finding[] {
  const waiting = transfers.filter(({ state }) => state === 'pending');
  return waiting.flatMap((transfer) => {
    const { txHash, ordinal, chain, asset } = transfer;
    const alike = waiting.filter((other) => other.chain === chain && other.asset === asset);
    const own = recordedRequirement(transfer);
    const most = strictest([own, ...alike.map(recordedRequirement)]);
    if (isMet(most, own)) return [];
    const text = ({ confirmations, finality }: Requirement) =>
      `${confirmations} confirmations required${finality === null ? '' : `, ${finality}`}`;
    const [expected, found] = [text(most), text(own)];
    return [{ check: 'demand', subject: `transfer ${txHash} ${ordinal}`, expected, found }];
  });
}

/** What is dust follows from the transfers alone. */
function auditDust({ transfers }: PaymentAggregate, funds: Settlement): Finding[] {
  return misjudged(transfers, funds).map(({ txHash, ordinal, isDust }) => ({
    check: 'dust',
    subject: `transfer ${txHash} ${ordinal}`,
    expected: isDust ? 'no dust' : 'dust',
    found: isDust ? 'dust' : 'no dust',
  }));
}

/** A transfer has a quote of its own asset, and only if it is matched. */
function auditAttribution({ quotes }: PaymentAggregate, transfer: Transfer): Finding[] {
  const wrong = (expected: string, found: string): Finding[] => [
    { check: 'attribution', subject: `transfer ${transfer.txHash} ${transfer.ordinal}`, expected, found },
  ];
  const { quoteId, isMatched } = transfer;
  if (quoteId === null) return [];
  if (!isMatched) return wrong('no quote for an unmatched transfer', `quote ${quoteId}`);
  const quote = quotes.find(({ id }) => id === quoteId);
  if (!quote) return wrong('a quote of this payment', `quote ${quoteId}`);
  if (quote.acceptedTransferId !== null && quote.acceptedTransferId !== transfer.id)
    return wrong('a quote that was not made for another transfer', `quote ${quoteId}`);
  const isSame = quote.chain === transfer.chain && quote.asset === transfer.asset;
  return isSame
    ? []
    : wrong(`a quote of ${transfer.asset} on ${transfer.chain}`, `of ${quote.asset} on ${quote.chain}`);
}

/** An accepted transfer keeps the quote that was made for it. */
function auditAcceptance({ transfers }: PaymentAggregate, { id, acceptedTransferId }: Quote): Finding[] {
  if (acceptedTransferId === null) return [];
  const transfer = transfers.find((each) => each.id === acceptedTransferId);
  if (transfer?.isMatched && transfer.quoteId === id) return [];
  const found = transfer ? `quote ${text(transfer.quoteId)}` : 'no such transfer';
  return [
    { check: 'attribution', subject: `transfer ${acceptedTransferId}`, expected: `quote ${id}`, found },
  ];
}

function text(value: bigint | string | null): string {
  return value === null ? 'none' : String(value);
}
