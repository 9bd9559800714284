import type { GatewayError } from '../../platform/kernel/errors/errors.pure.js';
import { type Html, markup } from '../../platform/kernel/markup.pure.js';
import { type ErrorTexts, errorWords, noteForShop } from '../../platform/web/html/error-words.js';
import { canParseUrl } from '../../platform/web/contract/url.pure.js';
import { renderDocument, type RenderedPage } from '../../platform/web/html/page-document.js';
import type { LanguageLink } from '../../platform/kernel/i18n/request-texts.js';
import type { Texts } from '../../platform/kernel/i18n/texts.js';
import { heading, money } from '../../platform/web/html/page-elements.js';
import type { ClaimPageView, ClaimScreen } from './claim-screens.js';

/** A screen of a refund as a whole page. */
export function claimPage(view: ClaimPageView, screen: ClaimScreen, httpStatus = 200): RenderedPage {
  const { texts, refund, self } = view;
  const { title } = refund.merchantSettings;
  const documentTitle = `${screen.title} · ${refund.referenceLabel} · ${title}`;
  const poll = screen.isFollowed && markup` data-poll="../api/checkout/refund/${refund.id}${self}"`;
  return renderDocument({
    status: httpStatus,
    texts,
    title: documentTitle,
    header: header(view),
    main: markup`<main data-screen="${screen.name}" data-state="${refund.status}"${poll || null}>
${screen.body}
${wayBack(view)}
</main>`,
    // A warning against pasting a private key into the form.
    promise: texts.text('refund.promise'),
    subject: texts.text('refund.subject', { id: refund.id }),
    script: 'refund.js',
    // Framing is forbidden: it would allow clickjacking.
    siteUrl: null,
    languageLink: view.languageLink,
    isReloading: screen.isFollowed,
  });
}

/** On each screen: to the payment, or at least to the shop. */
function wayBack({ texts, refund, paymentUrl }: ClaimPageView): Html | null {
  const { url } = refund.merchantSettings;
  if (paymentUrl !== null)
    return markup`<p><a class="link" id="back" href="${paymentUrl}">${texts.text('refund.back-to-payment')}</a></p>`;
  if (url === null || !canParseUrl(url)) return null;
  const host = markup`<bdi dir="ltr">${new URL(url).host}</bdi>`;
  return markup`<p><a class="link" id="back" href="${url}" rel="noreferrer"><span>${texts.html('shop.back', { host })}</span></a></p>`;
}

function header({ texts, refund }: ClaimPageView): Html {
  const { merchantSettings, reference, referenceLabel } = refund;
  // A transfer that did not count has no price.
  const amount = refund.transferId === null ? refund.amount : refund.payoutAmount;
  const isNamed = referenceLabel.includes(reference);
  const label = markup`<bdi>${referenceLabel}</bdi>`;
  return markup`<header>
<div><p class="shop"><bdi>${merchantSettings.title}</bdi></p>
<p>${texts.html('refund.for', { label })}${isNamed ? null : markup` <span class="soft">(<bdi>${reference}</bdi>)</span>`}</p></div>
<p class="total"><span class="unseen">${texts.text('refund.amount')} </span>${money(texts, amount)}</p>
</header>`;
}

const TEXTS: ErrorTexts = {
  byCode: {
    invalid_signature: {
      title: 'refund-error.signature.title',
      tone: 'bad',
      text: 'refund-error.signature.text',
    },
    link_expired: { title: 'refund-error.expired.title', tone: 'bad', text: 'refund-error.expired.text' },
    refund_not_found: {
      title: 'refund-error.not-found.title',
      tone: 'bad',
      text: 'refund-error.not-found.text',
    },
  },
  broken: 'refund-error.broken',
  refused: 'refund-error.invalid',
};

/** An error in words for a customer, instead of the JSON that programs get. */
export function claimErrorPage(
  texts: Texts,
  error: Pick<GatewayError, 'status' | 'code' | 'extra'>,
  languageLink: LanguageLink,
): RenderedPage {
  const { title, tone, text } = errorWords(texts, TEXTS, error);
  return renderDocument({
    status: error.status,
    texts,
    title,
    header: null,
    main: markup`<main data-screen="error">
${heading(tone, title)}
<p>${text}</p>
${noteForShop(texts, error)}
</main>`,
    promise: texts.text('refund.promise'),
    subject: null,
    script: 'refund.js',
    siteUrl: null,
    languageLink,
    isReloading: false,
  });
}
