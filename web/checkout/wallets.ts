import { type AnnouncedWallet, nameOf, onAnnouncedWallet } from '../shared/announced-wallets.js';
import { announce } from './announce.js';
import { byId, currentMain } from './dom.js';
import { exactAmount, withUnit } from './holdings.js';
import { sendByTron, type TronProvider, tronReasonOf } from './tron-provider.js';
import { offerWalletApps } from './wallet-apps.js';
import { offerChecks } from './wallet-check.js';
import {
  type AddableNetwork,
  type Asking,
  type Provider,
  reasonOf,
  sendBy,
  Shortfall,
} from './wallet-provider.js';

/*
 * Wallets of the browser (EIP-6963, TIP-1193): a button for each, which asks the wallet to send exactly what the server
 * wrote into `#wallets`. What a wallet answers is a hint; the payment is what the gateway sees on the chain.
 */

interface Wallet extends Pick<AnnouncedWallet, 'info'> {
  family: 'evm' | 'tron';
  /** Null: it is not asked what it could pay. */
  provider: Provider | null;
  /** What the box asks for. @throws Error of which {@link reasonOf} tells the sentence */
  send(box: HTMLElement, asking: Asking): Promise<string>;
  reasonOf(error: unknown): string;
}

/** Milliseconds without an answer, after which the wallet may be asked once more: its window may have been closed. */
const PATIENCE = 20_000;
/** Milliseconds for wallets to announce themselves, before an old one is looked for. */
const ANNOUNCING = 300;
const STORED = 'gateway-wallet-sent';
/** In place of what EIP-6963 names a wallet by. */
const TRON = 'tron';

const wallets = new Map<string, Wallet>();
/** The customer was told what this account of this wallet lacks for this transaction, and may send all the same. */
let warned: { key: string; uuid: string; account: string } | null = null;

/** What a wallet was asked to pay, by everything that the transaction says. */
interface Asked {
  words: string;
  /** Empty: nothing was sent yet. */
  hash: string;
  /** A new `<main>`, or a page that is loaded anew, must not offer it again. */
  isBusy: boolean;
  /** The gateway knows of it. */
  isReported: boolean;
}
const asked = new Map<string, Asked>(restored());

const keyOf = ({ dataset: { chain, to, amount, contract } }: HTMLElement): string =>
  [chain, to, amount, contract].join(' ');

export function findWallets(): void {
  onAnnouncedWallet((wallet) => {
    wallets.set(wallet.info.uuid, evmWallet(wallet));
    // It was late, and is the one in the window.
    wallets.delete('');
    offerWallets();
  });
  setTimeout(findOldWallet, ANNOUNCING);
  findTronWallet();
  // It may be late, as on phones.
  addEventListener('tronLink#initialized', findTronWallet);
  setTimeout(findTronWallet, ANNOUNCING);
}

function evmWallet({ info, provider }: AnnouncedWallet): Wallet {
  return {
    info,
    family: 'evm',
    provider,
    send: ({ dataset: { chain = '', to = '', amount = '', contract } }, asking) => {
      const wanted = { chain, to, amount, ...(contract !== undefined && { contract }) };
      return sendBy(provider, wanted, networkOfMain<AddableNetwork>(), asking);
    },
    reasonOf,
  };
}

/** What the server wrote about the network of the payment, where it has something to say. */
function networkOfMain<T>(): T | null {
  return JSON.parse(currentMain().dataset['network'] ?? 'null') as T | null;
}

/** The one that TIP-1193 names, or that of TronLink before it. */
function tronProvider(): TronProvider | null {
  const { tron, tronLink, tronWeb } = globalThis as {
    tron?: TronProvider;
    tronLink?: TronProvider;
    tronWeb?: TronProvider['tronWeb'];
  };
  if (tron && typeof tron.request === 'function') return tron;
  const web = tronLink?.tronWeb || tronWeb;
  if (tronLink && typeof tronLink.request === 'function')
    return {
      request: (call) => tronLink.request?.(call) ?? Promise.resolve(null),
      ...(web && { tronWeb: web }),
      isTronLink: true,
    };
  return web ? { tronWeb: web } : null;
}

