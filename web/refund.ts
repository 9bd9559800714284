import { type AnnouncedWallet, nameOf, onAnnouncedWallet } from './shared/announced-wallets.js';
import { connect } from './checkout/wallet-provider.js';

/**
 * The refund page's script: offers the address of a wallet of the browser, which the customer still checks; polls the refund every 10 s, counts confirmations in place, and loads the page again when
 * its status changed. It decides nothing; without it the page reloads by itself.
 */

type Refund = import('../sdk/src/api-types.js').RefundClaim;

/** Milliseconds. */
const INTERVAL = 10_000;
const LONGEST = 60_000;
const TIMEOUT = 20_000;

const { poll, state } = document.querySelector('main')?.dataset ?? {};
let failures = 0;

async function refresh(url: string): Promise<void> {
  const response = await fetch(url, {
    cache: 'no-store',
    credentials: 'same-origin',
    redirect: 'error',
    signal: AbortSignal.timeout(TIMEOUT),
  });
  // The link has expired: the page says so.
  if (response.status === 403 || response.status === 404) return location.reload();
  if (!response.ok) throw new Error(String(response.status));
  const { data } = (await response.json()) as { data: Refund };
  if (data.status !== state) return location.reload();
  const seen = document.getElementById('seen');
  if (seen) seen.textContent = String(Math.min(data.confirmations.seen, data.confirmations.required));
}

async function turn(url: string): Promise<void> {
  try {
    await refresh(url);
    failures = 0;
  } catch {
    // Shown below; the next turn tries again.
    failures += 1;
  }
  const offline = document.getElementById('offline');
  if (offline) offline.hidden = failures < 2;
  schedule(url, Math.min(INTERVAL * 2 ** failures, LONGEST));
}

function schedule(url: string, delay: number): void {
  setTimeout(() => void turn(url), delay);
}

// The field has several lines so that a phone shows a whole address; an address has none.
document.getElementById('address')?.addEventListener('keydown', (event) => {
  if (event.key !== 'Enter' || event.isComposing || !(event.target instanceof HTMLTextAreaElement)) return;
  event.preventDefault();
  event.target.form?.requestSubmit();
});

/** Where the customer's own wallet is in the browser, nothing has to be copied. */
function offer(box: HTMLElement, wallet: AnnouncedWallet): void {
  const words = (text = ''): string => text.replaceAll('{wallet}', () => nameOf(wallet));
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'button plain';
  button.textContent = words(box.dataset['use']);
  const note = box.querySelector('p');
  button.addEventListener('click', () => {
    if (note) note.textContent = '';
    connect(wallet.provider)
      .then(enter)
      .catch(() => {
        if (note) note.textContent = words(box.dataset['silent']);
      });
  });
  box.insertBefore(button, note);
  box.hidden = false;
}

function enter(address: string): void {
  const field = document.getElementById('address');
  if (!(field instanceof HTMLTextAreaElement)) return;
  field.value = address;
  field.focus();
}

const wallets = document.getElementById('wallets');
if (wallets) onAnnouncedWallet((wallet) => offer(wallets, wallet));

if (poll) schedule(poll, INTERVAL);
