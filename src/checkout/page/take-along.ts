import type { Texts } from '../../platform/kernel/i18n/texts.js';
import { Html, markup } from '../../platform/kernel/markup.pure.js';
import { qrCodeSvg } from '../../platform/web/html/qr-code.pure.js';
import { fold } from './pay-block.js';
import type { PaymentView } from './screen.js';

/**
 * The address of this page for another device, or for later: the signed link, with which it pays until the link ends.
 * A device that opened it before looks on afterwards, another one sees how far the payment is (page-access.pure.ts).
 * Null for whoever may see no more than that.
 */
export function takeAlongFold(view: PaymentView): Html | null {
  const { texts, status, access, pageUrl } = view;
  if (access === 'state') return null;
  const url = `${pageUrl}${view.link({})}`;
  const { referenceLabel: reference, merchantSettings } = status;
  const subject = texts.text('take.subject', { reference, shop: merchantSettings.title });
  // RFC 6068: percent-encoded, a line break would be %0D%0A.
  const mail = `mailto:?subject=${encodeURIComponent(subject)}&body=${encodeURIComponent(url)}`;
  return fold('take', texts.text('take.heading'), [
    markup`<p>${texts.text('take.why')}</p>
      <div class="wallets"><button type="button" class="button plain" id="share" data-url="${url}" data-title="${subject}" hidden>${texts.text('take.share')}</button>
      <button type="button" class="button plain" id="copy-link" data-copy="${url}" data-name="link" hidden><span>${texts.text('take.copy')}</span></button>
      <a class="button plain" href="${mail}" target="_top">${texts.text('take.mail')}</a></div>
      <p><code class="small" id="link" dir="ltr">${url}</code></p>`,
    // After the end of the link nothing on the page may look like a code to pay with.
    ...(access === 'pay' ? [pageCode(texts, url)] : []),
  ]);
}

function pageCode(texts: Texts, url: string): Html {
  return markup`<div class="on-desk"><div class="page-code" id="page-code" role="img" aria-label="${texts.text('take.scan')}"><div aria-hidden="true">${new Html(qrCodeSvg(url))}</div></div>
      <p class="scan-note soft">${texts.text('take.scan')}</p></div>`;
}
