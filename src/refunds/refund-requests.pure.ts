import type { PaymentStatus } from '../payments/payment-status.pure.js';
import type { Transfer } from '../payments/payment.pure.js';
import type { RefundStatus, RefundType } from './refund-status.pure.js';

/** What a customer can ask for: never the price of a payment (specification/refunds.md#requests). */
export const REQUEST_TYPES = ['OVERPAYMENT', 'UNDERPAYMENT', 'UNEXPECTED'] as const;
export type RequestType = (typeof REQUEST_TYPES)[number];

/** What is asked for. */
export interface RequestSubject {
  type: RequestType;
  /** An unmatched transfer; null: funds that the payment has received. */
  transferId: string | null;
}

/** The fields of a refund that decide. */
export interface RequestedRefund {
  type: RefundType;
  status: RefundStatus;
  transferId: string | null;
  /** In the smallest unit of the payment's currency. */
  amount: bigint;
  /** Null: the customer. */
  requestedBy: string | null;
}

/** The facts of a payment; amounts in the smallest unit of its currency. */
export interface RequestFacts<R extends RequestedRefund> {
  status: PaymentStatus;
  received: bigint;
  /** Less is dust, and not offered. */
  least: bigint;
  overpaid: bigint | null;
  /** The gateway accepts the underpayment by itself when the price ends. */
  isAcceptedSoon: boolean;
  transfers: readonly Pick<Transfer, 'id' | 'isMatched' | 'isDust' | 'state'>[];
  /** Newest first. */
  refunds: readonly R[];
}

/** Funds that the customer can ask back, or has asked for. */
export interface Returnable<R extends RequestedRefund> extends RequestSubject {
  /** In the smallest unit of the payment's currency; zero for a transfer. */
  amount: bigint;
  /** The request that stands, was carried out or was cancelled; null: it can be made. */
  refund: R | null;
}

/**
 * All that a customer can ask back of a payment, and what became of earlier requests. What the merchant has cancelled is
 * not offered again, and neither is what the merchant has promised by a refund of their own, of which only that of a
 * transfer is listed.
 */
export function returnableFunds<R extends RequestedRefund>(facts: RequestFacts<R>): Returnable<R>[] {
  const asked = facts.refunds.filter(
    ({ requestedBy, status }) => requestedBy === null && status !== 'EXPIRED',
  );
  return [...ofReceived(facts, asked), ...ofTransfers(facts, asked)];
}

function ofReceived<R extends RequestedRefund>(facts: RequestFacts<R>, asked: readonly R[]): Returnable<R>[] {
  const { type: current, left } = leftToRequest(facts);
  return REQUEST_TYPES.flatMap((type): Returnable<R>[] => {
    const refund = asked.find((each) => each.transferId === null && each.type === type) ?? null;
    const shown = refund ? [{ type, transferId: null, amount: refund.amount, refund }] : [];
    const isOffered =
      type === current && left >= facts.least && (refund === null || refund.status === 'COMPLETED');
    return isOffered ? [...shown, { type, transferId: null, amount: left, refund: null }] : shown;
  });
}

/** What the payment has received and does not need. */
function leftToRequest<R extends RequestedRefund>({
  status,
  received,
  overpaid,
  isAcceptedSoon,
  refunds,
}: RequestFacts<R>): { type: RequestType | null; left: bigint } {
  const promised = refunds.filter(isPromised).reduce((sum, { amount }) => sum + amount, 0n);
  switch (status) {
    case 'RECEIVED':
    case 'CONFIRMED':
      return { type: 'OVERPAYMENT', left: (overpaid ?? 0n) - promised };
    case 'UNDERPAID':
      return { type: 'UNDERPAYMENT', left: isAcceptedSoon ? 0n : received - promised };
    case 'CANCELLED':
    case 'ERROR':
    case 'REFUND':
      return { type: 'UNEXPECTED', left: received - promised };
    case 'OPEN':
    case 'FOUND':
      return { type: null, left: 0n };
  }
}

function ofTransfers<R extends RequestedRefund>(
  { transfers, refunds }: RequestFacts<R>,
  asked: readonly R[],
): Returnable<R>[] {
  return transfers.filter(isReturnable).flatMap(({ id: transferId }): Returnable<R>[] => {
    const subject = { type: 'UNEXPECTED', transferId, amount: 0n } as const;
    const promise = refunds.find((each) => each.transferId === transferId && isPromised(each));
    const refund = promise ?? asked.find((each) => each.transferId === transferId) ?? null;
    return [{ ...subject, refund }];
  });
}

/** Confirmed funds that matter and do not count; what is accepted belongs to the payment. */
export function isReturnable({
  isMatched,
  isDust,
  state,
}: Pick<Transfer, 'isMatched' | 'isDust' | 'state'>): boolean {
  return !isMatched && !isDust && state === 'confirmed';
}

/** Neither taken back nor expired. */
function isPromised({ status }: Pick<RequestedRefund, 'status'>): boolean {
  return status !== 'CANCELLED' && status !== 'EXPIRED';
}

/**
 * Whether a request still fits the facts when the customer names the address: the rest may have been paid meanwhile, or a
 * reorganization may have taken the funds. A promise of the merchant is one in any case.
 */
export function isStillOwed(
  { type, transferId, requestedBy }: RequestedRefund,
  { status, transfers }: Pick<RequestFacts<RequestedRefund>, 'status' | 'transfers'>,
): boolean {
  if (requestedBy !== null) return true;
  if (transferId !== null) return transfers.some((each) => each.id === transferId && isReturnable(each));
  return type !== 'UNDERPAYMENT' || status === 'UNDERPAID';
}
