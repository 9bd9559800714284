import { networkOf } from '../../chains/network-name.pure.js';
import { type Html, markup } from '../../platform/kernel/markup.pure.js';
import {
  addressInFours,
  heading,
  money,
  named,
  notice,
  row,
  type Tone,
  transactionHash,
} from '../../platform/web/html/page-elements.js';
import type { LanguageLink } from '../../platform/kernel/i18n/request-texts.js';
import type { MessageKey, Texts } from '../../platform/kernel/i18n/texts.js';
import type { ADDRESS_PROBLEMS } from '../payout-address.pure.js';
import type { RefundClaimContract } from '../refund.contract.js';

/** The content of the page's `<main>`. */
export interface ClaimScreen {
  name: string;
  /** How the document's title begins. */
  title: string;
  body: Html;
  /** Whether the page polls for a new state. */
  isFollowed: boolean;
}

/** The refund, and the URL of this page for its forms; relative, so that it works behind any proxy. */
export interface ClaimPageView {
  refund: RefundClaimContract;
  self: string;
  /** The page of the payment, for whoever came from there; null: the shop's website is all there is to go back to. */
  paymentUrl: string | null;
  /** Whether wallets of the browser (EIP-6963) have addresses of the network. */
  hasBrowserWallets: boolean;
  texts: Texts;
  languageLink: LanguageLink;
}

/** As the pay page names it, so that nobody asks an exchange for an address on another one. */
function network({ texts, refund }: ClaimPageView): Html {
  return named(networkOf(texts, refund));
}

/** "USDT on Ethereum (ERC-20)", "ETH on Ethereum test network". */
function wanted(view: ClaimPageView): Html {
  const coin = markup`<bdi>${view.refund.payoutAmount.currency.code}</bdi>`;
  return view.texts.html('coin.on-network', { coin, network: network(view) });
}

function shop({ refund }: ClaimPageView): Html {
  return markup`<bdi>${refund.merchantSettings.title}</bdi>`;
}

function contact(view: ClaimPageView): Html {
  const reference = markup`<strong><bdi>${view.refund.reference}</bdi></strong>`;
  return view.texts.html('shop.contact', { shop: shop(view), reference });
}

function facts(view: ClaimPageView, more: Html | null = null): Html {
  const { texts, refund } = view;
  const { payoutAmount } = refund;
  return markup`<dl class="facts">
    ${row(texts.text('refund.you-get'), markup`<span class="value amount" id="amount">${money(texts, payoutAmount)}</span>`)}
    ${row(texts.text('refund.network'), network(view))}
    ${more}
  </dl>`;
}

const ADDRESS_NOTE = 'address-note';
const ADDRESS_PROBLEM = 'address-problem';

export type EnteredProblem = keyof typeof ADDRESS_PROBLEMS;

const PROBLEMS = {
  secret: 'refund.address.secret',
  malformed: 'refund.address.malformed',
  checksum: 'refund.address.checksum',
  unspendable: 'refund.address.unspendable',
  token_contract: 'refund.address.token-contract',
  own_address: 'refund.address.own-address',
} as const satisfies Record<EnteredProblem, MessageKey>;

/**
 * Where the customer enters an address.
 * @param entered text to show again; never a secret
 * @param problem of the entered text
 */
export function addressScreen(
  view: ClaimPageView,
  entered: string = '',
  problem: EnteredProblem | null = null,
): ClaimScreen {
  const { texts } = view;
  const described = problem === null ? ADDRESS_NOTE : `${ADDRESS_PROBLEM} ${ADDRESS_NOTE}`;
  const invalid = problem && markup` aria-invalid="true" autofocus`;
  const remark =
    problem &&
    markup`<div class="note bad" id="${ADDRESS_PROBLEM}" role="alert"><p><strong>${texts.text(PROBLEMS[problem])}</strong></p></div>`;
  const note = texts.html('refund.address.note', { coin: markup`<strong>${wanted(view)}</strong>` });
  const body = markup`${heading('calm', texts.text('refund.address.heading'))}
    ${facts(view)}
    <form method="post" action="${view.self}">
      <label for="address">${texts.html('refund.address.label', { coin: wanted(view) })}</label>
      <p class="soft" id="${ADDRESS_NOTE}">${note}</p>
      ${remark}
      <textarea id="address" name="address" rows="3" required maxlength="255" autocomplete="off" autocapitalize="off"
        autocorrect="off" spellcheck="false" dir="ltr" aria-describedby="${described}"${invalid}>${entered}</textarea>
      ${view.hasBrowserWallets ? walletButtons(texts) : null}
      <button class="button" type="submit">${texts.text('refund.address.check')}</button>
    </form>`;
  return {
    name: 'address',
    title: texts.text(problem ? 'refund.address.title-again' : 'refund.address.title'),
    body,
    isFollowed: false,
  };
}

