import type { GatewayError } from '../../platform/errors/errors.pure.js';
import { markup } from '../../platform/html/markup.pure.js';
import { type ErrorTexts, errorWords, noteForShop } from '../../platform/html/error-words.js';
import { renderDocument, type RenderedPage } from '../../platform/html/page-document.js';
import type { Texts } from '../../platform/i18n/texts.js';
import { heading } from '../../platform/html/page-elements.js';

const TEXTS: ErrorTexts = {
  byCode: {
    invalid_signature: {
      title: 'This payment link is not valid',
      tone: 'bad',
      text: 'It was cut off or changed on its way. Please go back to the shop and open the payment from there, or ask the shop for the link again.',
    },
    link_expired: {
      title: 'This payment link has expired',
      tone: 'bad',
      text: 'Please go back to the shop and start the payment again.',
    },
    payment_not_found: {
      title: 'Payment not found',
      tone: 'bad',
      text: 'There is no payment at this address. Please go back to the shop and open the payment from there.',
    },
  },
  broken:
    'Your payment is not affected: what you have sent is not lost. Please load this page again in a minute.',
  refused: 'Please go back to the shop and open the payment from there.',
};

/** An error as a page for customers, in place of the JSON for programs. */
export function errorPage(
  texts: Texts,
  error: Pick<GatewayError, 'status' | 'code' | 'extra'>,
): RenderedPage {
  const { status } = error;
  const { title, tone, text } = errorWords(TEXTS, error);
  const main = markup`<main data-title="${title}" data-screen="error" data-announcement="${title}." data-alert>
${heading(tone, title)}
<p>${text}</p>
${noteForShop(error)}
</main>`;
  return renderDocument({
    status,
    texts,
    title,
    header: null,
    main,
    promise: texts.text('page.promise'),
    subject: null,
    script: 'checkout.js',
    siteUrl: null,
    // Temporary errors: a later attempt may succeed.
    isReloading: status >= 500 || status === 429,
  });
}
