import { byId } from './dom.js';

/** The button is hidden where the browser has no sheet to share with: the link to send by mail is there in any case. */
export function showShareButton(): void {
  const button = byId('share');
  if (button) button.hidden = typeof navigator.share !== 'function';
}

export function startSharing(): void {
  document.addEventListener('click', (event) => {
    const button = event.target instanceof Element && event.target.closest<HTMLElement>('#share');
    if (!button) return;
    const { url = '', title = '' } = button.dataset;
    // Whoever closes the sheet has shared nothing, which needs no words.
    navigator.share({ url, title }).catch(() => null);
  });
}
