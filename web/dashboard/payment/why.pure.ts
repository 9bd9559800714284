import type { Payment, Transaction } from '../api/operations.js';
import { formatMoney } from '../i18n/format.pure.js';
import type { MessageKey } from '../i18n/message-key.pure.js';
import type { Tone } from '../parts/tone.pure.js';
import type { Refundable } from './refund-amounts.pure.js';

/** What can be done about a payment; the first one of a list is the right one. */
export type PaymentAction =
  | { kind: 'accept' }
  | { kind: 'accept-transfer'; transferId: string }
  | { kind: 'resend' }
  | { kind: 'refund' }
  | { kind: 'copy-link' }
  | { kind: 'cancel' };

/** The operation of each; null: it changes nothing. */
export const OPERATIONS = {
  accept: 'acceptPayment',
  'accept-transfer': 'acceptPayment',
  resend: 'redeliverWebhook',
  refund: 'createRefund',
  'copy-link': null,
  cancel: 'cancelPayment',
} as const satisfies Record<PaymentAction['kind'], string | null>;

export interface Why {
  tone: Tone;
  text: MessageKey;
  values: Record<string, string | number>;
  actions: readonly PaymentAction[];
}

type Asked = Pick<
  Payment,
  | 'status'
  | 'amount'
  | 'receivedAmount'
  | 'underpaidAmount'
  | 'overpaidAmount'
  | 'expired'
  | 'reviewReason'
  | 'errorReason'
  | 'transactions'
>;

/** Of the reader's language, and of networks as people know them. */
export interface Names {
  locale: string;
  networkOf: (slug: string) => string;
}

const LINK: PaymentAction = { kind: 'copy-link' };
const REFUND: PaymentAction = { kind: 'refund' };

/**
 * Why an order is not paid, and what to do; null: it is, or there is nothing to do.
 * @param rest what no refund has promised to the customer: nothing else can pay the order or be given back. Null: not
 *   known yet
 */
export function whyNotPaid(
  payment: Asked,
  rest: Pick<Refundable, 'left' | 'unmatched' | 'acceptable'> | null,
  names: Names,
): Why | null {
  const why = reasonOf(payment, rest?.acceptable ?? [], names, rest !== null && rest.unmatched.length === 0);
  const isLeft = (kind: PaymentAction['kind']) => {
    if (kind === 'refund') return rest !== null && (rest.left > 0n || rest.unmatched.length > 0);
    if (kind === 'accept') return payment.status !== 'UNDERPAID' || (rest !== null && rest.left > 0n);
    return true;
  };
  return why && { ...why, actions: why.actions.filter(({ kind }) => isLeft(kind)) };
}

/** @param isGivenBack nothing unmatched is left: what was is in a refund */
function reasonOf(
  payment: Asked,
  acceptable: readonly Transaction[],
  names: Names,
  isGivenBack: boolean,
): Why | null {
  const { locale } = names;
  const [stray] = acceptable;
  if (stray && payment.status !== 'CONFIRMED' && payment.status !== 'REFUND') return ofStray(stray, names);
  const money = (amount: Payment['amount']) => formatMoney(amount, locale);
  const say = (tone: Tone, text: MessageKey, actions: PaymentAction[], values: Why['values'] = {}): Why => ({
    tone,
    text,
    values,
    actions,
  });
  switch (payment.status) {
    case 'OPEN': {
      if (payment.expired) return say('idle', 'why.expired', []);
      const back = isGivenBack ? strayOf(payment.transactions) : undefined;
      if (!back) return say('idle', 'why.open', [LINK, { kind: 'cancel' }]);
      const values = { amount: money(back.amount), network: names.networkOf(back.blockchain) };
      return say('idle', 'why.stray-refunded', [LINK, { kind: 'cancel' }], values);
    }
    case 'FOUND':
      return say('calm', 'why.found', [], progressOf(payment.transactions));
    case 'UNDERPAID':
      return say('warn', 'why.underpaid', [{ kind: 'accept' }, ...(payment.expired ? [] : [LINK]), REFUND], {
        received: money(payment.receivedAmount),
        price: money(payment.amount),
        missing: payment.underpaidAmount ? money(payment.underpaidAmount) : '',
      });
    case 'RECEIVED':
      return payment.reviewReason === 'overpaid'
        ? say('warn', 'why.overpaid', [{ kind: 'accept' }, REFUND], {
            over: payment.overpaidAmount ? money(payment.overpaidAmount) : '',
          })
        : say('warn', 'why.untold', [{ kind: 'resend' }, { kind: 'accept' }]);
    case 'CANCELLED':
      return payment.reviewReason === 'funds_after_cancel'
        ? say('warn', 'why.funds-after-cancel', [REFUND], { received: money(payment.receivedAmount) })
        : say('idle', 'why.cancelled', []);
    case 'ERROR':
      return say('bad', 'why.error', [], { reason: payment.errorReason ?? '' });
    case 'CONFIRMED':
    case 'REFUND':
      return null;
  }
}

function ofStray(stray: Transaction, { locale, networkOf }: Names): Why {
  return {
    tone: 'warn',
    text: 'why.stray',
    values: { amount: formatMoney(stray.amount, locale), network: networkOf(stray.blockchain) },
    actions: [{ kind: 'accept-transfer', transferId: stray.id }, REFUND],
  };
}

/** Funds that came and count for nothing here. */
function strayOf(transactions: readonly Transaction[]): Transaction | undefined {
  return transactions.find(({ status, matched }) => !matched && status === 'CONFIRMED');
}

/** Of the transfer that needs the most. */
function progressOf(transactions: readonly Transaction[]): { seen: number; needed: number } {
  const waiting = transactions.filter(({ status, matched }) => matched && status === 'PENDING');
  const slowest = waiting.toSorted(
    (a, b) => b.confirmationsRequired - b.confirmations - (a.confirmationsRequired - a.confirmations),
  )[0];
  return { seen: slowest?.confirmations ?? 0, needed: slowest?.confirmationsRequired ?? 0 };
}

/** Whether funds of it can be refunded at all (specification/refunds.md#refundable-payments). */
export function isRefundable({ status, transactions }: Pick<Payment, 'status' | 'transactions'>): boolean {
  if (status === 'OPEN' || status === 'FOUND') return false;
  return transactions.some((one) => one.status === 'CONFIRMED');
}
