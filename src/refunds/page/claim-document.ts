import type { GatewayError } from '../../platform/errors/errors.pure.js';
import { markup } from '../../platform/html/markup.pure.js';
import { type ErrorTexts, errorWords, noteForShop } from '../../platform/html/error-words.js';
import { renderDocument, type RenderedPage } from '../../platform/html/page-document.js';
import type { Texts } from '../../platform/i18n/texts.js';
import { heading } from '../../platform/html/page-elements.js';
import type { ClaimPageView, ClaimScreen } from './claim-screens.js';

/** Below every screen: a warning against pasting a private key into the form. */
const PROMISE =
  'The shop pays refunds from its own wallet. This page needs an address and nothing else: it never asks for a private key, recovery words, a password or a payment.';

/** A screen of a refund as a whole page. */
export function claimPage(view: ClaimPageView, screen: ClaimScreen, httpStatus = 200): RenderedPage {
  const { refund, self } = view;
  const { title } = refund.merchantSettings;
  const documentTitle = `${screen.title} · ${refund.referenceLabel} · ${title}`;
  const poll = screen.isFollowed && markup` data-poll="../api/checkout/refund/${refund.id}${self}"`;
  return renderDocument({
    status: httpStatus,
    texts: view.texts,
    title: documentTitle,
    header: header(view),
    main: markup`<main data-screen="${screen.name}" data-state="${refund.status}"${poll || null}>
${screen.body}
</main>`,
    promise: PROMISE,
    subject: `Refund ${refund.id}`,
    script: 'refund.js',
    // Framing is forbidden: it would allow clickjacking.
    siteUrl: null,
    isReloading: screen.isFollowed,
  });
}

function header({ refund }: ClaimPageView) {
  const { merchantSettings, reference, referenceLabel, amount } = refund;
  const isNamed = referenceLabel.includes(reference);
  return markup`<header>
<div><p class="shop"><bdi>${merchantSettings.title}</bdi></p>
<p>Refund for <bdi>${referenceLabel}</bdi>${isNamed ? null : markup` <span class="soft">(<bdi>${reference}</bdi>)</span>`}</p></div>
<p class="total"><span class="unseen">Refund: </span>${amount.formatted}</p>
</header>`;
}

const TEXTS: ErrorTexts = {
  byCode: {
    invalid_signature: {
      title: 'This refund link is not valid',
      tone: 'bad',
      text: 'It was cut off or changed on its way. Please open it again from the shop’s message, or ask the shop for the link again.',
    },
    link_expired: {
      title: 'This refund link has expired',
      tone: 'bad',
      text: 'Please ask the shop for the state of your refund.',
    },
    refund_not_found: {
      title: 'Refund not found',
      tone: 'bad',
      text: 'There is no refund at this address. Please open the link again from the shop’s message.',
    },
  },
  broken: 'Your refund is not affected. Please load this page again in a minute.',
  refused: 'Please open the link again from the shop’s message.',
};

/** An error in words for a customer, instead of the JSON that programs get. */
export function claimErrorPage(
  texts: Texts,
  error: Pick<GatewayError, 'status' | 'code' | 'extra'>,
): RenderedPage {
  const { title, tone, text } = errorWords(TEXTS, error);
  return renderDocument({
    status: error.status,
    texts,
    title,
    header: null,
    main: markup`<main data-screen="error">
${heading(tone, title)}
<p>${text}</p>
${noteForShop(error)}
</main>`,
    promise: PROMISE,
    subject: null,
    script: 'refund.js',
    siteUrl: null,
    isReloading: false,
  });
}