/** Where web/refund.ts offers wallets: it fills in `{wallet}`. */
function walletButtons(texts: Texts): Html {
  const use = texts.text('refund.address.wallet', { wallet: '{wallet}' });
  const silent = texts.text('refund.address.wallet-silent', { wallet: '{wallet}' });
  return markup`<div class="wallets" id="wallets" data-use="${use}" data-silent="${silent}" hidden><p role="status"></p></div>`;
}

/** The confirmation step: funds sent to a wrong address are lost. */
export function confirmScreen(view: ClaimPageView, address: string): ClaimScreen {
  const { texts, refund } = view;
  const yes = texts.html('refund.confirm.yes', { amount: money(texts, refund.payoutAmount) });
  const body = markup`${heading('warn', texts.text('refund.confirm.heading'))}
    ${facts(view, row(texts.text('refund.to'), addressInFours(address)))}
    ${notice(
      'warn',
      markup`<p><strong>${texts.text('refund.confirm.compare')}</strong> ${texts.text('refund.confirm.final')}</p>`,
    )}
    <form method="post" action="${view.self}">
      <input type="hidden" name="address" value="${address}">
      <button class="button" type="submit" name="confirm" value="yes"><span>${yes}</span></button>
    </form>
    <p><a class="link" id="change" href="${view.self}">${texts.text('refund.confirm.no')}</a></p>`;
  return { name: 'confirm', title: texts.text('refund.confirm.title'), body, isFollowed: false };
}

/** The screen for the status of the refund. */
export function stateScreen(view: ClaimPageView): ClaimScreen {
  const { texts } = view;
  const { status } = view.refund;
  const ofShop = { shop: shop(view) };
  switch (status) {
    case 'AWAITING_ADDRESS':
      return addressScreen(view);
    case 'AWAITING_PAYMENT':
      return screen(view, 'calm', 'refund.recorded.title', {
        text: markup`<p class="state"><span class="pulse"></span><span>${texts.html('refund.recorded.text', ofShop)}</span></p>`,
        after: markup`<p>${texts.text('refund.recorded.wrong')} ${contact(view)}</p>`,
      });
    case 'PROCESSING':
      return screen(view, 'calm', 'refund.processing.title', { text: progress(view) });
    case 'COMPLETED':
      return screen(view, 'good', 'refund.completed.title', {
        text: markup`<p>${texts.text('refund.completed.text')}</p>`,
      });
    case 'FAILED':
      return screen(view, 'warn', 'refund.failed.title', {
        text: markup`<p>${texts.html('refund.failed.text', ofShop)}</p>`,
        after: markup`<p>${texts.text('refund.failed.lasting')} ${contact(view)}</p>`,
      });
    case 'CANCELLED':
      return screen(view, 'bad', 'refund.cancelled.title', {
        text: markup`<p>${texts.text('refund.cancelled.text')} ${contact(view)}</p>`,
      });
    case 'EXPIRED':
      return screen(view, 'bad', 'refund.expired.title', {
        text: markup`<p>${texts.text('refund.expired.text')} ${contact(view)}</p>`,
      });
  }
}

const OVER: readonly string[] = ['COMPLETED', 'CANCELLED', 'EXPIRED'];

function screen(
  view: ClaimPageView,
  tone: Tone,
  titleKey: MessageKey,
  { text, after = null }: { text: Html; after?: Html | null },
): ClaimScreen {
  const { status, address } = view.refund;
  const title = view.texts.text(titleKey);
  const to = address && row(view.texts.text('refund.to'), addressInFours(address));
  const body = markup`${heading(tone, title)}
    ${text}
    ${facts(view, markup`${to}${transaction(view)}`)}
    ${after}`;
  return { name: status.toLowerCase().replace('_', '-'), title, body, isFollowed: !OVER.includes(status) };
}

function progress({ texts, refund }: ClaimPageView): Html {
  const { seen, required } = refund.confirmations;
  const counter = markup`<strong id="seen">${String(Math.min(seen, required))}</strong>`;
  return markup`<p class="state"><span class="pulse"></span><span>${texts.html('refund.progress', { seen: counter, required })}</span></p>`;
}

function transaction({ texts, refund }: ClaimPageView): Html | null {
  const { txHash, explorerUrl, status } = refund;
  // A failed transaction is of no use to the customer; another one replaces it.
  if (txHash === null || status === 'FAILED' || status === 'CANCELLED') return null;
  return row(texts.text('refund.transaction'), transactionHash(texts, txHash, explorerUrl));
}
