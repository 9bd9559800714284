import { byId } from './dom.js';

/**
 * Shows the links into the browsers of wallets' apps, where they can work: on a phone, over HTTPS (the app refuses the
 * rest), and where no wallet is in this browser already. Their addresses hold that of the page as the customer has it.
 */
export function offerWalletApps(hasWallet: (family: string | undefined) => boolean): void {
  const fold = byId('fold-apps');
  if (!fold) return;
  fold.hidden =
    hasWallet(fold.dataset['family']) || !isSecureContext || !matchMedia('(pointer: coarse)').matches;
  if (fold.hidden) return;
  const { host, pathname, search, href } = location;
  const page = `${host}${pathname}${search}`;
  for (const link of fold.querySelectorAll<HTMLAnchorElement>('a[data-link]'))
    link.href = (link.dataset['link'] ?? '')
      .replaceAll('{page}', () => page)
      .replaceAll('{url}', () => encodeURIComponent(href));
}
