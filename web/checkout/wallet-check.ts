import { announce } from './announce.js';
import { byId, currentMain } from './dom.js';
import { exactAmount, lackOf, withUnit } from './holdings.js';
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

interface Checked {
  info: { name: string };
  provider: Provider | null;
}

export function offerChecks(wallets: readonly Checked[]): void {
  const box = byId('wallet-check');
  if (!box || wallets.length === 0 || box.querySelector(':disabled')) return;
  const line = box.querySelector('p') ?? document.createElement('p');
  const buttons = wallets.map((wallet) => buttonOf(box, wallet));
  box.replaceChildren(...buttons, line);
  box.hidden = false;
}

function buttonOf(box: HTMLElement, { info, provider }: Checked): HTMLButtonElement {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'button plain';
  button.append(words(box, 'check', { wallet: info.name.slice(0, 40) }));
  button.addEventListener('click', () => provider && void check(box, info.name.slice(0, 40), provider));
  return button;
}

function words(box: HTMLElement, name: string, values: Readonly<Record<string, string>>): string {
  const text = box.getAttribute(`data-text-${name}`) ?? '';
  return text.replace(/\{(\w+)\}/g, (placeholder, key: string) => values[key] ?? placeholder);
}

async function check(box: HTMLElement, wallet: string, provider: Provider): Promise<void> {
  const buttons = [...box.querySelectorAll('button')];
  const say = (text: string): void => {
    const line = box.querySelector('p');
    if (line) line.textContent = text;
    announce(text);
  };
  for (const button of buttons) button.disabled = true;
  try {
    const account = await connect(provider);
    const chain = await chainOf(provider);
    const offers = JSON.parse(box.dataset['offers'] ?? '[]') as Offer[];
    const here = offers.filter((offer) => BigInt(offer.chain) === chain);
    const [first] = here;
    for (const mark of currentMain().querySelectorAll('.wallet-mark')) mark.remove();
    await Promise.all(here.map((offer) => markOffer(box, provider, account, offer)));
    say(
      first ? words(box, 'checked', { wallet, network: first.network }) : words(box, 'elsewhere', { wallet }),
    );
  } catch (error) {
    say(words(box, reasonOf(error), { wallet }));
  } finally {
    for (const button of buttons) button.disabled = false;
  }
}

async function markOffer(box: HTMLElement, provider: Provider, account: string, offer: Offer): Promise<void> {
  const holdings = await holdingsOf(provider, account, offer);
  if (holdings.held === null) return;
  const lack = lackOf(holdings);
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

/** Where a method is chosen: the button of its form, and the link of its coin, which leads to several networks. */
function rowsOf({ provider, method }: Offer): Element[] {
  const main = currentMain();
  const forms = [...main.querySelectorAll<HTMLFormElement>('form.choose')].filter(
    ({ elements }) => valueOf(elements, 'provider') === provider && valueOf(elements, 'method') === method,
  );
  const links = [...main.querySelectorAll<HTMLAnchorElement>('a.choice')].filter(
    ({ href }) => new URL(href).searchParams.get('method') === method,
  );
  return [...forms.map((form) => form.querySelector('.choice')), ...links].flatMap((choice) =>
    choice ? [choice.querySelector('.what') ?? choice] : [],
  );
}

function valueOf(elements: HTMLFormControlsCollection, name: string): string | null {
  const field = elements.namedItem(name);
  return field instanceof HTMLInputElement ? field.value : null;
}
