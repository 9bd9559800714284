/**
 * Opens a checkout in a dialog on the shop's own page (docs/specification/checkout.md, "Embedding"):
 *
 *   <script src="https://pay.example/checkout/embed.js" defer></script>
 *   <a href="{checkoutUrl}" data-checkout-url>Pay</a>
 *
 * or `Gateway.open(checkoutUrl, { onStatus, onClose })`. It styles elements one by one, which every `style-src` allows.
 */

interface CheckoutOptions {
  onStatus?: (event: { paymentId: string; status: string }) => void;
  onClose?: () => void;
  /** What screen readers call the dialog, and the button that closes it. */
  title?: string;
  closeLabel?: string;
}

/** Milliseconds after the frame has loaded in which the checkout says that it is there. */
const PATIENCE = 1_500;
const script = document.currentScript instanceof HTMLScriptElement ? document.currentScript.src : '';
/** Of the gateway, with the slash at its end. */
const folder = new URL('.', script || location.href).href;

let isOpen = false;

/** @throws Error for an address that is not of this gateway's checkout */
function open(checkoutUrl: string, options: CheckoutOptions = {}): { close: () => void } {
  const { href, origin } = new URL(checkoutUrl, location.href);
  if (!href.startsWith(folder)) throw new Error(`Not a checkout of ${folder}: ${href.split('?')[0]}`);
  if (isOpen) throw new Error('A checkout is open already.');
  isOpen = true;
  const { title = 'Checkout', closeLabel = 'Close' } = options;

  const dialog = document.createElement('dialog');
  dialog.setAttribute('aria-label', title);
  dialog.style.cssText =
    'box-sizing:border-box;width:100vw;height:100dvh;max-width:none;max-height:none;margin:0;padding:0;border:0;background:#0009';
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = '\u00d7';
  button.setAttribute('aria-label', closeLabel);
  button.style.cssText =
    'position:absolute;inset-block-start:8px;inset-inline-end:8px;width:44px;height:44px;border:1px solid #767d8a;border-radius:22px;background:#fff;color:#171a20;font:24px/1 system-ui;cursor:pointer';
  const frame = document.createElement('iframe');
  frame.title = title;
  frame.allow = 'clipboard-write';
  frame.referrerPolicy = 'origin';
  frame.style.cssText =
    'display:block;width:min(100%,36rem);height:calc(100% - 60px);margin:60px auto 0;border:0;background:#fff;color-scheme:normal';
  dialog.append(button, frame);

  let timer = 0;
  let isThere = false;
  const close = (): void => dialog.close();
  const receive = ({ source, origin: from, data }: MessageEvent): void => {
    if (from !== origin || source !== frame.contentWindow || typeof data !== 'object' || data === null)
      return;
    const { type, paymentId, status } = data as Record<string, unknown>;
    isThere = true;
    if (type === 'checkout.close') close();
    if (type === 'checkout.status' && typeof paymentId === 'string' && typeof status === 'string')
      options.onStatus?.({ paymentId, status });
  };
  // A browser shows nothing of a page that may not be in a frame here: the customer then pays on the page itself.
  frame.addEventListener('load', () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      if (!isThere) location.assign(href);
    }, PATIENCE);
  });
  button.addEventListener('click', close);
  addEventListener('message', receive);

  const { style } = document.documentElement;
  const { overflow } = style;
  dialog.addEventListener('close', () => {
    clearTimeout(timer);
    removeEventListener('message', receive);
    style.overflow = overflow;
    dialog.remove();
    isOpen = false;
    options.onClose?.();
  });
  style.overflow = 'hidden';
  document.body.append(dialog);
  frame.src = href;
  // The browser keeps the focus in the dialog, and gives it back to the element that had it.
  dialog.showModal();
  if (matchMedia('(prefers-reduced-motion: no-preference)').matches)
    dialog.animate({ opacity: [0, 1] }, { duration: 150 });
  return { close };
}

Object.assign(window, { Gateway: { open } });

document.addEventListener('click', (event) => {
  const element = event.target instanceof Element && event.target.closest<HTMLElement>('[data-checkout-url]');
  // Another key or button opens a link elsewhere, as the customer wants it.
  if (!element || event.defaultPrevented || event.button || event.ctrlKey || event.metaKey || event.shiftKey)
    return;
  const url = element.dataset['checkoutUrl'] || element.getAttribute('href') || '';
  const emit = (type: string, detail?: unknown): void => {
    element.dispatchEvent(new CustomEvent(`checkout.${type}`, { bubbles: true, detail }));
  };
  event.preventDefault();
  open(url, { onStatus: (detail) => emit('status', detail), onClose: () => emit('close') });
});
