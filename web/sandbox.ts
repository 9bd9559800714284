/*
 * The pages of the demo shop, in the development profile only: renews the part that changes, sends its buttons without
 * leaving the page, and copies code. Without it, the pages work by reloading.
 */

/** Milliseconds between two questions. */
const POLL = 1_000;

let etag = '';
let isAsking = false;
let isAskedAgain = false;

function live(): HTMLElement | null {
  return document.getElementById('live');
}

/** The text of each line that is news, for screen readers. */
function newsOf(part: Element): string[] {
  return [...part.querySelectorAll<HTMLElement>('[data-news]')].map(({ dataset }) => dataset['news'] ?? '');
}

function announce(texts: string[]): void {
  const news = document.getElementById('news');
  if (news && texts.length > 0) news.textContent = texts.join(' ');
}

/** Which button has the focus, as a selector that holds after the part was replaced. */
function focusedForm(part: Element): string | null {
  const form = document.activeElement?.closest('form');
  return form && part.contains(form) ? `form[action="${form.getAttribute('action') ?? ''}"] button` : null;
}

async function ask(): Promise<void> {
  const part = live();
  const source = part?.dataset['source'];
  if (!part || source === undefined) return;
  if (isAsking) {
    isAskedAgain = true;
    return;
  }
  isAsking = true;
  try {
    const answer = await fetch(source, { headers: { 'If-None-Match': etag }, cache: 'no-store' });
    if (answer.status === 200) {
      etag = answer.headers.get('ETag') ?? '';
      replace(part, await answer.text());
    }
  } finally {
    isAsking = false;
  }
  if (isAskedAgain) {
    isAskedAgain = false;
    await ask();
  }
}

function replace(part: HTMLElement, html: string): void {
  const known = newsOf(part);
  const focused = focusedForm(part);
  part.replaceChildren(...new DOMParser().parseFromString(html, 'text/html').body.childNodes);
  if (focused !== null) part.querySelector<HTMLElement>(focused)?.focus();
  announce(newsOf(part).filter((text) => !known.includes(text)));
}

/** The server is stopped or busy: the next question is the answer to that. */
function askQuietly(): void {
  ask().catch(() => undefined);
}

async function press(form: HTMLFormElement): Promise<void> {
  const buttons = live()?.querySelectorAll('button') ?? [];
  // Not disabled: that would take the focus away.
  for (const button of buttons) button.setAttribute('aria-disabled', 'true');
  const fields = new URLSearchParams();
  for (const [name, value] of new FormData(form)) if (typeof value === 'string') fields.set(name, value);
  try {
    await fetch(form.action, { method: 'POST', body: fields, redirect: 'manual' });
  } finally {
    etag = '';
    askQuietly();
  }
}

document.addEventListener('submit', (event) => {
  const form = event.target;
  if (!(form instanceof HTMLFormElement) || !live()?.contains(form)) return;
  event.preventDefault();
  if (form.querySelector('[aria-disabled]')) return;
  press(form).catch(() => undefined);
});

for (const button of document.querySelectorAll<HTMLButtonElement>('[data-copy]')) {
  button.hidden = false;
  button.addEventListener('click', () => {
    const text = document.getElementById(button.dataset['copy'] ?? '')?.textContent ?? '';
    navigator.clipboard
      .writeText(text)
      .then(() => announce([(button.textContent = button.dataset['done'] ?? '')]))
      .catch(() => announce(['Not copied: please select the text.']));
  });
}

if (live()) setInterval(() => document.hidden || askQuietly(), POLL);
