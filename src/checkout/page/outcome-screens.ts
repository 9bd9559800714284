import type { MessageKey } from '../../platform/kernel/i18n/texts.js';
import { Html, markup } from '../../platform/kernel/markup.pure.js';
import { heading, instant, money, notice, row, type Tone } from '../../platform/web/html/page-elements.js';
import { returnNote } from './return-note.js';
import { isAwaited, returnable, returnableBlock } from './returnable-block.js';
import {
  backToShop,
  contactShop,
  lateNote,
  merchant,
  type PaymentView,
  type Screen,
  transactionList,
} from './screen.js';
import { addedUp } from './arrived-amounts.pure.js';
import { bar } from './status-bar.js';
import { strayNotice } from './stray-notice.js';

/** The payment is complete for the customer, whether the merchant's server acknowledged it (CONFIRMED) or not (RECEIVED). */
export function paidScreen(view: PaymentView): Screen {
  const { texts, status, overpaid, underpaid } = view;
  const paid = underpaid
    ? texts.html('paid.accepted-less', { shop: merchant(view), amount: money(texts, underpaid) })
    : texts.html('paid.received', { shop: merchant(view), amount: money(texts, status.amount) });
  const body = markup`${bar('good', texts.text('paid.title'))}
    <div class="paid">${TICK}${heading('plain', texts.text('paid.heading'))}
    <p>${paid}</p>${arrivedLine(view)}</div>
    ${overpaid && tooMuch(view, texts.html('paid.too-much', { amount: money(texts, overpaid) }))}
    ${returnableBlock(view, returnable(view, 'UNDERPAYMENT'))}
    ${strayNotice(view)}
    ${lateNote(view)}
    ${slip(view)}
    ${returnNote(view)}
    ${backToShop(view, 'button')}
    ${receiptLink(view)}
    ${transactionList(view)}`;
  return {
    name: 'paid',
    // Seen among the tabs of a browser.
    title: `✓ ${texts.text('paid.title')}`,
    announcement: overpaid
      ? texts.text('paid.announcement-too-much', { amount: texts.money(overpaid) })
      : texts.text('paid.announcement'),
    isAlert: false,
    isReloading: false,
    body,
  };
}

/** The one moment with a picture. It says what the heading says. */
const TICK = new Html(
  '<svg class="tick" viewBox="0 0 64 64" aria-hidden="true"><circle cx="32" cy="32" r="31"/><path d="m20 33 8.5 8.5L45 24"/></svg>',
);

/** What came, coin by coin, of what counts: the figure that a customer compares with the wallet. Null: the page does not say. */
function arrivedLine({ texts, transactions, otherTransactions }: PaymentView): Html | null {
  const isCounted = ({ matched, status }: { matched: boolean; status: string }) =>
    matched && (status === 'PENDING' || status === 'CONFIRMED');
  const amounts = addedUp([...transactions, ...otherTransactions].filter(isCounted));
  if (amounts.length === 0) return null;
  const sums = amounts.map((amount) => markup`<strong>${money(texts, amount)}</strong>`);
  return markup`<p class="arrived"><span class="soft">${texts.text('sums.received')}</span> ${texts.listHtml(sums)}</p>`;
}

/** What people look for on a receipt, in the order of one. */
function slip(view: PaymentView): Html {
  const { texts, status, transactions } = view;
  const confirmed = transactions.filter(({ matched }) => matched).map(({ confirmedAt }) => confirmedAt ?? '');
  const paidAt = confirmed.toSorted().at(-1) ?? '';
  return markup`<dl class="slip">
      ${row(texts.text('receipt.shop'), merchant(view))}
      ${row(texts.text('sums.reference'), markup`<bdi>${status.reference}</bdi>`)}
      ${paidAt === '' ? null : row(texts.text('receipt.paidAt'), instant(texts, paidAt))}
      ${row(texts.text('sums.price'), money(texts, status.amount))}
      ${row(texts.text('sums.received'), markup`<strong>${money(texts, status.receivedAmount)}</strong>`)}
    </dl>`;
}

/** The receipt is a page of its own, which stays when this one has expired; null: there is none yet. */
function receiptLink({ texts, status: { receiptUrl } }: PaymentView): Html | null {
  if (receiptUrl === null) return null;
  // Relative, so that it works behind any proxy.
  const { pathname, search } = new URL(receiptUrl);
  const href = `../receipt/${pathname.split('/').at(-1) ?? ''}${search}`;
  return markup`<p><a class="link" id="receipt" href="${href}" data-print="${receiptUrl}" target="_blank" rel="noopener noreferrer">${texts.text('receipt.show')}<span class="unseen"> ${texts.text('receipt.new-tab')}</span></a></p>`;
}

function tooMuch(view: PaymentView, sentence: Html): Html {
  const funds = returnable(view, 'OVERPAYMENT');
  const question = funds.some(isAwaited) ? null : view.texts.text('paid.want-back');
  return notice(
    'warn',
    markup`<p><strong>${sentence}</strong> ${question} ${funds.length === 0 ? contactShop(view) : null}</p>${returnableBlock(view, funds)}`,
  );
}

type Closed = 'CANCELLED' | 'ERROR' | 'REFUND';

const CLOSED = {
  CANCELLED: {
    tone: 'bad',
    title: 'cancelled.title',
    heading: 'cancelled.heading',
    text: 'cancelled.text',
    help: 'closed.sent-already',
    announcement: 'cancelled.announcement',
  },
  ERROR: {
    tone: 'bad',
    title: 'failed.title',
    heading: 'failed.heading',
    text: 'failed.text',
    help: 'closed.sent-already',
    announcement: 'failed.announcement',
  },
  REFUND: {
    tone: 'good',
    title: 'refunded.title',
    heading: 'refunded.heading',
    text: 'refunded.text',
    help: 'refunded.wrong',
    announcement: 'refunded.announcement',
  },
} as const satisfies Record<Closed, Record<string, MessageKey | Tone>>;

/** The payment is closed and can no longer be paid. */
export function closedScreen(view: PaymentView, kind: Closed): Screen {
  const { texts } = view;
  const { tone, ...keys } = CLOSED[kind];
  const body = markup`${heading(tone, texts.text(keys.heading))}
    <p>${texts.html(keys.text, { shop: merchant(view) })}</p>
    <p>${texts.text(keys.help)} ${contactShop(view)}</p>
    ${returnableBlock(view, returnable(view, 'UNEXPECTED'))}
    ${strayNotice(view)}
    ${backToShop(view, 'button')}
    ${receiptLink(view)}
    ${transactionList(view)}`;
  return {
    name: kind.toLowerCase(),
    title: texts.text(keys.title),
    announcement: texts.text(keys.announcement),
    isAlert: tone === 'bad',
    isReloading: false,
    body,
  };
}
