import { announce } from './announce.js';
import { byId, currentMain } from './dom.js';
import { holdSlot, leaveSlot } from '../shared/stream-slot.js';
import { liveUrl, renewPart } from './part.js';

/*
 * Follows the payment. A stream of events (docs/specification/checkout.md, "Live page") says when there is something
 * new, and the new `<main>` is fetched. While there is no stream, the page asks every 5 s whether it has changed; up to
 * 60 s apart while the server does not answer. Never again after a final status, for which the server names no address.
 */

/** Milliseconds between two questions without a stream. */
const POLL = 5_000;
/** With a stream: a connection that was lost without a word is not noticed by the browser. */
const POLL_BESIDE_STREAM = 30_000;
/** The page is hidden, but its title should show the news. */
const POLL_HIDDEN = 15_000;
const LONGEST = 60_000;
/** Until the next attempt, after the server has refused a stream, or other windows had all that a browser opens. */
const RETRY_STREAM = 60_000;

let stream: EventSource | null = null;
let refusedAt = -Infinity;
let timer = 0;
let failures = 0;
let isAsking = false;
let mustAskAgain = false;

export function startFollowing(): void {
  // Timers sleep with the device; a customer who comes back wants to see the status now.
  document.addEventListener('visibilitychange', () => (document.hidden ? rest() : wake()));
  addEventListener('pageshow', (event) => {
    if (event.persisted) wake();
  });
  // Browsers keep no page with an open connection for the way back.
  addEventListener('pagehide', closeStream);
  addEventListener('online', wake);
  // Of wallets.ts: what it reported is looked for from now on.
  addEventListener('reported', wake);
  addEventListener('offline', () => showOffline(liveUrl('part') !== null));
  openStream();
  schedule();
}

/** Browsers open six connections to one server (HTTP/1.1): streams of hidden tabs would block the visible one. */
function rest(): void {
  closeStream();
  schedule();
}

function wake(): void {
  refusedAt = -Infinity;
  void ask();
}

function openStream(): void {
  const url = liveUrl('events');
  if (stream || url === null || document.hidden || performance.now() - refusedAt < RETRY_STREAM) return;
  stream = new EventSource(url);
  holdSlot(() => {
    closeStream();
    refusedAt = performance.now();
    schedule();
  });
  stream.addEventListener('open', schedule);
  stream.addEventListener('payment', (event) => {
    if (event instanceof MessageEvent && event.lastEventId !== currentMain().dataset['version']) void ask();
  });
  stream.addEventListener('error', () => {
    // After a connection that broke or ended, the browser tries again by itself.
    if (stream?.readyState !== EventSource.CLOSED) return schedule();
    closeStream();
    refusedAt = performance.now();
    // The answer says why: the payment has ended, or its page is not followed any more.
    void ask();
  });
}

function closeStream(): void {
  stream?.close();
  stream = null;
  leaveSlot();
}

/** Asks whether the page has changed, and shows the change. */
async function ask(): Promise<void> {
  if (isAsking) {
    mustAskAgain = true;
    return;
  }
  isAsking = true;
  do {
    mustAskAgain = false;
    await askOnce();
  } while (mustAskAgain);
  isAsking = false;
  if (liveUrl('events') === null) closeStream();
  // While the server does not answer, a stream would fail as well.
  else if (failures === 0) openStream();
  schedule();
}

async function askOnce(): Promise<void> {
  const url = liveUrl('part');
  if (url === null) return;
  let hasNews = false;
  try {
    hasNews = await renewPart(url);
    failures = 0;
  } catch {
    // Shown below; asked again later.
    failures += 1;
  }
  showOffline(failures >= 2, hasNews);
}

/** @param hasNews of the payment, which are said instead of the return of the connection */
function showOffline(isOffline: boolean, hasNews = false): void {
  const note = byId('offline');
  if (!note || note.hidden !== isOffline) return;
  note.hidden = !isOffline;
  if (isOffline) return announce(note.textContent, true);
  const alert = byId('alert');
  if (alert && alert.textContent === note.textContent) alert.textContent = '';
  if (!hasNews) announce(note.dataset['back'] ?? '');
}

function schedule(): void {
  clearTimeout(timer);
  if (liveUrl('part') !== null)
    timer = setTimeout(() => void ask(), Math.min(interval() * 2 ** failures, LONGEST));
}

function interval(): number {
  if (document.hidden) return POLL_HIDDEN;
  return stream?.readyState === EventSource.OPEN ? POLL_BESIDE_STREAM : POLL;
}
