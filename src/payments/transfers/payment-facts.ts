import { isAttributable } from '../quotes/quote-matching.pure.js';
import type { CheckedRows, PaymentAggregate, Quote, Transfer } from '../payment.pure.js';

type OfPayment<Part> = Part & { paymentId: string };

export const NO_ROWS = { rows: [], unauthentic: new Set<string>() };
/** Which rows a payment is read with; `verify` compares all that are stored. */
export type Kept = 'authentic' | 'all';

export function setQuotes(
  states: readonly PaymentAggregate[],
  quotes: CheckedRows<OfPayment<Quote>>,
  kept: Kept = 'authentic',
): void {
  const quotesOf = keepRows(states, quotes, kept);
  for (const state of states) state.quotes = quotesOf.get(state.payment.id) ?? [];
}

export function setTransfers(
  states: readonly PaymentAggregate[],
  transfers: CheckedRows<OfPayment<Transfer>>,
  kept: Kept = 'authentic',
): void {
  const transfersOf = keepRows(states, transfers, kept);
  for (const state of states) {
    state.transfers = transfersOf.get(state.payment.id) ?? [];
    // Its quote is no part of its MAC: it may get one later.
    if (!state.transfers.every((transfer) => isAttributable(transfer, state.quotes)))
      state.isAuthentic = false;
  }
}

function keepRows<Row extends OfPayment<{ id: string }>>(
  states: readonly PaymentAggregate[],
  { rows, unauthentic }: CheckedRows<Row>,
  kept: Kept,
): Map<string, Row[]> {
  if (unauthentic.size === 0) return groupByPayment(rows);
  const [found, genuine] = [new Set<string>(), rows.filter(({ id }) => !unauthentic.has(id))];
  for (const { id, paymentId } of rows) if (unauthentic.has(id)) found.add(paymentId);
  for (const state of states) if (found.has(state.payment.id)) state.isAuthentic = false;
  return groupByPayment(kept === 'all' ? rows : genuine);
}

export function groupByPayment<Row extends { paymentId: string }>(rows: readonly Row[]): Map<string, Row[]> {
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const group = groups.get(row.paymentId);
    if (group) group.push(row);
    else groups.set(row.paymentId, [row]);
  }
  return groups;
}
