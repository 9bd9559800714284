import type { GatewayError } from '../../platform/kernel/errors/errors.pure.js';
import { type ErrorTexts, errorWords, noteForShop } from '../../platform/web/html/error-words.js';
import { type Html, markup } from '../../platform/kernel/markup.pure.js';
import { renderDocument, type RenderedPage } from '../../platform/web/html/page-document.js';
import { heading, money } from '../../platform/web/html/page-elements.js';
import type { LanguageLink } from '../../platform/kernel/i18n/request-texts.js';
import type { Texts } from '../../platform/kernel/i18n/texts.js';
import { receiptScreen } from './receipt-screen.js';
import type { ReceiptView } from './receipt-view.js';

const ERROR_TEXTS: ErrorTexts = {
  byCode: {
    invalid_signature: {
      title: 'receipt.error.signature.title',
      tone: 'bad',
      text: 'receipt.error.signature.text',
    },
    link_expired: { title: 'receipt.error.expired.title', tone: 'bad', text: 'receipt.error.expired.text' },
    payment_not_found: {
      title: 'receipt.error.missing.title',
      tone: 'bad',
      text: 'receipt.error.missing.text',
    },
    payment_integrity: {
      title: 'checkout-error.stopped.title',
      tone: 'warn',
      text: 'checkout-error.stopped.text',
    },
  },
  broken: 'receipt.error.broken',
  refused: 'receipt.error.refused',
};

/** A receipt as a whole page: it follows nothing, and its script only shows local times and prints. */
export function receiptPage(t: Texts, view: ReceiptView, languageLink: LanguageLink): RenderedPage {
  const { verdict, shop, referenceLabel, paymentId, price } = view;
  return documentOf(t, {
    status: 200,
    title: t.text('receipt.title', { reference: referenceLabel, shop: shop.title }),
    header: markup`<header>
<div><p class="shop"><bdi>${shop.title}</bdi></p><p><bdi>${referenceLabel}</bdi></p></div>
<p class="total"><span class="unseen">${t.text('receipt.price')}: </span>${money(t, price)}</p>
</header>`,
    main: markup`<main class="receipt" data-screen="receipt" data-state="${verdict}">
${receiptScreen(t, view)}
</main>`,
    subject: t.text('receipt.subject', { id: paymentId }),
    languageLink,
  });
}

/** An error as a page. */
export function receiptErrorPage(
  t: Texts,
  error: Pick<GatewayError, 'status' | 'code' | 'extra'>,
  languageLink: LanguageLink,
): RenderedPage {
  const { title, tone, text } = errorWords(t, ERROR_TEXTS, error);
  return documentOf(t, {
    status: error.status,
    title,
    header: null,
    main: markup`<main data-screen="error">
${heading(tone, title)}
<p>${text}</p>
${noteForShop(t, error)}
</main>`,
    subject: null,
    languageLink,
  });
}

interface Parts {
  status: number;
  title: string;
  header: Html | null;
  main: Html;
  subject: string | null;
  languageLink: LanguageLink;
}

function documentOf(t: Texts, parts: Parts): RenderedPage {
  return renderDocument({
    ...parts,
    texts: t,
    promise: t.text('receipt.promise'),
    script: 'receipt.js',
    // Nothing here is to be clicked inside of a shop's page.
    siteUrl: null,
    isReloading: false,
  });
}
