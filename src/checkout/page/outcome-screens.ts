import type { Instructions } from '../instructions.service.js';
import { type Html, markup } from './html.js';
import { aboutDuration, utcTime } from './page-text.js';
import { payBlock } from './pay-screen.js';
import {
  backToShop,
  contactShop,
  heading,
  merchant,
  notice,
  type PaymentView,
  row,
  type Screen,
  strayNotice,
  transactionList,
} from './screen.js';

/** Funds are on their way to finality. @param instructions null: there is nothing left to pay with */
export function foundScreen(view: PaymentView, instructions: Instructions | null): Screen {
  const { status } = view;
  const { seen, required } = status.confirmations ?? { seen: 0, required: 0 };
  const count = `${seen} of ${required} confirmations`;
  const isShort = status.remainingAmount.amount > 0n;
  const title = isShort ? `${missing(view, instructions)} is still missing` : 'Payment seen';
  const wait =
    view.confirmingSeconds > 0 ? ` The rest usually takes ${aboutDuration(view.confirmingSeconds)}.` : '';
  const body = markup`${heading(isShort ? 'warn' : 'calm', title)}
    <p>${isShort ? 'The first part of your payment' : 'Your payment'} is on the network and being confirmed.</p>
    <p class="confirmations"><progress max="${String(Math.max(required, 1))}" value="${String(seen)}" aria-hidden="true"></progress>
      <strong>${count}</strong><span class="soft">${wait}</span></p>
    ${
      isShort
        ? payTheRest(view, instructions)
        : markup`<p>There is nothing more to do, and you can close this page.
      ${merchant(view)} is told as soon as the payment is complete.</p>`
    }
    ${strayNotice(view)}
    ${transactionList(view)}
    ${backToShop(view)}`;
  return {
    name: isShort ? 'found-short' : 'found',
    title: isShort ? 'Amount missing' : 'Payment seen',
    announcement: `${isShort ? `${title}. ` : 'Payment seen. '}${count}.`,
    isAlert: false,
    isReloading: true,
    body,
  };
}

/** All that came is final, and it is too little. */
export function underpaidScreen(view: PaymentView, instructions: Instructions | null): Screen {
  const title = `${missing(view, instructions)} is still missing`;
  const body = markup`${heading('warn', title)}
    <p>Your payment arrived, but it was less than the price.</p>
    ${payTheRest(view, instructions)}
    ${
      view.status.merchantSettings.allowUnderpay
        ? markup`<p>If you send nothing more, ${merchant(view)} may accept what has arrived.</p>`
        : null
    }
    ${strayNotice(view)}
    ${transactionList(view)}
    <p class="soft">Do you want your money back instead? ${contactShop(view)}</p>
    ${backToShop(view)}`;
  return {
    name: 'underpaid',
    title: 'Amount missing',
    announcement: `${title}.`,
    isAlert: true,
    isReloading: true,
    body,
  };
}

/** The customer is done, whether the merchant's server has answered yet (CONFIRMED) or not (RECEIVED). */
export function paidScreen(view: PaymentView): Screen {
  const { status, overpaid, underpaid } = view;
  const paid = underpaid
    ? markup`${merchant(view)} has accepted your payment, although ${underpaid.formatted} was missing.`
    : markup`${merchant(view)} has received your payment of ${status.amount.formatted}.`;
  const tooMuch =
    overpaid &&
    markup`<p><strong>You sent ${overpaid.formatted} too much.</strong> To get it back: ${contactShop(view)}</p>`;
  const body = markup`${heading('good', 'Payment complete')}
    <p>${paid}</p>
    ${tooMuch && notice('warn', tooMuch)}
    ${strayNotice(view)}
    ${backToShop(view, true)}
    <dl class="facts">
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

/** Nothing can be paid here any more. */
export function closedScreen(view: PaymentView, kind: Closed): Screen {
  const { title, heading: words, text } = CLOSED[kind];
  const isRefund = kind === 'REFUND';
  const help = isRefund ? 'Is something wrong?' : 'Have you sent something already? It is not lost.';
  const body = markup`${heading(isRefund ? 'good' : 'bad', words)}
    <p>${text}</p>
    <p>${help} ${contactShop(view)}</p>
    ${strayNotice(view)}
    ${backToShop(view, true)}
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
 * The link no longer gives access; the payment goes on without it, and whoever has paid must not think the
 * money lost. Says no amount and no transaction: for those the link had to be valid.
 */
export function expiredScreen(view: PaymentView): Screen {
  const words = 'This payment link has expired';
  const body = markup`${heading('warn', words)}
    ${afterExpiry(view)}
    ${backToShop(view, true)}`;
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
        ${merchant(view)} is told as soon as it is complete.</p>`;
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

/** Exact in the coin when it can still be sent, else in the currency of the price. */
function missing({ status }: PaymentView, instructions: Instructions | null): string {
  return (instructions?.remainingAmount ?? status.remainingAmount).formatted;
}

function payTheRest(view: PaymentView, instructions: Instructions | null): Html {
  const { status } = view;
  if (!instructions) {
    return notice('warn', markup`<p>The rest cannot be paid here at the moment. ${contactShop(view)}</p>`);
  }
  const { remainingAmount, pendingAmount, expiresAt, serverTime, secondsRemaining } = instructions;
  const until =
    secondsRemaining > 0
      ? markup`The price is fixed until <time datetime="${expiresAt}">${utcTime(expiresAt, serverTime)}</time>.`
      : markup`The fixed price ended at <time datetime="${expiresAt}">${utcTime(expiresAt, serverTime)}</time>; what
        comes later may count at the rate of the day.`;
  return markup`<p>Send the rest to the same address: exactly <strong>${remainingAmount.formatted}</strong>.</p>
    ${payBlock(instructions, remainingAmount)}
    <dl class="facts sums">
      ${row('Price', status.amount.formatted)}
      ${row('Received', status.receivedAmount.formatted)}
      ${pendingAmount.amount > 0n ? row('Being confirmed', pendingAmount.formatted) : null}
      ${row('Missing', markup`<strong>${status.remainingAmount.formatted}</strong>`)}
    </dl>
    <p class="soft">${until}</p>`;
}
