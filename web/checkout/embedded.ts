/**
 * For a page of the checkout in a frame: tells the shop's page the status of the payment, and when the customer wants to
 * close it (docs/specification/checkout.md, "Embedding"). The browser delivers a message to the shop's own origin only,
 * which the server names; any other page that holds the frame gets none.
 */

const shopOrigin = document.querySelector<HTMLElement>('[data-shop-origin]')?.dataset['shopOrigin'];

function sendToShop(message: Record<string, string>): void {
  if (shopOrigin) parent.postMessage(message, shopOrigin);
}

let lastSent = '';

function sendStatus(): void {
  const { payment: paymentId = '', status = '' } = document.querySelector('main')?.dataset ?? {};
  if (status === '' || status === lastSent) return;
  lastSent = status;
  sendToShop({ type: 'checkout.status', paymentId, status });
}

/** Does nothing on a page that is in no frame. */
export function startTellingShop(): void {
  if (parent === window || !shopOrigin) return;
  sendStatus();
  // Every change of the payment brings another <main>, or other attributes of it.
  const watched = { childList: true, subtree: true, attributes: true, attributeFilter: ['data-status'] };
  new MutationObserver(sendStatus).observe(document.body, watched);
  // The shop's page does not see keys that are pressed in a frame.
  addEventListener('keydown', (event) => {
    if (event.key === 'Escape' && !event.defaultPrevented && !document.querySelector('dialog[open]'))
      sendToShop({ type: 'checkout.close' });
  });
}
