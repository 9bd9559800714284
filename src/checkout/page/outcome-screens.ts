import { type Html, markup } from '../../platform/html/markup.pure.js';
import { heading, notice, row } from '../../platform/html/page-elements.js';
import {
  backToShop,
  contactShop,
  merchant,
  type PaymentView,
  type Screen,
  strayNotice,
  transactionList,
} from './screen.js';

/** The payment is complete for the customer, whether the merchant's server acknowledged it (CONFIRMED) or not (RECEIVED). */
export function paidScreen(view: PaymentView): Screen {
  const { status, overpaid, underpaid } = view;
  const paid = underpaid
    ? markup`${merchant(view)} has accepted your payment, although ${underpaid.formatted} was missing.`
    : markup`${merchant(view)} has received your payment of ${status.amount.formatted}.`;
  const tooMuch =
    overpaid &&
    markup`<p><strong>You sent ${overpaid.formatted} too much.</strong> Do you want it back? ${contactShop(view)}</p>`;
  const body = markup`${heading('good', 'Payment complete')}
    <p>${paid}</p>
    ${tooMuch && notice('warn', tooMuch)}
    ${strayNotice(view)}
    ${backToShop(view, 'button')}
    ${receiptLink(view)}
    <dl class="sums">
      ${row('Price', status.amount.formatted)}
      ${row('Received', status.receivedAmount.formatted)}
      ${row('Reference', markup`<bdi>${status.reference}</bdi>`)}
    </dl>
    ${transactionList(view)}`;
  return {
    name: 'paid',
    title: 'Paid',
    announcement: overpaid
      ? `Payment complete. You sent ${overpaid.formatted} too much.`
      : 'Payment complete.',
    isAlert: false,
    isReloading: false,
    body,
  };
}

/** The receipt is a page of its own, which stays when this one has expired; null: there is none yet. */
function receiptLink({ status: { receiptUrl } }: PaymentView): Html | null {
  if (receiptUrl === null) return null;
  // Relative, so that it works behind any proxy.
  const { pathname, search } = new URL(receiptUrl);
  const href = `../receipt/${pathname.split('/').at(-1) ?? ''}${search}`;
  return markup`<p><a class="link" id="receipt" href="${href}" target="_blank" rel="noopener noreferrer">Show the receipt<span class="unseen"> (opens in a new tab)</span></a></p>`;
}

type Closed = 'CANCELLED' | 'ERROR' | 'REFUND';

const CLOSED: Record<Closed, { title: string; heading: string; text: string }> = {
  CANCELLED: {
    title: 'Cancelled',
    heading: 'Payment cancelled',
    text: 'The shop has cancelled this payment. Please do not send anything to the address that was shown before.',
  },
  ERROR: {
    title: 'Payment not possible',
    heading: 'This payment cannot go on',
    text: 'Something went wrong on our side. Please do not send anything to an address that was shown before.',
  },
  REFUND: {
    title: 'Refunded',
    heading: 'Payment refunded',
    text: 'The shop has sent the money of this payment back.',
  },
};

/** The payment is closed and can no longer be paid. */
export function closedScreen(view: PaymentView, kind: Closed): Screen {
  const { title, heading: words, text } = CLOSED[kind];
  const isRefund = kind === 'REFUND';
  const help = isRefund ? 'Is something wrong?' : 'Have you sent something already? It is not lost.';
  const body = markup`${heading(isRefund ? 'good' : 'bad', words)}
    <p>${text}</p>
    <p>${help} ${contactShop(view)}</p>
    ${strayNotice(view)}
    ${backToShop(view, 'button')}
    ${receiptLink(view)}
    ${transactionList(view)}`;
  return {
    name: kind.toLowerCase(),
    title,
    announcement: `${words}.`,
    isAlert: !isRefund,
    isReloading: false,
    body,
  };
}

/**
 * The link has expired. The payment goes on without it, so the page assures customers who have paid that their money is
 * not lost. It shows no amount and no transaction, which require a valid link.
 */
export function expiredScreen(view: PaymentView): Screen {
  const words = 'This payment link has expired';
  const body = markup`${heading('warn', words)}
    ${afterExpiry(view)}
    ${backToShop(view, 'button')}`;
  return {
    name: 'expired',
    title: 'Link expired',
    announcement: `${words}.`,
    isAlert: true,
    isReloading: false,
    body,
  };
}

function afterExpiry(view: PaymentView): Html {
  switch (view.status.status) {
    case 'FOUND':
      return markup`<p>Your payment was seen in time and is still being followed. There is nothing more to do:
        ${merchant(view)} is notified as soon as it is complete.</p>`;
    case 'UNDERPAID':
      return markup`<p>A part of the price has arrived. ${contactShop(view)}</p>`;
    case 'RECEIVED':
    case 'CONFIRMED':
      return markup`<p>The payment itself is complete: ${merchant(view)} has received your money.</p>`;
    default:
      return markup`<p>It cannot be used to pay any more. Please go back to the shop to start again.</p>
        <p>Have you sent something already? It is not lost. ${contactShop(view)}</p>`;
  }
}
