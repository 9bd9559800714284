import { byId } from './dom.js';

/** The network has taken blocks of this payment back, since this page was opened. */
let isRecounted = false;

function blocksOf(main: HTMLElement): Map<string, number> {
  const shown = main.querySelectorAll<HTMLElement>('[data-transaction]');
  return new Map([...shown].map(({ dataset }) => [dataset['transaction'] ?? '', Number(dataset['blocks'])]));
}

/**
 * A count that goes back is said once, and shown from then on: the number alone would look like a fault of the page.
 * @returns what is to be said; empty: nothing
 */
export function noticeRecount(before: HTMLElement, next: HTMLElement): string {
  const blocks = blocksOf(next);
  const isLess = [...blocksOf(before)].some(([hash, count]) => (blocks.get(hash) ?? count) < count);
  isRecounted ||= isLess;
  const note = byId('recount');
  if (note) note.hidden = !isRecounted;
  return isLess && note ? note.textContent : '';
}
