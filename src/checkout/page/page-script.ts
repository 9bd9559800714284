/**
 * The page's own script: countdown, copy buttons, and a new `<main>` from the server whenever the payment's
 * status changes. It decides nothing; without it the page is complete and reloads by itself.
 *
 * Polls every 5 s (specification/events.md#polling), 304 while nothing changed; up to 60 s apart while the server does
 * not answer; never again after a terminal status, of which the server leaves out `data-poll`.
 */
export const SCRIPT = `
(() => {
  'use strict';
  const INTERVAL = 5000;
  const LONGEST = 60000;
  const TIMEOUT = 20000;
  const byId = (id) => document.getElementById(id);
  let main = document.querySelector('main');
  let etag = '';
  let failures = 0;
  let isAsking = false;
  let timer = 0;
  let offset = 0;
  let secondsBefore = Infinity;

  function say(text, isAlert) {
    const region = byId(isAlert ? 'alert' : 'status');
    region.textContent = '';
    setTimeout(() => { region.textContent = text; }, 100);
  }

  // The same words as live-state.ts on the server.
  function stateOf(payment) {
    const progress = payment.confirmations || {};
    const { seen = 0, required = 0, estimatedSecondsRemaining, delayed = false } = progress;
    const { status, receivedAmount, remainingAmount } = payment;
    const sums = [receivedAmount.atomic, remainingAmount.atomic];
    const unmatched = payment.unmatchedTransactions.map((transaction) => transaction.id);
    return [status, ...sums, seen, required, estimatedSecondsRemaining || 0, delayed, unmatched].join(' ');
  }

  async function ask(url, headers) {
    const options = { headers, cache: 'no-store', credentials: 'same-origin', redirect: 'error' };
    return fetch(url, { ...options, signal: AbortSignal.timeout(TIMEOUT) });
  }

  async function poll() {
    const response = await ask(main.dataset.poll, etag ? { 'If-None-Match': etag } : {});
    if (response.status === 304) return;
    // The link has expired, or the payment is gone: the page says it in words.
    if (response.status === 403 || response.status === 404) return renew();
    if (!response.ok) throw new Error(String(response.status));
    const { data } = await response.json();
    offset = Date.parse(data.serverTime) - Date.now();
    if (stateOf(data) !== main.dataset.state) await renew();
    // Last: what could not be shown is no old news yet.
    etag = response.headers.get('ETag') || '';
  }

  async function renew() {
    const response = await ask(location.href, { Accept: 'text/html' });
    // The rest of the page stays: its style would need this page's nonce.
    const [part] = /<main [^]*<\\/main>/.exec(await response.text()) || [''];
    const next = new DOMParser().parseFromString(part, 'text/html').querySelector('main');
    // What passes by waiting leaves the page as it is.
    if (!next || response.status >= 500 || response.status === 429) throw new Error(String(response.status));
    const isNew = next.dataset.screen !== main.dataset.screen;
    const focused = main.contains(document.activeElement) ? document.activeElement.id : '';
    const said = main.dataset.announcement;
    const isUnfolded = byId('with-amount')?.open;
    main.replaceWith(next);
    main = next;
    if (isUnfolded && byId('with-amount')) byId('with-amount').open = true;
    document.title = main.dataset.title;
    prepare();
    if (isNew) main.querySelector('h1').focus();
    else if (focused && byId(focused)) byId(focused).focus({ preventScroll: true });
    // A better estimate alone is nothing to interrupt anybody for.
    if (isNew || main.dataset.announcement !== said) say(main.dataset.announcement, 'alert' in main.dataset);
  }

  function schedule(delay) {
    clearTimeout(timer);
    if (main.dataset.poll) timer = setTimeout(turn, delay);
  }

  async function turn() {
    if (isAsking) return;
    isAsking = true;
    try {
      await poll();
      failures = 0;
    } catch (error) {
      failures += 1;
    }
    isAsking = false;
    byId('offline').hidden = failures < 2;
    schedule(Math.min(INTERVAL * 2 ** failures, LONGEST));
  }

  function countDown() {
    const node = main.querySelector('[data-ends]');
    if (!node) return;
    const left = Math.max(0, Math.round((Date.parse(node.dataset.ends) - Date.now() - offset) / 1000));
    const two = (number) => String(number).padStart(2, '0');
    const hours = Math.floor(left / 3600);
    const clock = (hours ? hours + ':' : '') + two(Math.floor(left / 60) % 60) + ':' + two(left % 60);
    node.textContent = left ? '(' + clock + ' left)' : '(ended)';
    node.classList.toggle('soon', left < 300);
    const passed = (seconds) => left <= seconds && secondsBefore > seconds && secondsBefore !== Infinity;
    if (left === 0 && byId('ended') && byId('ended').hidden) {
      byId('ended').hidden = false;
      say('This price has ended. You can ask for the current price.', true);
    } else if (passed(60)) say('One minute left at this price.');
    else if (passed(300)) say('Five minutes left at this price.');
    secondsBefore = left;
  }

  function prepare() {
    offset = Date.parse(main.dataset.now) - Date.now();
    secondsBefore = Infinity;
    for (const button of main.querySelectorAll('[data-copy]')) button.hidden = false;
    countDown();
  }

  async function write(text) {
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch (error) {
      return writeBySelection(text);
    }
  }

  // Browsers have no clipboard for pages without https, and may refuse it to frames.
  function writeBySelection(text) {
    const area = document.createElement('textarea');
    area.value = text;
    area.readOnly = true;
    area.className = 'unseen';
    document.body.append(area);
    area.select();
    const isDone = document.execCommand('copy');
    area.remove();
    return isDone;
  }

  async function copy(button) {
    const { copy: text, name } = button.dataset;
    const isDone = await write(text);
    button.focus({ preventScroll: true });
    if (!isDone) {
      getSelection().selectAllChildren(byId(name));
      say('Copying did not work. The ' + name + ' is selected: copy it with your keyboard or menu.');
      return;
    }
    const label = button.firstElementChild;
    label.textContent = 'Copied \\u2713';
    button.classList.add('done');
    say('The ' + name + ' was copied.');
    setTimeout(() => { label.textContent = 'Copy'; button.classList.remove('done'); }, 2000);
  }

  document.addEventListener('click', (event) => {
    const button = event.target.closest('[data-copy]');
    if (button) copy(button);
  });
  // Timers sleep with the device; whoever comes back wants to know now.
  document.addEventListener('visibilitychange', () => { if (!document.hidden) schedule(0); });
  addEventListener('pageshow', (event) => { if (event.persisted) schedule(0); });
  addEventListener('online', () => schedule(0));
  prepare();
  setInterval(countDown, 1000);
  schedule(INTERVAL);
})();
`;
