import type { PaymentStatus } from '../../payments/payment-status.pure.js';
import { isOver, type ReportedState } from '../../payments/transfers/reported-transaction.pure.js';
import { awaitsRate, type TransferState } from '../../payments/transfers/transfer-state.pure.js';
import type { RefundStatus } from '../../refunds/refund-status.pure.js';
import type { DeliveryState } from '../../webhooks/delivery-state.pure.js';
import { EXPORTED_TABLES, type ExportedTable } from '../accounts/exported-tables.pure.js';

/** Every table with rows of a payment, in the order in which they are archived. */
export const ARCHIVED_TABLES: readonly string[] = Object.keys(EXPORTED_TABLES).filter(isOfPayments);

function isOfPayments(name: string): boolean {
  if (name === 'payments') return true;
  const { fields, owner } = declarationOf(name);
  return fields.includes('paymentId') || ('of' in owner && isOfPayments(owner.of));
}

/** @throws Error when the table is not declared */
export function declarationOf(name: string): ExportedTable {
  const declared = EXPORTED_TABLES[name];
  if (!declared) throw new Error(`${name} is not exported`);
  return declared;
}

/** Rows of a payment as they are archived, by table. */
export interface PaymentRows {
  payments: readonly { status: PaymentStatus }[];
  payment_transfers: readonly { state: TransferState; isMatched: boolean; quoteId: string | null }[];
  reported_transactions: readonly { state: ReportedState }[];
  refunds: readonly { status: RefundStatus }[];
  payment_events: readonly { dispatchedAt: string | null }[];
  webhook_deliveries: readonly { state: DeliveryState }[];
}

/** No loop and no customer moves a payment from there; a refund in full moves a confirmed one. */
const FINAL: readonly PaymentStatus[] = ['CONFIRMED', 'CANCELLED', 'ERROR', 'REFUND'];
/** A failed one can be paid by another transaction. */
const REFUND_OVER: readonly RefundStatus[] = ['COMPLETED', 'CANCELLED', 'EXPIRED'];
/** An exhausted one can be sent again while the log has it (specification/webhooks.md#delivery-log). */
const UNDELIVERED: readonly DeliveryState[] = ['pending', 'blocked', 'exhausted'];

export type OpenReason = 'status' | 'transfer' | 'search' | 'refund' | 'event' | 'delivery';

/** The first thing of a payment that is not over; null: it can be archived. */
export function findOpen(rows: PaymentRows): OpenReason | null {
  if (!rows.payments.every(({ status }) => FINAL.includes(status))) return 'status';
  if (rows.payment_transfers.some((transfer) => transfer.state === 'pending' || awaitsRate(transfer)))
    return 'transfer';
  if (!rows.reported_transactions.every(({ state }) => isOver(state))) return 'search';
  if (!rows.refunds.every(({ status }) => REFUND_OVER.includes(status))) return 'refund';
  if (rows.payment_events.some(({ dispatchedAt }) => dispatchedAt === null)) return 'event';
  return rows.webhook_deliveries.some(({ state }) => UNDELIVERED.includes(state)) ? 'delivery' : null;
}
