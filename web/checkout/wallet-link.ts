import { announce } from './announce.js';
import { byId } from './dom.js';

/** Milliseconds after which a phone has left the page for a wallet, or has none that opens the link. */
const PATIENCE = 1_500;

/** Browsers do not say that nothing opens a link, so the page says how to go on if it is still in front. */
export function startWatchingWalletLink(): void {
  document.addEventListener('click', (event) => {
    if (event.target instanceof Element && event.target.closest('#wallet'))
      setTimeout(sayHowToGoOn, PATIENCE);
  });
}

function sayHowToGoOn(): void {
  const note = byId('wallet-none');
  if (!note || document.hidden || !document.hasFocus()) return;
  note.hidden = false;
  announce(note.textContent);
}
