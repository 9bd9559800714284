/**
 * The checkout page's script: countdown, copy buttons, and a new `<main>` from the server whenever the payment's status
 * changes. It decides nothing; without it the page is complete and reloads by itself.
 *
 * Polls every 5 s (docs/specification/events.md, "Polling"), 304 while nothing changed; up to 60 s apart while the
 * server does not answer; never again after a terminal status, for which the server leaves out `data-poll`.
 */

type Payment = import('../sdk/src/api-types.js').CheckoutStatus;

/** Milliseconds. */
const INTERVAL = 5_000;
const LONGEST = 60_000;
const TIMEOUT = 20_000;

/** Of the server's `<main>`; another one takes its place with every change. */
let main = document.querySelector('main') ?? document.createElement('main');
let etag = '';
let failures = 0;
let isPolling = false;
let timer = 0;
/** Milliseconds that the server's clock is ahead of this one. */
let offset = 0;
let secondsBefore = Infinity;

const byId = (id: string): HTMLElement | null => document.getElementById(id);

/** For screen readers. */
function announce(text = '', isAlert = false): void {
  const region = byId(isAlert ? 'alert' : 'status');
  if (!region) return;
  region.textContent = '';
  setTimeout(() => {
    region.textContent = text;
  }, 100);
}

// The same text as liveState() on the server (src/checkout/page/live-state.ts); a test compares them.
function stateOf(payment: Payment): string {
  const { status, receivedAmount, remainingAmount, confirmations, unmatchedTransactions } = payment;
  const { seen = 0, required = 0, estimatedSecondsRemaining = null, delayed = false } = confirmations ?? {};
  const progress = [seen, required, estimatedSecondsRemaining ?? 0, delayed];
  const unmatched = unmatchedTransactions.map(({ id }) => id);
  return [status, receivedAmount.atomic, remainingAmount.atomic, ...progress, unmatched].join(' ');
}

async function request(url: string, headers: Record<string, string>): Promise<Response> {
  return fetch(url, {
    headers,
    cache: 'no-store',
    credentials: 'same-origin',
    redirect: 'error',
    signal: AbortSignal.timeout(TIMEOUT),
  });
}

async function poll(url: string): Promise<void> {
  const response = await request(url, etag ? { 'If-None-Match': etag } : {});
  if (response.status === 304) return;
  // The link has expired, or the payment is gone: the page says so.
  if (response.status === 403 || response.status === 404) return renew();
  if (!response.ok) throw new Error(String(response.status));
  const { data } = (await response.json()) as { data: Payment };
  offset = Date.parse(data.serverTime) - Date.now();
  if (stateOf(data) !== main.dataset['state']) await renew();
  // Last: a change that could not be shown must be polled again.
  etag = response.headers.get('ETag') ?? '';
}

async function renew(): Promise<void> {
  const response = await request(location.href, { Accept: 'text/html' });
  // The rest of the page stays: its style would need this page's nonce.
  const [part = ''] = /<main [^]*<\/main>/.exec(await response.text()) ?? [];
  const next = new DOMParser().parseFromString(part, 'text/html').querySelector('main');
  // A failure that passes by waiting leaves the page as it is.
  if (!next || response.status >= 500 || response.status === 429) throw new Error(String(response.status));
  replaceMain(next);
}

function replaceMain(next: HTMLElement): void {
  const isNew = next.dataset['screen'] !== main.dataset['screen'];
  const focused = main.contains(document.activeElement) ? (document.activeElement?.id ?? '') : '';
  const announced = main.dataset['announcement'];
  const isUnfolded = withAmount()?.open ?? false;
  main.replaceWith(next);
  main = next;
  const details = withAmount();
  if (isUnfolded && details) details.open = true;
  document.title = main.dataset['title'] ?? '';
  prepare();
  if (isNew) main.querySelector('h1')?.focus();
  else if (focused) byId(focused)?.focus({ preventScroll: true });
  // A better estimate alone is no reason to interrupt.
  if (isNew || main.dataset['announcement'] !== announced)
    announce(main.dataset['announcement'], 'alert' in main.dataset);
}

