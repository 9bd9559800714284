import { type Html, markup } from '../../platform/kernel/markup.pure.js';
import { heading } from '../../platform/web/html/page-elements.js';
import { closedScreen, paidScreen } from './outcome-screens.js';
import { reportFold, reportWords } from './report-fold.js';
import { backToShop, contactShop, type PaymentView, type Screen, transactionList } from './screen.js';
import { foundScreen } from './seen-screens.js';
import { shortScreen } from './short-screen.js';
import { bar } from './status-bar.js';
import { refundScreen } from './refund-screen.js';
import {
  strayBar,
  strayBarHtml,
  strayHeading,
  strayNotice,
  strayRefunds,
  strayWords,
} from './stray-notice.js';

/**
 * What the page shows when the link has ended: what became of the money, by the screens that it had before, without ways to
 * pay; and that the link has ended only if nothing came (specification/checkout.md#after-the-end-of-the-link).
 */
export function endedScreen(view: PaymentView): Screen {
  const screen = screenOf(view);
  if (view.access !== 'state' || screen.name === 'expired') return screen;
  const note = markup`<p class="soft">${view.texts.text('expired.only-state')}</p>`;
  return { ...screen, body: markup`${screen.body}${note}` };
}

function screenOf(view: PaymentView): Screen {
  const { status } = view.status;
  switch (status) {
    case 'OPEN':
      if (view.isTakenBack) return takenBackScreen(view);
      if (strayRefunds(view).length > 0) return refundScreen(view);
      return view.unmatched ? strayScreen(view) : expiredScreen(view);
    case 'FOUND':
    case 'UNDERPAID':
      return view.isShort ? shortScreen(view, null) : foundScreen(view);
    case 'RECEIVED':
    case 'CONFIRMED':
      return paidScreen(view);
    case 'CANCELLED':
    case 'ERROR':
    case 'REFUND':
      return closedScreen(view, status);
  }
}

/** Nothing came. What is on its way is shown when it is seen. */
function expiredScreen(view: PaymentView): Screen {
  const { texts } = view;
  const body = markup`${bar('warn', texts.text('expired.title'))}
    ${heading('warn', texts.text('expired.heading'))}
    <p>${texts.text('expired.unpaid')}</p>
    ${sentAlready(view)}
    ${reportFold(view)}
    ${backToShop(view, 'button')}`;
  return {
    name: 'expired',
    title: texts.text('expired.title'),
    announcement: `${texts.text('expired.announcement')} ${reportWords(view)}`.trim(),
    isAlert: true,
    isReloading: true,
    httpStatus: 403,
    body,
  };
}

function sentAlready(view: PaymentView): Html {
  const { texts } = view;
  return markup`<p>${texts.text('closed.sent-already')} ${texts.text('expired.watching')} ${contactShop(view)}</p>`;
}

/** The payment was seen, and a reorganization, or another transaction of the sender, has removed it. */
function takenBackScreen(view: PaymentView): Screen {
  const { texts } = view;
  const words = texts.text('gone.heading');
  const body = markup`${bar('warn', texts.text('gone.title'))}
    ${heading('warn', words)}
    <p>${texts.text('gone.text')} ${contactShop(view)}</p>
    ${strayNotice(view)}
    ${transactionList(view)}
    ${reportFold(view)}
    ${backToShop(view)}`;
  return {
    name: 'taken-back',
    title: texts.text('gone.title'),
    announcement: `${words} ${reportWords(view)}`.trim(),
    isAlert: true,
    isReloading: true,
    body,
  };
}

/** Something else came than what was asked for. */
function strayScreen(view: PaymentView): Screen {
  const body = markup`${bar('warn', strayBarHtml(view))}
    ${strayHeading(view)}
    ${strayNotice(view)}
    ${reportFold(view)}
    ${backToShop(view)}`;
  return {
    name: 'stray',
    title: strayBar(view),
    announcement: `${strayWords(view)} ${reportWords(view)}`.trim(),
    isAlert: true,
    isReloading: true,
    body,
  };
}
