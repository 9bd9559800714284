import type { GatewayError } from '../../platform/errors/errors.pure.js';
import { type ErrorTexts, errorWords, noteForShop } from '../../platform/html/error-words.js';
import { type Html, markup } from '../../platform/html/markup.pure.js';
import { renderDocument, type RenderedPage } from '../../platform/html/page-document.js';
import { heading } from '../../platform/html/page-elements.js';
import { receiptScreen } from './receipt-screen.js';
import { text } from './receipt-texts.js';
import type { ReceiptView } from './receipt-view.js';

const ERRORS: ErrorTexts = {
  byCode: {
    invalid_signature: {
      title: 'This link of a receipt is not valid',
      tone: 'bad',
      text: 'It was cut off or changed on its way. Please open the receipt from the payment page again, or ask the shop for its link.',
    },
    link_expired: {
      title: 'This receipt has expired',
      tone: 'bad',
      text: 'Receipts can be opened for ten years. Please ask the shop.',
    },
    payment_not_found: {
      title: 'Receipt not found',
      tone: 'bad',
      text: 'There is no receipt at this address. Please open it from the payment page again.',
    },
  },
  broken: 'Your payment is not affected. Please load this page again in a minute.',
  refused: 'Please open the receipt from the payment page again.',
};

/** A receipt as a whole page: it needs no script, and follows nothing. */
export function receiptPage(view: ReceiptView): RenderedPage {
  const { verdict, shop, referenceLabel, paymentId, price } = view;
  return documentOf({
    status: 200,
    title: text('receipt.title', { reference: referenceLabel, shop: shop.title }),
    header: markup`<header>
<div><p class="shop"><bdi>${shop.title}</bdi></p><p><bdi>${referenceLabel}</bdi></p></div>
<p class="total"><span class="unseen">${text('receipt.price')}: </span>${price.formatted}</p>
</header>`,
    main: markup`<main class="receipt" data-screen="receipt" data-state="${verdict}">
${receiptScreen(view)}
</main>`,
    subject: `Payment ${paymentId}`,
  });
}

/** An error as a page. */
export function receiptErrorPage(error: Pick<GatewayError, 'status' | 'code' | 'extra'>): RenderedPage {
  const { title, tone, text: words } = errorWords(ERRORS, error);
  return documentOf({
    status: error.status,
    title,
    header: null,
    main: markup`<main data-screen="error">
${heading(tone, title)}
<p>${words}</p>
${noteForShop(error)}
</main>`,
    subject: null,
  });
}

interface Parts {
  status: number;
  title: string;
  header: Html | null;
  main: Html;
  subject: string | null;
}

function documentOf(parts: Parts): RenderedPage {
  return renderDocument({
    ...parts,
    promise: text('receipt.promise'),
    script: null,
    // Nothing here is to be clicked inside of a shop's page.
    siteUrl: null,
    isReloading: false,
  });
}
