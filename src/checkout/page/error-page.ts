import type { GatewayError } from '../../platform/kernel/errors/errors.pure.js';
import { type Html, markup } from '../../platform/kernel/markup.pure.js';
import { type ErrorTexts, errorWords, noteForShop } from '../../platform/web/html/error-words.js';
import { renderDocument, type RenderedPage } from '../../platform/web/html/page-document.js';
import type { LanguageLink } from '../../platform/kernel/i18n/request-texts.js';
import type { Texts } from '../../platform/kernel/i18n/texts.js';
import { heading } from '../../platform/web/html/page-elements.js';
import { backToShop, contactShop } from './screen.js';
import type { KnownPayment } from './known-payments.pure.js';

const TEXTS: ErrorTexts = {
  byCode: {
    invalid_signature: {
      title: 'checkout-error.signature.title',
      tone: 'bad',
      text: 'checkout-error.signature.text',
    },
    link_expired: { title: 'expired.heading', tone: 'bad', text: 'checkout-error.expired.text' },
    payment_not_found: {
      title: 'checkout-error.not-found.title',
      tone: 'bad',
      text: 'checkout-error.not-found.text',
    },
    payment_integrity: {
      title: 'checkout-error.stopped.title',
      tone: 'warn',
      text: 'checkout-error.stopped.text',
    },
    // Of the form that asks for money back, which has changed meanwhile.
    invalid_state_transition: { title: 'claim.none.title', tone: 'warn', text: 'claim.none.text' },
  },
  broken: 'checkout-error.broken',
  refused: 'checkout-error.invalid',
};

/** What surrounds the error. */
export interface ErrorSurroundings {
  languageLink: LanguageLink;
  /** What the valid link of the request leads to; null: unknown, or nothing that a stranger may know. */
  payment: KnownPayment | null;
}

/** An error as a page for customers, in place of the JSON for programs. */
export function errorPage(
  texts: Texts,
  error: Pick<GatewayError, 'status' | 'code' | 'extra'>,
  { languageLink, payment }: ErrorSurroundings,
): RenderedPage {
  const { status } = error;
  const { title, tone, text } = errorWords(texts, TEXTS, error);
  const main = markup`<main data-title="${title}" data-screen="error" data-announcement="${title}" data-alert>
${heading(tone, title)}
<p>${text}</p>
${payment && waysOut(texts, payment)}
${noteForShop(texts, error)}
</main>`;
  return renderDocument({
    status,
    texts,
    title,
    header: payment && header(payment),
    main,
    promise: texts.text('page.promise'),
    subject: payment && texts.text('page.payment', { id: payment.id }),
    script: 'checkout.js',
    siteUrl: payment && payment.status.merchantSettings.url,
    languageLink,
    // Temporary errors: a later attempt may succeed.
    isReloading: status >= 500 || status === 429 || error.code === 'payment_integrity',
  });
}

function header({ status: { merchantSettings, referenceLabel } }: KnownPayment): Html {
  return markup`<header>
<div><p class="shop"><bdi>${merchantSettings.title}</bdi></p>
<p><bdi>${referenceLabel}</bdi></p></div>
</header>`;
}

function waysOut(texts: Texts, payment: KnownPayment): Html {
  return markup`<p>${texts.text('checkout-error.lasting')} ${contactShop({ ...payment, texts })}</p>
${backToShop({ ...payment, texts })}`;
}
