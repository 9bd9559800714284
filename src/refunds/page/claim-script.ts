/**
 * The refund page's own script: asks every 10 s how far the refund is, counts confirmations in place, and loads the
 * page again when there is something else to say. It decides nothing; without it the page reloads by itself.
 */
export const CLAIM_SCRIPT = `
(() => {
  'use strict';
  const INTERVAL = 10000;
  const LONGEST = 60000;
  const TIMEOUT = 20000;
  const { poll, state } = document.querySelector('main').dataset;
  let failures = 0;

  async function look() {
    const options = { cache: 'no-store', credentials: 'same-origin', redirect: 'error' };
    const response = await fetch(poll, { ...options, signal: AbortSignal.timeout(TIMEOUT) });
    // The link has expired: the page says it in words.
    if (response.status === 403 || response.status === 404) return location.reload();
    if (!response.ok) throw new Error(String(response.status));
    const { data } = await response.json();
    if (data.status !== state) return location.reload();
    const seen = document.getElementById('seen');
    if (seen) seen.textContent = Math.min(data.confirmations.seen, data.confirmations.required);
  }

  async function turn() {
    try {
      await look();
      failures = 0;
    } catch (error) {
      failures += 1;
    }
    document.getElementById('offline').hidden = failures < 2;
    setTimeout(turn, Math.min(INTERVAL * 2 ** failures, LONGEST));
  }

  if (poll) setTimeout(turn, INTERVAL);
})();
`;