function findTronWallet(): void {
  const found = tronProvider();
  if (!found || wallets.has(TRON)) return;
  const name = found.isTronLink === true ? 'TronLink' : 'Tron Wallet';
  wallets.set(TRON, {
    info: { uuid: TRON, name, icon: '' },
    family: 'tron',
    provider: null,
    send: ({ dataset: { to = '', amount = '', contract } }, asking) => {
      const { genesis = '' } = networkOfMain<{ genesis?: string }>() ?? {};
      const wanted = { to, amount, genesis, ...(contract !== undefined && { contract }) };
      return sendByTron(tronProvider, wanted, asking);
    },
    reasonOf: tronReasonOf,
  });
  offerWallets();
}

function walletsOf(family: string | undefined): Wallet[] {
  return [...wallets.values()].filter((wallet) => wallet.family === (family ?? 'evm'));
}

/** Browsers of older wallets put their provider into the window, without a name. */
function findOldWallet(): void {
  const { ethereum } = globalThis as { ethereum?: Partial<Provider> & Record<string, unknown> };
  if (walletsOf('evm').length > 0 || typeof ethereum?.request !== 'function') return;
  const names: Readonly<Record<string, string>> = {
    isTrust: 'Trust Wallet',
    isTrustWallet: 'Trust Wallet',
    isCoinbaseWallet: 'Coinbase Wallet',
    isOkxWallet: 'OKX Wallet',
    isBitKeep: 'Bitget Wallet',
    isTokenPocket: 'TokenPocket',
    isImToken: 'imToken',
    // Others say this as well, so as to be taken for it.
    isMetaMask: 'MetaMask',
  };
  const [, name] = Object.entries(names).find(([flag]) => ethereum[flag] === true) ?? ['', 'Wallet'];
  const provider = ethereum as Provider;
  wallets.set('', evmWallet({ info: { uuid: '', name, icon: '' }, provider }));
  offerWallets();
}

/** Whatever an extension announces. */
/** Fills `#wallets` of the current page, and offers the ways into wallets outside of this browser. */
export function offerWallets(): void {
  offerWalletApps((family) => walletsOf(family).length > 0);
  offerChecks(walletsOf('evm'));
  const box = byId('wallets');
  if (!box || box.querySelector(':disabled')) return;
  // What the gateway has looked for in vain, or what pays nothing here, may be paid again.
  const unpaid = currentMain().dataset['unpaid']?.split(' ') ?? [];
  for (const [key, { hash }] of asked) if (unpaid.includes(hash.toLowerCase())) asked.delete(key);
  const sent = asked.get(keyOf(box));
  if (sent && sent.hash !== '' && !sent.isReported) void report(box, sent);
  // Where the wallet has sent before, also in a browser in which it is not there (any more).
  const offered = walletsOf(box.dataset['family']);
  if (offered.length === 0 && !sent) return;
  const buttons = offered.map((wallet, at) => buttonOf(box, wallet, at === 0));
  box.replaceChildren(...buttons, document.createElement('p'));
  box.hidden = false;
  // The link is for wallets outside of the browser, and second now.
  byId('wallet')?.classList.add('plain');
  showAsked(box);
}

/** Another window or device has sent what pays this, and no block has it yet: asking a wallet now would pay it twice. */
const isOnItsWay = (): boolean => currentMain().dataset['onItsWay'] !== undefined;

function buttonOf(box: HTMLElement, wallet: Wallet, isFirst: boolean): HTMLButtonElement {
  const { icon } = wallet.info;
  const button = document.createElement('button');
  button.type = 'button';
  button.className = isFirst ? 'button' : 'button plain';
  if (icon.startsWith('data:image/')) {
    const image = document.createElement('img');
    image.src = icon;
    image.alt = '';
    button.append(image);
  }
  button.append(sentence(box, labelOf(box, wallet), nameOf(wallet)));
  button.addEventListener('click', () => void payWith(box, wallet));
  return button;
}

function labelOf(box: HTMLElement, { info }: Wallet): 'pay' | 'anyway' {
  return warned?.key === keyOf(box) && warned.uuid === info.uuid ? 'anyway' : 'pay';
}

function sentence(box: HTMLElement, name: string, wallet: string, held = ''): string {
  return (box.getAttribute(`data-text-${name}`) ?? '')
    .replaceAll('{wallet}', () => wallet)
    .replaceAll('{held}', () => held);
}

