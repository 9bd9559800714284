import type { Payment, Transaction } from '../../../sdk/src/api-types.js';
import type { Tone } from '../../platform/web/html/page-elements.js';
import { getCurrency } from '../../money/currencies.js';
import { formatAmount } from '../../money/present-amount.js';

/** What the shop can do about an order; each is one call of the merchant API. */
export interface OrderAction {
  /** The last part of the path that its button posts to. */
  path: 'accept' | 'refund';
  label: string;
  /** The transfer that is accepted; null: the payment as it is. */
  transferId: string | null;
}

/** An order in words, for the desk of the demo shop. */
export interface OrderWords {
  tone: Exclude<Tone, 'plain'>;
  state: string;
  /** Why, and what happens next. */
  why: string;
  /** Everything that was seen and counts, final or not. */
  seen: string;
  /** A part was seen, and the rest is due. */
  isPartlyPaid: boolean;
  actions: OrderAction[];
}

type Order = Pick<
  Payment,
  | 'status'
  | 'expired'
  | 'currencyCode'
  | 'amount'
  | 'receivedAmount'
  | 'overpaidAmount'
  | 'underpaidAmount'
  | 'reviewReason'
  | 'transactions'
>;
type Words = Omit<OrderWords, 'seen' | 'isPartlyPaid'>;

const ACCEPT: OrderAction = { path: 'accept', label: 'Accept it as it is', transferId: null };
const REFUND: OrderAction = { path: 'refund', label: 'Refund', transferId: null };

/** The status of a payment, as the person at the counter needs it (specification/payment-states.md#statuses). */
export function orderWords(order: Order): OrderWords {
  const seen = order.transactions
    .filter(({ matched, status }) => matched && (status === 'PENDING' || status === 'CONFIRMED'))
    .reduce((sum, { creditedAmount }) => sum + BigInt(creditedAmount.atomic), 0n);
  const currency = getCurrency(order.currencyCode);
  const missing = BigInt(order.amount.atomic) - seen;
  const words =
    strayWords(order) ?? reviewWords(order) ?? wordsOf(order, missing, (sum) => formatAmount(sum, currency));
  return { ...words, seen: formatAmount(seen, currency), isPartlyPaid: seen > 0n && missing > 0n };
}

/** Funds on another network or in another coin: no event reports them, so the desk must show them. */
function strayWords({ transactions }: Order): Words | null {
  const stray = transactions.find(({ acceptable }) => acceptable);
  if (!stray) return null;
  const what = `${stray.amount.formatted} on ${stray.blockchain}`;
  return {
    tone: 'warn',
    state: 'Money came another way than asked for',
    why: `${what} reached the address of this order. It is yours, and counts if you accept it.`,
    actions: [{ path: 'accept', label: `Accept ${what}`, transferId: stray.id }],
  };
}

function reviewWords({ reviewReason, overpaidAmount }: Order): Words | null {
  if (reviewReason === 'reorg')
    return {
      tone: 'warn',
      state: 'Blocks were taken back',
      why: 'The chain has dropped blocks with money of this order. The transaction waits to be mined again.',
      actions: [],
    };
  if (reviewReason === 'overpaid')
    return {
      tone: 'warn',
      state: 'Too much arrived',
      why: `${overpaidAmount?.formatted ?? 'A part'} is more than the price. Keep it, or pay it back.`,
      actions: [ACCEPT, REFUND],
    };
  if (reviewReason === 'funds_after_cancel')
    return {
      tone: 'warn',
      state: 'Money came after the end',
      why: 'The payment was closed. What arrived is yours to pay back.',
      actions: [REFUND],
    };
  return null;
}

function wordsOf(order: Order, missing: bigint, format: (amount: bigint) => string): Words {
  switch (order.status) {
    case 'OPEN':
      return order.expired
        ? words('bad', 'The link has ended', 'Nothing was paid. What comes later is still recorded.')
        : words('calm', 'Waiting for the customer', 'Nothing was seen on any chain yet.');
    case 'FOUND':
      return missing > 0n
        ? words('warn', `${format(missing)} is still missing`, `A part was seen. ${progressOf(order)}`)
        : words('calm', 'Seen, confirming', progressOf(order));
    case 'UNDERPAID':
      return words(
        'warn',
        `${order.underpaidAmount?.formatted ?? 'A part'} is missing`,
        'Why is this order not paid? Less than the price has arrived, and it is final. The customer can pay the rest, ' +
          'or you accept less, or pay it back.',
        [ACCEPT, REFUND],
      );
    case 'RECEIVED':
      return words('good', 'Paid', 'The money is final. The shop is being told by a webhook.');
    case 'CONFIRMED':
      return words('good', 'Paid, and the shop knows', confirmedWhy(order), [REFUND]);
    case 'REFUND':
      return words('calm', 'Paid back', 'Everything that arrived was paid back.');
    case 'CANCELLED':
      return words('bad', 'Cancelled', 'The shop has cancelled the payment.');
    case 'ERROR':
      return words('bad', 'Processing failed', 'The payment has ended with an error.');
  }
}

function words(tone: Words['tone'], state: string, why: string, actions: OrderAction[] = []): Words {
  return { tone, state, why, actions };
}

function confirmedWhy({ overpaidAmount }: Order): string {
  const shipped = 'The webhook was answered with 200, so the coffee is on its way.';
  return overpaidAmount ? `${shipped} ${overpaidAmount.formatted} more than the price arrived.` : shipped;
}

/** The transfer that has to wait longest decides. */
function progressOf({ transactions }: Order): string {
  const [slowest] = transactions
    .filter(({ matched, status }) => matched && status === 'PENDING')
    .toSorted((a, b) => left(b) - left(a));
  if (!slowest) return 'The transaction waits to be mined again.';
  return `Confirming: ${slowest.confirmations} of ${slowest.confirmationsRequired} blocks.`;
}

function left({ confirmations, confirmationsRequired }: Transaction): number {
  return confirmationsRequired - confirmations;
}
