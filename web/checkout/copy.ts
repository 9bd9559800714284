import { announce } from './announce.js';
import { byId, currentMain } from './dom.js';
import { text } from './texts.js';

/** Milliseconds for which a button says that it has done its work. */
const SHOWN_FOR = 2_000;
/** Characters at the end of an address; the page emphasizes as many. */
const SHOWN_END = 4;

/**
 * Buttons with `data-copy` copy its text; `data-name` is the id of the element that shows it, and ends the names of the
 * sentences about it.
 */
export function startCopying(): void {
  document.addEventListener('click', (event) => {
    const button = event.target instanceof Element && event.target.closest<HTMLElement>('[data-copy]');
    if (button) void copy(button);
  });
}

/** They are hidden where no script runs. */
export function showCopyButtons(): void {
  for (const button of currentMain().querySelectorAll<HTMLElement>('[data-copy]')) button.hidden = false;
}

async function copy(button: HTMLElement): Promise<void> {
  const { copy: wanted = '', name = '' } = button.dataset;
  const isDone = await write(wanted);
  button.focus({ preventScroll: true });
  if (!isDone) {
    const value = byId(name);
    if (value) getSelection()?.selectAllChildren(value);
    announce(text(`said-not-copied-${name}`) || text('said-not-copied'));
    return;
  }
  // Programs that replace addresses in the clipboard are found out where it counts: after pasting.
  const proof = text(`said-copied-${name}`, { end: wanted.slice(-SHOWN_END), digits: wanted });
  announce(proof || text('said-copied'));
  if (proof) showProof(button, proof);
  if (!button.classList.contains('done')) showDone(button);
}

/** Stays below the button, because it is read after the customer has come back. Announced already. */
function showProof(button: HTMLElement, proof: string): void {
  const box = button.parentElement;
  if (!box) return;
  const shown = box.querySelector('.proof') ?? document.createElement('p');
  shown.className = 'proof soft';
  shown.textContent = proof;
  box.append(shown);
}

function showDone(button: HTMLElement): void {
  const label = button.firstElementChild ?? button;
  const before = label.textContent;
  label.textContent = text('copied');
  button.classList.add('done');
  setTimeout(() => {
    label.textContent = before;
    button.classList.remove('done');
  }, SHOWN_FOR);
}

async function write(wanted: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(wanted);
    return true;
  } catch {
    // Browsers have no clipboard for pages without https, and may refuse it to frames.
    return writeBySelection(wanted);
  }
}

function writeBySelection(wanted: string): boolean {
  const area = document.createElement('textarea');
  area.value = wanted;
  area.readOnly = true;
  area.className = 'unseen';
  document.body.append(area);
  area.select();
  // Deprecated, and the only way there is.
  const isDone = document.execCommand('copy');
  area.remove();
  return isDone;
}
