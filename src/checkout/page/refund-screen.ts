import { type Html, markup } from '../../platform/kernel/markup.pure.js';
import { heading } from '../../platform/web/html/page-elements.js';
import { reportFold, reportWords } from './report-fold.js';
import { backToShop, type PaymentView, type Screen } from './screen.js';
import { bar } from './status-bar.js';
import { refundBar, strayNotice } from './stray-notice.js';

/**
 * Something that did not count is on its way back: that comes first, without a clock. What is left to do for the order
 * itself stands below it, folded.
 * @param pay how to pay the order all the same; null: it cannot be paid here now
 */
export function refundScreen(view: PaymentView, pay: { summary: Html; content: Html } | null = null): Screen {
  const { texts } = view;
  const title = texts.text('claim.heading');
  const body = markup`${bar('calm', refundBar(view))}
    ${heading('calm', title)}
    ${strayNotice(view, pay && 'fold-pay')}
    ${pay && markup`<p>${texts.text('claim.order-unpaid')}</p><details class="fold" id="fold-pay"><summary><span>${pay.summary}</span></summary>${pay.content}</details>`}
    ${reportFold(view)}
    ${backToShop(view)}`;
  return {
    name: 'refund-under-way',
    title,
    endedTitle: title,
    endedName: 'refund-under-way',
    announcement: `${title} ${reportWords(view)}`.trim(),
    isAlert: false,
    isReloading: true,
    body,
  };
}