/** The second QR code, which the customer unfolds. */
function withAmount(): HTMLDetailsElement | null {
  return document.querySelector<HTMLDetailsElement>('details#with-amount');
}

function schedule(delay: number): void {
  clearTimeout(timer);
  if (main.dataset['poll']) timer = setTimeout(() => void turn(), delay);
}

async function turn(): Promise<void> {
  const url = main.dataset['poll'];
  if (isPolling || !url) return;
  isPolling = true;
  try {
    await poll(url);
    failures = 0;
  } catch {
    // Shown below; the next turn tries again.
    failures += 1;
  }
  isPolling = false;
  const offline = byId('offline');
  if (offline) offline.hidden = failures < 2;
  schedule(Math.min(INTERVAL * 2 ** failures, LONGEST));
}

function countDown(): void {
  const node = main.querySelector<HTMLElement>('[data-ends]');
  if (!node) return;
  const left = Math.max(0, Math.round((Date.parse(node.dataset['ends'] ?? '') - Date.now() - offset) / 1000));
  node.textContent = left ? `(${clock(left)} left)` : '(ended)';
  node.classList.toggle('soon', left < 300);
  const passed = (seconds: number): boolean =>
    left <= seconds && secondsBefore > seconds && secondsBefore !== Infinity;
  const ended = byId('ended');
  if (left === 0 && ended?.hidden) {
    ended.hidden = false;
    announce('This price has ended. You can ask for the current price.', true);
  } else if (passed(60)) announce('One minute left at this price.');
  else if (passed(300)) announce('Five minutes left at this price.');
  secondsBefore = left;
}

/** @param left seconds */
function clock(left: number): string {
  const two = (number: number): string => String(number).padStart(2, '0');
  const hours = Math.floor(left / 3600);
  return `${hours ? `${hours}:` : ''}${two(Math.floor(left / 60) % 60)}:${two(left % 60)}`;
}

function prepare(): void {
  offset = Date.parse(main.dataset['now'] ?? '') - Date.now();
  secondsBefore = Infinity;
  for (const button of main.querySelectorAll<HTMLElement>('[data-copy]')) button.hidden = false;
  countDown();
}

async function write(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // Browsers have no clipboard for pages without https, and may refuse it to frames.
    return writeBySelection(text);
  }
}

function writeBySelection(text: string): boolean {
  const area = document.createElement('textarea');
  area.value = text;
  area.readOnly = true;
  area.className = 'unseen';
  document.body.append(area);
  area.select();
  // Deprecated, and the only way there is.
  const isDone = document.execCommand('copy');
  area.remove();
  return isDone;
}

async function copy(button: HTMLElement): Promise<void> {
  const { copy: text = '', name = '' } = button.dataset;
  const isDone = await write(text);
  button.focus({ preventScroll: true });
  if (!isDone) {
    const value = byId(name);
    if (value) getSelection()?.selectAllChildren(value);
    announce(`Copying did not work. The ${name} is selected: copy it with your keyboard or menu.`);
    return;
  }
  const label = button.firstElementChild ?? button;
  label.textContent = 'Copied \u2713';
  button.classList.add('done');
  announce(`The ${name} was copied.`);
  setTimeout(() => {
    label.textContent = 'Copy';
    button.classList.remove('done');
  }, 2_000);
}

document.addEventListener('click', (event) => {
  const button = event.target instanceof Element && event.target.closest<HTMLElement>('[data-copy]');
  if (button) void copy(button);
});
// Timers sleep with the device; a customer who comes back wants to see the status now.
document.addEventListener('visibilitychange', () => {
  if (!document.hidden) schedule(0);
});
addEventListener('pageshow', (event) => {
  if (event.persisted) schedule(0);
});
addEventListener('online', () => schedule(0));
prepare();
setInterval(countDown, 1_000);
schedule(INTERVAL);
