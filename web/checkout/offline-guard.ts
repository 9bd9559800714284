import { announce } from './announce.js';
import { byId } from './dom.js';

/** Without a connection a form would put the browser's own error in the place of this page, and of the payment on it. */
export function guardForms(): void {
  document.addEventListener('submit', (event) => {
    if (navigator.onLine) return;
    event.preventDefault();
    const note = byId('offline');
    if (!note) return;
    note.hidden = false;
    announce(note.textContent, true);
  });
}
