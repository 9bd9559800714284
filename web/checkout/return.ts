import { byId } from './dom.js';

/** Milliseconds. */
const SECOND = 1_000;

let timer = 0;

/**
 * Goes back to the shop when the sentences that the page brought for each second are used up. Call it when the payment
 * was paid while the customer looked on, not when the page of a paid payment is opened: Back would not work there, and
 * who wants to read it could not. Any key, click or touch stops it, and it waits while the page is not visible.
 * @returns the first sentence, to be said; empty: this page does not return by itself
 */
export function startReturning(): string {
  clearInterval(timer);
  const sentences = JSON.parse(byId('return')?.dataset['texts'] ?? '[]') as string[];
  const [first = ''] = sentences;
  // In a frame only a click may leave the page.
  if (first === '' || window.top !== window) return '';
  const stopping = new AbortController();
  const stop = (): void => {
    clearInterval(timer);
    stopping.abort();
    show(null);
  };
  const tick = (): void => {
    const link = byId('back');
    // Another screen has taken its place.
    if (!byId('return') || !(link instanceof HTMLAnchorElement)) return stop();
    if (document.hidden) return;
    const sentence = sentences.shift();
    if (sentence !== undefined) return show(sentence);
    stop();
    location.assign(link.href);
  };
  for (const event of ['keydown', 'pointerdown', 'wheel'])
    addEventListener(event, stop, { signal: stopping.signal, passive: true });
  tick();
  timer = setInterval(tick, SECOND);
  return first;
}

/**
 * In the `<main>` of this moment: a new one may say that the shop knows by now.
 * @param sentence null: nothing, in the same space. What is below must not move while it is being clicked.
 */
function show(sentence: string | null): void {
  const [box, line] = [byId('return'), byId('returning')];
  if (!box || !line) return;
  box.classList.toggle('over', sentence === null);
  if (sentence === null) return;
  line.textContent = sentence;
  box.hidden = false;
}
