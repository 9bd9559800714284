import { announce } from './announce.js';
import { byId, currentMain } from './dom.js';

/** Shows the field that narrows the list of all coins; without this script the list is complete. For each new `<main>`. */
export function showSearch(): void {
  const field = currentMain().querySelector<HTMLInputElement>('#coin-search');
  if (!field) return;
  const box = field.closest<HTMLElement>('.search');
  if (box) box.hidden = false;
  field.addEventListener('input', () => narrow(field.value));
}

/** Every word that was entered must be in the coin's name, its code or the name of a network. */
function narrow(text: string): void {
  const wanted = text.toLowerCase().split(/\s+/).filter(Boolean);
  let found = 0;
  for (const item of currentMain().querySelectorAll<HTMLElement>('#all-coins [data-words]')) {
    const words = item.dataset['words'] ?? '';
    item.hidden = !wanted.every((word) => words.includes(word));
    if (!item.hidden) found += 1;
  }
  const none = byId('coin-search-none');
  if (!none) return;
  if (none.hidden && found === 0) announce(none.textContent ?? '');
  none.hidden = found > 0;
}
