import { type Html, markup } from '../../platform/html/markup.pure.js';
import { liveState } from './live-state.js';
import { renderDocument, type RenderedPage } from '../../platform/html/page-document.js';
import type { PaymentView, Screen } from './screen.js';

/** Final statuses, after which the page stops polling (specification/payment-states.md#statuses). */
const TERMINAL: readonly string[] = ['CONFIRMED', 'CANCELLED', 'ERROR', 'REFUND'];

/** The whole page with a screen of a payment. @param httpStatus 403 if the link has expired */
export function paymentPage(view: PaymentView, screen: Screen, httpStatus = 200): RenderedPage {
  const { status, texts } = view;
  const { title } = status.merchantSettings;
  const isFollowed = httpStatus === 200 && !TERMINAL.includes(status.status);
  const poll = isFollowed && markup` data-poll="${`../api/checkout/payment/${status.id}${view.link({})}`}"`;
  const documentTitle = `${screen.title} · ${status.referenceLabel} · ${title}`;
  const main = markup`<main data-title="${documentTitle}" data-screen="${screen.name}" data-state="${liveState(status)}" data-now="${status.serverTime}"
data-announcement="${screen.announcement}"${screen.isAlert ? markup` data-alert` : null}${poll || null}>
${screen.body}
</main>`;
  return renderDocument({
    status: httpStatus,
    texts,
    title: documentTitle,
    header: header(view),
    main,
    promise: texts.text('page.promise'),
    subject: `Payment ${status.id}`,
    script: 'checkout.js',
    siteUrl: status.merchantSettings.url,
    isReloading: isFollowed && screen.isReloading,
  });
}

function header({ status, texts }: PaymentView): Html {
  const { merchantSettings, reference, referenceLabel, amount } = status;
  const isNamed = referenceLabel.includes(reference);
  return markup`<header>
<div><p class="shop"><bdi>${merchantSettings.title}</bdi></p>
<p><bdi>${referenceLabel}</bdi>${isNamed ? null : markup` <span class="soft">(<bdi>${reference}</bdi>)</span>`}</p></div>
<p class="total"><span class="unseen">${texts.text('page.price')} </span>${texts.money(amount)}</p>
</header>`;
}
