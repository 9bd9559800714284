import { announce } from './announce.js';
import { byId } from './dom.js';

/*
 * Wallets of the browser (EIP-6963): a button for each, which asks the wallet to send exactly what the server wrote into
 * `#wallets`. What a wallet answers is a hint; the payment is what the gateway sees on the chain.
 */

/** Of EIP-1193. */
interface Provider {
  request(call: { method: string; params?: unknown[] }): Promise<unknown>;
}

interface Wallet {
  info: { uuid: string; name: string; icon: string };
  provider: Provider;
}

/** EIP-1193: the user said no. */
const REJECTED = 4001;
/** EIP-3326: the wallet does not have the network. Adding it would take an RPC address, which must be the user's choice. */
const UNKNOWN_CHAIN = 4902;
/** Of `transfer(address,uint256)` (ERC-20). */
const TRANSFER = '0xa9059cbb';

const wallets = new Map<string, Wallet>();

/**
 * What a wallet was asked to pay, by everything that the transaction says. A new `<main>` must not offer it again while
 * the wallet is open, or once it has sent.
 */
const asked = new Map<string, { words: string; hash: string }>();

const keyOf = ({ dataset: { chain, to, amount, contract } }: HTMLElement): string =>
  [chain, to, amount, contract].join(' ');

/** A reason why a payment was not sent; the name of its sentence. */
class Refusal extends Error {}

export function findWallets(): void {
  addEventListener('eip6963:announceProvider', (event) => {
    const wallet: unknown = event instanceof CustomEvent ? event.detail : null;
    if (!isWallet(wallet) || wallets.has(wallet.info.uuid)) return;
    wallets.set(wallet.info.uuid, wallet);
    offerWallets();
  });
  dispatchEvent(new Event('eip6963:requestProvider'));
}

/** Whatever an extension announces. */
function isWallet(value: unknown): value is Wallet {
  const { info, provider } = (value ?? {}) as {
    info?: Partial<Wallet['info']>;
    provider?: Partial<Provider>;
  };
  return (
    typeof info?.uuid === 'string' &&
    typeof info.name === 'string' &&
    typeof info.icon === 'string' &&
    typeof provider?.request === 'function'
  );
}

/** Fills `#wallets` of the current page. */
export function offerWallets(): void {
  const box = byId('wallets');
  if (!box || wallets.size === 0 || box.querySelector(':disabled')) return;
  const buttons = [...wallets.values()].map((wallet, at) => buttonOf(box, wallet, at === 0));
  box.replaceChildren(...buttons, document.createElement('p'));
  box.hidden = false;
  // The link is for wallets outside of the browser, and second now.
  byId('wallet')?.classList.add('plain');
  if (asked.has(keyOf(box))) showAsked(box);
}

function buttonOf(box: HTMLElement, wallet: Wallet, isFirst: boolean): HTMLButtonElement {
  const { name, icon } = wallet.info;
  const button = document.createElement('button');
  button.type = 'button';
  button.className = isFirst ? 'button' : 'button plain';
  if (icon.startsWith('data:image/')) {
    const image = document.createElement('img');
    image.src = icon;
    image.alt = '';
    button.append(image);
  }
  button.append(sentence(box, 'pay', name.slice(0, 40)));
  button.addEventListener('click', () => void payWith(box, wallet));
  return button;
}

function sentence(box: HTMLElement, name: string, wallet: string): string {
  return (box.getAttribute(`data-text-${name}`) ?? '').replaceAll('{wallet}', () => wallet);
}

async function payWith(box: HTMLElement, { info, provider }: Wallet): Promise<void> {
  const key = keyOf(box);
  // The one of this moment, if it asks for the same.
  const current = (): HTMLElement => {
    const shown = byId('wallets');
    return shown && keyOf(shown) === key ? shown : box;
  };
  const say = (name: string, hash = ''): void => {
    const words = sentence(box, name, info.name.slice(0, 40));
    asked.set(key, { words, hash });
    showAsked(current());
    announce(words);
  };
  say('confirm');
  try {
    say('sent', await send(box, provider));
  } catch (error) {
    say(reasonOf(error));
    asked.delete(key);
    setBusy(current(), false);
  }
}

function showAsked(box: HTMLElement): void {
  const { words = '', hash = '' } = asked.get(keyOf(box)) ?? {};
  setBusy(box, true);
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

async function send(box: HTMLElement, provider: Provider): Promise<string> {
  const { chain = '', to = '', amount = '', contract } = box.dataset;
  const [from] = (await provider.request({ method: 'eth_requestAccounts' })) as string[];
  if (typeof from !== 'string') throw new Refusal('failed');
  await switchTo(provider, chain);
  // Gone, or another one: meanwhile the price has ended, or the payment was seen.
  const shown = byId('wallets');
  if (!shown || keyOf(shown) !== keyOf(box)) throw new Refusal('failed');
  const transaction =
    contract === undefined
      ? { from, to, value: amount }
      : { from, to: contract, value: '0x0', data: `${TRANSFER}${word(to)}${word(amount)}` };
  const params = [{ ...transaction, chainId: chain }];
  const hash = await provider.request({ method: 'eth_sendTransaction', params });
  return typeof hash === 'string' && /^0x[0-9a-f]{64}$/i.test(hash) ? hash : '';
}

async function switchTo(provider: Provider, chain: string): Promise<void> {
  const isThere = async (): Promise<boolean> =>
    BigInt(String(await provider.request({ method: 'eth_chainId' }))) === BigInt(chain);
  if (await isThere()) return;
  try {
    await provider.request({ method: 'wallet_switchEthereumChain', params: [{ chainId: chain }] });
  } catch (error) {
    const code = codeOf(error);
    if (code === REJECTED) throw new Refusal('chain');
    throw new Refusal(code === UNKNOWN_CHAIN ? 'unknown' : 'chain');
  }
  if (!(await isThere())) throw new Refusal('chain');
}

/** 32 bytes of call data. @param hex an address or a number */
function word(hex: string): string {
  return BigInt(hex).toString(16).padStart(64, '0');
}

function codeOf(error: unknown): number {
  const { code, data } = (error ?? {}) as { code?: unknown; data?: { originalError?: { code?: unknown } } };
  // Some wallets wrap the error of the network.
  return Number(data?.originalError?.code ?? code);
}

function reasonOf(error: unknown): string {
  if (error instanceof Refusal) return error.message;
  return codeOf(error) === REJECTED ? 'rejected' : 'failed';
}

function setBusy(box: HTMLElement, isBusy: boolean): void {
  for (const button of box.querySelectorAll('button')) button.disabled = isBusy;
}
