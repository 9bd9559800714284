import type { CheckoutStatusContract } from '../checkout.contract.js';
import { type Html, markup } from '../../platform/html/markup.pure.js';
import { liveState } from './live-state.js';
import { renderDocument, type RenderedPage } from '../../platform/html/page-document.js';
import type { PaymentView, Screen } from './screen.js';

/** The footer of every screen of the checkout. */
export const PROMISE =
  'You pay straight into the shop’s own wallet. This page never asks for a password, recovery words or a card.';

/** Final statuses, after which the page stops polling (specification/payment-states.md#statuses). */
const TERMINAL: readonly string[] = ['CONFIRMED', 'CANCELLED', 'ERROR', 'REFUND'];

/** The whole page with a screen of a payment. @param httpStatus 403 if the link has expired */
export function paymentPage(view: PaymentView, screen: Screen, httpStatus = 200): RenderedPage {
  const { status } = view;
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
    title: documentTitle,
    header: header(status),
    main,
    promise: PROMISE,
    subject: `Payment ${status.id}`,
    script: 'checkout.js',
    siteUrl: status.merchantSettings.url,
    isReloading: isFollowed && screen.isReloading,
  });
}

function header({ merchantSettings, reference, referenceLabel, amount }: CheckoutStatusContract): Html {
  const isNamed = referenceLabel.includes(reference);
  return markup`<header>
<div><p class="shop"><bdi>${merchantSettings.title}</bdi></p>
<p><bdi>${referenceLabel}</bdi>${isNamed ? null : markup` <span class="soft">(<bdi>${reference}</bdi>)</span>`}</p></div>
<p class="total"><span class="unseen">Price: </span>${amount.formatted}</p>
</header>`;
}
