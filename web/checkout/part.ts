import { announce } from './announce.js';
import { setClock } from './clock.js';
import { showCopyButtons } from './copy.js';
import { byId, currentMain } from './dom.js';
import { noticeRecount } from './recount.js';
import { startReturning } from './return.js';
import { showSearch } from './search.js';
import { showShareButton } from './share.js';
import { localizeTimes } from './times.js';
import { offerWallets } from './wallets.js';

/** Milliseconds. */
const TIMEOUT = 20_000;

/**
 * An address that the page names, with the page's own query: the signature, and what the customer has chosen. A browser that
 * keeps no cookies, as in the frame of a shop, is given in the page what shows that it saw the payment. What the page says
 * how to pay with stays, whatever is chosen in another window: it may be half copied. Null: the page is not followed (any
 * more).
 */
export function liveUrl(name: 'part' | 'events'): string | null {
  const { [name]: path, seen, method } = currentMain().dataset;
  if (path === undefined) return null;
  const query = new URLSearchParams(location.search);
  if (seen !== undefined && !query.has('seen')) query.set('seen', seen);
  if (method !== undefined) query.set('shown', method);
  return `${path}?${query}`;
}

/**
 * Fetches the `<main>` and shows it, unless it is the one that is shown.
 * @returns whether it is another one
 * @throws Error for what may pass by waiting
 */
export async function renewPart(url: string): Promise<boolean> {
  const response = await fetch(url, {
    headers: { Accept: 'text/html', 'If-None-Match': `"${currentMain().dataset['version'] ?? ''}"` },
    cache: 'no-store',
    credentials: 'same-origin',
    redirect: 'error',
    signal: AbortSignal.timeout(TIMEOUT),
  });
  if (response.status === 304) return false;
  // A failure that passes by waiting leaves the page as it is. Others are shown.
  if (response.status >= 500 || response.status === 429) throw new Error(String(response.status));
  // An error is a whole page, whose style this page would refuse.
  const page = await response.text();
  const part = page.slice(page.indexOf('<main '), page.lastIndexOf('</main>'));
  const next = new DOMParser().parseFromString(part, 'text/html').querySelector('main');
  if (!next) throw new Error(`no content: ${response.status}`);
  replaceMain(next);
  return true;
}

function replaceMain(next: HTMLElement): void {
  const before = currentMain();
  const isNew = next.dataset['screen'] !== before.dataset['screen'];
  const { activeElement } = document;
  const focused = before.contains(activeElement) ? (activeElement?.id ?? '') : '';
  const announced = before.dataset['announcement'];
  const unfolded = [...before.querySelectorAll('details[open]')].map(({ id }) => id);
  const entered = enteredIn(before);
  before.replaceWith(next);
  for (const details of next.querySelectorAll('details'))
    if (details.id && unfolded.includes(details.id)) details.open = true;
  document.title = next.dataset['title'] ?? document.title;
  prepareMain();
  for (const [id, value] of entered) enter(id, value);
  if (isNew) next.querySelector('h1')?.focus();
  else if (focused) byId(focused)?.focus({ preventScroll: true });
  // A better estimate alone is no reason to interrupt.
  const returning = isNew ? startReturning() : '';
  if (isNew && next.dataset['screen'] === 'paid') shake();
  const recounted = noticeRecount(before, next);
  const isNews = isNew || next.dataset['announcement'] !== announced;
  const news = isNews ? (next.dataset['announcement'] ?? '') : '';
  // Silence between what matters: a payment may take hundreds of blocks.
  if (isNews || recounted !== '')
    announce(`${recounted} ${news} ${returning}`.trim(), 'alert' in next.dataset || recounted !== '');
}

/** Milliseconds. */
const SHAKE = 150;

/** For a phone that lies on the table. Browsers forbid it where nobody has touched the page. */
function shake(): void {
  const isStill = matchMedia('(prefers-reduced-motion: reduce)').matches;
  if ('vibrate' in navigator && navigator.userActivation.hasBeenActive && !isStill) navigator.vibrate(SHAKE);
}

/** What the customer has entered and not sent yet. */
function enteredIn(main: HTMLElement): [id: string, value: string][] {
  const fields = main.querySelectorAll<HTMLInputElement | HTMLSelectElement>('input[id], select[id]');
  return [...fields]
    .filter((field) => field.value !== '' && (field.type !== 'radio' || (field as HTMLInputElement).checked))
    .map(({ id, value }) => [id, value]);
}

function enter(id: string, value: string): void {
  const field = byId(id);
  if (!(field instanceof HTMLInputElement || field instanceof HTMLSelectElement)) return;
  field.value = value;
  // The other code, while somebody scans it.
  if (field.type === 'radio') (field as HTMLInputElement).checked = true;
  field.dispatchEvent(new Event('input'));
}

/** What the script adds to each `<main>`. */
export function prepareMain(): void {
  localizeTimes();
  setClock();
  showCopyButtons();
  offerWallets();
  showSearch();
  showShareButton();
}
