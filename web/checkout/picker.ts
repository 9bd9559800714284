import { currentMain } from './dom.js';

/**
 * Gives the list of coins its own address, so that Back leads to it after the choice; and goes on by itself where there is
 * one way to pay. Only once the page is seen: previews and pages loaded in advance choose nothing.
 */
export function startPicker(): void {
  const { address } = currentMain().dataset;
  if (address !== undefined) history.replaceState(history.state, '', address);
  if (document.hidden) document.addEventListener('visibilitychange', goOn, { once: true });
  else goOn();
}

function goOn(): void {
  const main = currentMain();
  if ('continue' in main.dataset) main.querySelector<HTMLFormElement>('form.choose')?.requestSubmit();
}
