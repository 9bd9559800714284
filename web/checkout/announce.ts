import { byId } from './dom.js';

/** Milliseconds after which a region is filled: screen readers notice a change, not a text that was there before. */
const PAUSE = 100;

/** Says something to people who use a screen reader. @param isAlert at once, in the middle of a sentence */
export function announce(words: string, isAlert = false): void {
  const region = byId(isAlert ? 'alert' : 'status');
  if (!region) return;
  // Whoever reads the page later must not find what has been overtaken: one of both speaks.
  for (const id of ['alert', 'status']) byId(id)?.replaceChildren();
  setTimeout(() => {
    region.textContent = words;
  }, PAUSE);
}
