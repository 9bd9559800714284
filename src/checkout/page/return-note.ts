import { type Html, markup } from '../../platform/kernel/markup.pure.js';
import type { PaymentView } from './screen.js';

/** Until the page's script goes back to the shop (web/checkout/return.ts). */
const SECONDS = 5;

/**
 * What the script shows while it counts down. Only for payments with an address to return to, and not while there is
 * something for the customer to read and decide.
 */
export function returnNote({ texts, status, shop, overpaid, unmatched }: PaymentView): Html | null {
  if (!shop || status.redirectUrl === null || overpaid || unmatched) return null;
  // A refund to follow, or an address to enter.
  if (status.returnable.length > 0) return null;
  const sentences = Array.from({ length: SECONDS }, (_, passed) =>
    texts.text('paid.returning', { host: shop.host, seconds: SECONDS - passed }),
  );
  return markup`<div class="return" id="return" data-texts="${JSON.stringify(sentences)}" hidden><p id="returning"></p>
    <button type="button" class="stop" id="stay">${texts.text('paid.stay')}</button></div>`;
}
