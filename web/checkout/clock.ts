import { announce } from './announce.js';
import { byId, currentMain } from './dom.js';
import { text } from './texts.js';
import { showAges } from './times.js';

/** Seconds before the end at which it is said, with the names of the sentences. */
const REMINDERS: readonly [seconds: number, sentence: string][] = [
  [60, 'said-one-minute'],
  [300, 'said-five-minutes'],
];
/** Seconds before the end from which the clock is emphasized. */
const SOON = 300;

/** Milliseconds that the server's clock is ahead of this one, which may be hours off. */
let offset = 0;
let secondsBefore = Infinity;

/** Starts over with a new `<main>`: it says what time it is at the server. */
export function setClock(): void {
  offset = Date.parse(currentMain().dataset['now'] ?? '') - Date.now();
  secondsBefore = Infinity;
  tick();
}

export function startClock(): void {
  setInterval(tick, 1_000);
}

/** Counts down in the element `[data-ends]`. */
function tick(): void {
  const main = currentMain();
  showAges(Date.now() + offset);
  const counter = main.querySelector<HTMLElement>('[data-ends]');
  if (!counter) return;
  const ends = Date.parse(counter.dataset['ends'] ?? '');
  const left = Math.max(0, Math.round((ends - Date.now() - offset) / 1000));
  if (left === 0) return 'rest' in counter.dataset ? endOfRest(counter) : end(main, counter);
  counter.textContent = text('time-left', { time: digits(left) });
  counter.classList.toggle('soon', left < SOON);
  const passed = REMINDERS.find(([seconds]) => left <= seconds && secondsBefore > seconds);
  // A page that was opened with less time left says nothing.
  if (passed && secondsBefore !== Infinity) announce(text(passed[1]));
  secondsBefore = left;
}

/** What is missing can still be paid: only the clock goes, and it is said at which rate. */
function endOfRest(counter: HTMLElement): void {
  const ended = byId('ended');
  if (ended) ended.hidden = false;
  counter.remove();
  announce(text('said-ended'));
}

/** Makes the screen the one that the server shows for an ended price or link: its bar, title and name, too. */
function end(main: HTMLElement, counter: HTMLElement): void {
  // Nothing must be paid any more: address, codes, links and buttons are gone.
  byId('payable')?.remove();
  const ended = byId('ended');
  if (ended) ended.hidden = false;
  const bar = counter.closest('.bar');
  if (bar) bar.className = 'bar warn';
  bar?.querySelector('strong')?.replaceChildren(ended?.querySelector('strong')?.textContent ?? '');
  counter.remove();
  const { endedTitle = document.title } = main.dataset;
  main.dataset['screen'] = main.dataset['endedScreen'];
  // Said once, also if the server's own screen comes with the same words.
  main.dataset['announcement'] = text('said-ended');
  main.dataset['title'] = endedTitle;
  document.title = endedTitle;
  announce(text('said-ended'), true);
}

/**
 * In Arabic and Persian, 14:59 reads as a time of day: there each number has its unit.
 * @param left seconds
 */
function digits(left: number): string {
  const { lang } = document.documentElement;
  if (/^(ar|fa)/.test(lang)) return spelled(left, lang);
  const two = (number: number): string => String(number).padStart(2, '0');
  const hours = Math.floor(left / 3600);
  return `${hours ? `${hours}:` : ''}${two(Math.floor(left / 60) % 60)}:${two(left % 60)}`;
}

function spelled(left: number, lang: string): string {
  const parts = { hour: Math.floor(left / 3600), minute: Math.floor(left / 60) % 60, second: left % 60 };
  return Object.entries(parts)
    .filter(([unit, number]) => number > 0 || unit === 'second')
    .map(([unit, number]) =>
      new Intl.NumberFormat(`${lang}-u-nu-latn`, { style: 'unit', unit, unitDisplay: 'short' }).format(
        number,
      ),
    )
    .join(' ');
}
