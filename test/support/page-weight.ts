import { gzipSync } from 'node:zlib';
import { paymentPage } from '../../src/checkout/page/payment-page.js';
import { payScreen } from '../../src/checkout/page/pay-screen.js';
import type { PageLocale } from '../../src/platform/kernel/i18n/locale.pure.js';
import { webAsset } from '../../src/platform/web/html/web-asset.js';
import { INSTRUCTIONS, viewOf } from './payment-view.js';

/** What a browser has to load for a pay screen, in bytes, compressed as the gateway does it. */
export interface PageWeight {
  /** The page without its style sheet: what that adds is counted there, since they are sent as one. */
  html: number;
  css: number;
  script: number;
  total: number;
}

const packed = (text: string): number => gzipSync(text).length;

/** The pay screen that has the most on it: two QR codes, and wallets of the browser. */
export function heavyPage(locale: PageLocale): string {
  return paymentPage(viewOf('OPEN', {}, locale), payScreen(viewOf('OPEN', {}, locale), INSTRUCTIONS, true))
    .body;
}

export function weigh(body: string): PageWeight {
  const page = packed(body);
  const html = packed(body.replace(/<style[^]*<\/style>/, ''));
  const script = packed(webAsset('checkout.js'));
  return { html, css: page - html, script, total: page + script };
}