function amountOf({ dataset: { decimals = '0', code = '' } }: HTMLElement, held: bigint): string {
  return withUnit(exactAmount(held, Number(decimals), document.documentElement.lang), code);
}

async function payWith(box: HTMLElement, wallet: Wallet): Promise<void> {
  const { info } = wallet;
  const key = keyOf(box);
  // The one of this moment, if it asks for the same.
  const current = (): HTMLElement => {
    const shown = byId('wallets');
    return shown && keyOf(shown) === key ? shown : box;
  };
  // A wallet that was silent may have been asked twice: what it sent stays, whatever it answers to the other request.
  const hasSent = (): boolean => (asked.get(key)?.hash ?? '') !== '';
  const say = (name: string, isBusy: boolean, hash = '', held: bigint | null = null): void => {
    const shownHeld = held === null ? '' : amountOf(box, held);
    const words = sentence(box, name, nameOf(wallet), shownHeld);
    speak(words, isBusy, hash);
  };
  const speak = (words: string, isBusy: boolean, hash = ''): void => {
    asked.set(key, { words, hash, isBusy, isReported: false });
    showAsked(current());
    announce(words);
  };
  say('confirm', true);
  const timer = setTimeout(() => hasSent() || say('silent', false), PATIENCE);
  const accepted = warned?.key === key && warned.uuid === info.uuid ? warned.account : '';
  const asking: Asking = {
    isWanted: () => {
      const shown = byId('wallets');
      return shown !== null && keyOf(shown) === key && !isOnItsWay() && !hasSent();
    },
    // Another account than the one that the customer was told of is looked at anew.
    accepts: (account) => account.toLowerCase() === accepted.toLowerCase() && accepted !== '',
    tellHeld: (held) => {
      const name = nameOf(wallet);
      speak(`${sentence(box, 'holds', name, amountOf(box, held))} ${sentence(box, 'confirm', name)}`, true);
    },
  };
  try {
    const hash = await wallet.send(box, asking);
    warned = null;
    say('sent', true, hash);
    store();
    const sent = asked.get(key);
    if (sent && hash !== '') await report(box, sent);
  } catch (error) {
    if (hasSent()) return;
    const isShort = error instanceof Shortfall;
    if (isShort) warned = { key, uuid: info.uuid, account: error.account };
    say(wallet.reasonOf(error), false, '', isShort ? error.held : null);
    if (isShort) offerWallets();
    else asked.delete(key);
  } finally {
    clearTimeout(timer);
  }
}

/** Tells the gateway at once, so that other windows and devices show it, too; tried again with each renewal of the page. */
async function report({ dataset }: HTMLElement, sent: Asked): Promise<void> {
  const { payment = '' } = currentMain().dataset;
  sent.isReported = true;
  const answer = await fetch(`${payment}/transaction${location.search}`, {
    method: 'POST',
    body: new URLSearchParams({ txHash: sent.hash, provider: dataset['provider'] ?? '' }),
    redirect: 'manual',
    credentials: 'same-origin',
    keepalive: true,
  }).catch(() => null);
  // A redirection that is not followed has no status.
  sent.isReported = answer !== null && answer.type === 'opaqueredirect';
  store();
  if (sent.isReported) dispatchEvent(new Event('reported'));
}

function showAsked(box: HTMLElement): void {
  const { words = '', hash = '', isBusy = false } = asked.get(keyOf(box)) ?? {};
  for (const button of box.querySelectorAll('button')) button.disabled = isBusy || isOnItsWay();
  const line = box.querySelector('p');
  if (!line) return;
  line.textContent = words;
  if (hash === '') return;
  const code = document.createElement('code');
  code.className = 'small';
  code.dir = 'ltr';
  code.textContent = hash;
  line.append(' ', code);
}

/** What was sent by this tab; frames of a shop may keep nothing, where the gateway's own notice of the report remains. */
function store(): void {
  const sent = [...asked].filter(([, { hash }]) => hash !== '');
  try {
    sessionStorage.setItem(STORED, JSON.stringify(sent));
  } catch {
    // Kept by this page alone.
    return;
  }
}

function restored(): [string, Asked][] {
  try {
    return JSON.parse(sessionStorage.getItem(STORED) ?? '[]') as [string, Asked][];
  } catch {
    return [];
  }
}
