import { SCRIPT } from './page-script.js';
import { PROMISE } from './payment-page.js';
import type { GatewayError } from '../../common/errors.js';
import { markup } from '../../common/markup.js';
import { renderDocument, type RenderedPage } from '../../common/page/page-document.js';
import { heading, type Tone } from '../../common/page/page-elements.js';

interface Words {
  title: string;
  tone: Tone;
  text: string;
}

const BY_CODE: Record<string, Words> = {
  invalid_signature: {
    title: 'This payment link is not valid',
    tone: 'bad',
    text: 'It may have been cut off or changed on its way. Please go back to the shop and open the payment from there.',
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
  too_many_requests: {
    title: 'Too many requests',
    tone: 'warn',
    text: 'Please wait a minute, then load this page again.',
  },
};

const BROKEN: Words = {
  title: 'This page does not work at the moment',
  tone: 'warn',
  text: 'Your payment is not affected: what you have sent is not lost. Please load this page again in a minute.',
};

const REFUSED: Words = {
  title: 'This address is not valid',
  tone: 'bad',
  text: 'Please go back to the shop and open the payment from there.',
};

/** An error in words for a customer, instead of the JSON that programs get. */
export function errorPage({ status, code }: Pick<GatewayError, 'status' | 'code'>): RenderedPage {
  const { title, tone, text } = BY_CODE[code] ?? (status >= 500 ? BROKEN : REFUSED);
  const main = markup`<main data-title="${title}" data-screen="error" data-state="" data-announcement="${title}." data-alert>
${heading(tone, title)}
<p>${text}</p>
</main>`;
  return renderDocument({
    status,
    title,
    header: null,
    main,
    promise: PROMISE,
    subject: null,
    script: SCRIPT,
    siteUrl: null,
    // Both pass by waiting.
    isReloading: status >= 500 || status === 429,
  });
}
