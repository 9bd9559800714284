import { type Html, markup } from '../../platform/html/markup.pure.js';

/** What a receipt says, in the form of the message catalog. */
const TEXTS = {
  'receipt.acceptedRate': 'of the time when the shop accepted it',
  'receipt.amount': 'Amount',
  'receipt.asOf': 'As of {time}. Load this page again for the state of that moment.',
  'receipt.closed.text': 'Do not rely on it: this payment has ended without being paid.',
  'receipt.closed.title': 'Not paid',
  'receipt.confirmations': 'Confirmations',
  'receipt.confirmations.value': '{seen}; the shop requires {required}',
  'receipt.created': 'Created',
  'receipt.credited': 'Worth',
  'receipt.explorer': 'View in a block explorer',
  'receipt.final.text':
    'The payment is final: the network has confirmed it as the shop requires, and {shop} has received it.',
  'receipt.final.title': 'Paid',
  'receipt.lateRate': 'of the time when it was first seen, after the price had ended',
  'receipt.lockedRate': 'fixed before the payment',
  'receipt.network': 'Network',
  'receipt.overpaid': 'Paid too much',
  'receipt.paidAt': 'Paid',
  'receipt.payment': 'Payment',
  'receipt.pending.text':
    'Not yet final: do not rely on it. The payment was seen, but the network has not confirmed it as the shop requires.',
  'receipt.pending.title': 'Not yet final',
  'receipt.price': 'Price',
  'receipt.prices': 'Sources',
  'receipt.promise':
    'This receipt was made by the gateway from what the blockchain shows. Anybody can compare it with the chain.',
  'receipt.rate': 'Rate',
  'receipt.rates': 'Exchange rate',
  'receipt.received': 'Received',
  'receipt.reference': 'Reference',
  'receipt.refund.pending': 'Sent, and not yet confirmed',
  'receipt.refund.sent': 'Confirmed on {time}',
  'receipt.refunded': 'Sent back',
  'receipt.refunded.text': 'Everything that was paid has been sent back.',
  'receipt.refunded.title': 'Refunded',
  'receipt.refunds': 'Refunds',
  'receipt.reverted.text':
    'Not final: do not rely on it. The payment was complete, and then the network took back a part of it.',
  'receipt.reverted.title': 'No longer final',
  'receipt.seen': 'First seen',
  'receipt.shop': 'Shop',
  'receipt.short.text': 'Do not rely on it as proof of the whole price: {missing} is missing.',
  'receipt.short.title': 'Not paid in full',
  'receipt.someRefunded': '{amount} of it has been sent back.',
  'receipt.state': 'State',
  'receipt.state.confirmed': 'Final, since {time}',
  'receipt.state.gone': 'Taken back by the network: it does not count',
  'receipt.state.pending': 'Not yet final',
  'receipt.state.unmatched': 'Another coin or network than requested: it does not count',
  'receipt.testNetwork': '{network} test network',
  'receipt.testnet': 'Test network: this money is worth nothing.',
  'receipt.title': 'Receipt · {reference} · {shop}',
  'receipt.transaction': 'Transaction',
  'receipt.transactions': 'Transactions',
  'receipt.underpaid': 'Missing, and accepted by the shop',
  'receipt.unpaid.text': 'Do not rely on it: no money has arrived that counts.',
  'receipt.unpaid.title': 'Not paid',
} as const;

export type ReceiptText = keyof typeof TEXTS;

/** A text with its placeholders filled in; strings are escaped. */
export function html(key: ReceiptText, values: Record<string, Html | string> = {}): Html {
  const parts = TEXTS[key].split(/\{(\w+)\}/);
  return markup`${parts.map((part, i) => (i % 2 === 0 ? markup`${part}` : markup`${values[part] ?? ''}`))}`;
}

/** A text for places without markup. */
export function text(key: ReceiptText, values: Record<string, string> = {}): string {
  return TEXTS[key].replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '');
}
