import type { AttentionItem, AttentionKind } from '../api/operations.js';
import type { Money } from '../i18n/format.pure.js';

/** Money of a customer that waits for a refund or until it is kept (specification/payment-states.md#too-much). */
export const OWED_KINDS = [
  'funds_after_end',
  'paid_late',
  'paid_twice',
  'overpaid_held',
  'overpaid',
] as const satisfies readonly AttentionKind[];

type Item = Pick<AttentionItem, 'kind' | 'sums'> & {
  payment: Pick<NonNullable<AttentionItem['payment']>, 'id' | 'reference'> | null;
};

export interface OwedRow {
  paymentId: string;
  reference: string;
  kind: AttentionKind;
  amount: Money;
}

export interface AllOwed {
  rows: OwedRow[];
  /** One for each currency: they are never added. */
  sums: Money[];
  /** Some records cannot be trusted, so that nobody knows what is owed of them. */
  isUnknown: boolean;
}

/** What is owed, each payment once: its items are about the same money, and the first one is the widest. */
export function owedOf(items: readonly Item[]): AllOwed {
  const rows = new Map<string, OwedRow>();
  let isUnknown = false;
  for (const { kind, payment, sums } of items) {
    if (!payment || !sums) {
      isUnknown = true;
      continue;
    }
    const { id: paymentId, reference } = payment;
    if (sums.excess && !rows.has(paymentId))
      rows.set(paymentId, { paymentId, reference, kind, amount: sums.excess });
  }
  const totals = new Map<string, Money>();
  for (const { amount } of rows.values()) {
    const known = totals.get(amount.currency.code);
    const atomic = String(BigInt(known?.atomic ?? '0') + BigInt(amount.atomic));
    totals.set(amount.currency.code, { ...amount, atomic });
  }
  return { rows: [...rows.values()], sums: [...totals.values()], isUnknown };
}
