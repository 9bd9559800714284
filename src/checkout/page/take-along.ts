import { Html, markup } from '../../platform/kernel/markup.pure.js';
import { qrCodeSvg } from '../../platform/web/html/qr-code.pure.js';
import { fold } from './pay-block.js';
import type { PaymentView } from './screen.js';

/**
 * The address of this page for another device, or for later. It says what the page's own says, and so gives no more than
 * this browser has: it pays until the link ends, and looks on afterwards where this browser does (page-access.pure.ts).
 * Null for whoever may see the state alone.
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
      <a class="button plain" href="${mail}" target="_top">${texts.text('take.mail')}</a></div>`,
    markup`<div class="on-desk"><div class="qr" id="page-code" role="img" aria-label="${texts.text('take.scan')}"><div aria-hidden="true">${new Html(qrCodeSvg(url))}</div></div>
      <p class="scan-note soft">${texts.text('take.scan')}</p></div>`,
  ]);
}
