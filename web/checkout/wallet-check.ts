import { nameOf } from '../shared/announced-wallets.js';
import { announce } from './announce.js';
import { byId, currentMain } from './dom.js';
import { exactAmount, type Holdings, lackOf, withUnit } from './holdings.js';
import { chainOf, connect, holdingsOf, type Provider, reasonOf } from './wallet-provider.js';

/*
 * "See what my wallet can pay" on the lists of coins and networks. The wallet is asked by its own node, after a tap, and
 * for the network that it is on: to look at others it would have to switch, with a window for each. Nothing is kept, and
 * nothing is sent to the gateway.
 */

/** What the server wrote into `#wallet-check` (src/checkout/page/wallet-check.ts); the amount is an estimate. */
interface Offer {
  provider: string;
  method: string;
  /** Hexadecimal, as the amount. */
  chain: string;
  amount: string;
  contract?: string;
  decimals: number;
  code: string;
  network: string;
}

/** What a wallet said of each offer, and of all of them, while this page is open: another `<main>` shows it, too. */
const known = new Map<string, Pick<Holdings, 'held' | 'coin' | 'isToken'>>();
let said = '';

interface Checked {
  info: { name: string };
  provider: Provider | null;
}

export function offerChecks(wallets: readonly Checked[]): void {
  const box = byId('wallet-check');
  if (!box || wallets.length === 0 || box.querySelector(':disabled')) return;
  const line = box.querySelector('p') ?? document.createElement('p');
  line.textContent = said;
  const buttons = wallets.map((wallet) => buttonOf(box, wallet));
  box.replaceChildren(...buttons, line);
  box.hidden = false;
  showMarks(box);
}

function showMarks(box: HTMLElement): void {
  for (const mark of currentMain().querySelectorAll('.wallet-mark')) mark.remove();
  for (const offer of offersOf(box)) markOffer(box, offer);
}

function offersOf(box: HTMLElement): Offer[] {
  return JSON.parse(box.dataset['offers'] ?? '[]') as Offer[];
}

const keyOf = ({ provider, method }: Offer): string => `${provider}/${method}`;

function buttonOf(box: HTMLElement, { info, provider }: Checked): HTMLButtonElement {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'button plain';
  button.append(words(box, 'check', { wallet: nameOf({ info }) }));
  button.addEventListener('click', () => provider && void check(box, nameOf({ info }), provider));
  return button;
}

function words(box: HTMLElement, name: string, values: Readonly<Record<string, string>>): string {
  const text = box.getAttribute(`data-text-${name}`) ?? '';
  return text.replace(/\{(\w+)\}/g, (placeholder, key: string) => values[key] ?? placeholder);
}

async function check(box: HTMLElement, wallet: string, provider: Provider): Promise<void> {
  const buttons = [...box.querySelectorAll('button')];
  const say = (text: string): void => {
    said = text;
    const line = byId('wallet-check')?.querySelector('p');
    if (line) line.textContent = text;
    announce(text);
  };
  for (const button of buttons) button.disabled = true;
  try {
    const account = await connect(provider);
    const chain = await chainOf(provider);
    const here = offersOf(box).filter((offer) => BigInt(offer.chain) === chain);
    const [first] = here;
    known.clear();
    for (const offer of here) known.set(keyOf(offer), await holdingsOf(provider, account, offer));
    // The one of this moment: the page may have renewed itself.
    showMarks(byId('wallet-check') ?? box);
    say(
      first ? words(box, 'checked', { wallet, network: first.network }) : words(box, 'elsewhere', { wallet }),
    );
  } catch (error) {
    say(words(box, reasonOf(error), { wallet }));
  } finally {
    for (const button of byId('wallet-check')?.querySelectorAll('button') ?? buttons) button.disabled = false;
  }
}

function markOffer(box: HTMLElement, offer: Offer): void {
  const holdings = known.get(keyOf(offer));
  if (!holdings || holdings.held === null) return;
  const lack = lackOf({ ...holdings, due: BigInt(offer.amount) });
  const amount = exactAmount(holdings.held, offer.decimals, document.documentElement.lang);
  const values = { held: withUnit(amount, offer.code), network: offer.network };
  const name = lack === null ? 'can' : lack === 'short' ? 'cannot' : 'no-fee';
  for (const row of rowsOf(offer)) {
    const mark = document.createElement('span');
    mark.className = 'soft wallet-mark';
    mark.dataset['can'] = String(lack === null);
    mark.textContent = `${lack === null ? '✓ ' : ''}${words(box, name, values)}`;
    row.append(mark);
  }
}

/** Where a method is chosen: the button of its form, and the row of its coin, below which the button may be folded. */
function rowsOf({ provider, method }: Offer): Element[] {
  const forms = [...currentMain().querySelectorAll<HTMLFormElement>('form.choose')].filter(
    ({ elements }) => valueOf(elements, 'provider') === provider && valueOf(elements, 'method') === method,
  );
  return forms
    .flatMap((form) => [
      form.querySelector('.choice'),
      form.closest('details.coin')?.querySelector('summary'),
    ])
    .flatMap((row) => (row ? [row.querySelector('.what') ?? row] : []));
}

function valueOf(elements: HTMLFormControlsCollection, name: string): string | null {
  const field = elements.namedItem(name);
  return field instanceof HTMLInputElement ? field.value : null;
}
