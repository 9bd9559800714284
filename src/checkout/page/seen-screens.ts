import { heading } from '../../platform/web/html/page-elements.js';
import { markup } from '../../platform/kernel/markup.pure.js';
import { announcedStage } from './announced-stage.pure.js';
import { backToShop, lateNote, merchant, type PaymentView, type Screen, transactionList } from './screen.js';
import { bar, unknownBar } from './status-bar.js';
import { strayNotice } from './stray-notice.js';
import { takeAlongFold } from './take-along.js';
import { waySteps } from './way-steps.js';

/** What is said of each stage; nothing between two of them. */
const SAID = {
  seen: 'seen.bar',
  half: 'seen.said-half',
  last: 'seen.said-last',
  delayed: 'seen.announcement-delayed',
} as const;

/** The full amount was seen and awaits confirmations, also after the end of the link. */
export function foundScreen(view: PaymentView): Screen {
  const { texts, status, network } = view;
  const { confirmations } = status;
  const words = texts.text('seen.bar');
  const top =
    confirmations?.delayed && network !== null
      ? unknownBar(texts, network, confirmations)
      : bar('calm', words);
  const isEnded = view.access !== 'pay';
  const body = markup`${top}
    ${heading('calm', texts.text(isEnded ? 'seen.after-link' : 'seen.heading'))}
    ${isEnded ? markup`<p><strong>${texts.text('seen.dont-pay-again')}</strong> ${texts.text('seen.receipt-here')}</p>` : null}
    <p>${texts.html('seen.nothing-to-do', { shop: merchant(view) })}</p>
    ${waySteps(view)}
    ${lateNote(view)}
    ${strayNotice(view)}
    ${transactionList(view)}
    ${takeAlongFold(view)}
    ${backToShop(view)}`;
  return {
    name: 'found',
    title: texts.text('seen.title'),
    announcement: texts.text(SAID[announcedStage(confirmations)]),
    isAlert: false,
    isReloading: true,
    body,
  };
}
