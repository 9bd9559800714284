import { type Html, markup } from '../../platform/html/markup.pure.js';
import { addressInFours, heading, notice, row, type Tone } from '../../platform/html/page-elements.js';
import type { Texts } from '../../platform/i18n/texts.js';
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
  texts: Texts;
}

/** "USDT on Ethereum (ERC-20)", "ETH on Ethereum test network". */
function wanted({ refund }: ClaimPageView): string {
  const { payoutAmount, blockchain, token } = refund;
  const network = `${blockchain.name}${blockchain.testnet ? ' test network' : ''}`;
  return `${payoutAmount.currency.code} on ${network}${token ? ` (${token.standard})` : ''}`;
}

function shop({ refund }: ClaimPageView): Html {
  return markup`<bdi>${refund.merchantSettings.title}</bdi>`;
}

function contact(view: ClaimPageView): Html {
  return markup`Contact ${shop(view)} and name the reference <strong><bdi>${view.refund.reference}</bdi></strong>.`;
}

function facts(view: ClaimPageView, more: Html | null = null): Html {
  const { payoutAmount, blockchain, token } = view.refund;
  const network = `${blockchain.name}${blockchain.testnet ? ' test network' : ''}${token ? `, ${token.standard} token` : ''}`;
  return markup`<dl class="facts">
    ${row('You get', markup`<span class="value amount" id="amount">${payoutAmount.formatted}</span>`)}
    ${row('Network', network)}
    ${more}
  </dl>`;
}

const ADDRESS_NOTE = 'address-note';
const ADDRESS_PROBLEM = 'address-problem';

/**
 * Where the customer enters an address.
 * @param entered text to show again; never a secret
 * @param problem a sentence about the entered text
 */
export function addressScreen(
  view: ClaimPageView,
  entered: string = '',
  problem: string | null = null,
): ClaimScreen {
  const described = problem === null ? ADDRESS_NOTE : `${ADDRESS_PROBLEM} ${ADDRESS_NOTE}`;
  const invalid = problem && markup` aria-invalid="true" autofocus`;
  const remark =
    problem &&
    markup`<div class="note bad" id="${ADDRESS_PROBLEM}" role="alert"><p><strong>${problem}</strong></p></div>`;
  const body = markup`${heading('calm', 'Where should your refund go?')}
    ${facts(view)}
    <form method="post" action="${view.self}">
      <label for="address">Your ${wanted(view)} address</label>
      <p class="soft" id="${ADDRESS_NOTE}">Copy it from your wallet or exchange, where it says “receive” or “deposit”.
        It must be an address for <strong>${wanted(view)}</strong>. Do not use the address that you
        paid from if that was an exchange: it is not yours.</p>
      ${remark}
      <input id="address" name="address" type="text" required maxlength="255" autocomplete="off" autocapitalize="off"
        autocorrect="off" spellcheck="false" aria-describedby="${described}" value="${entered}"${invalid}>
      <button class="button" type="submit">Check this address</button>
    </form>`;
  return { name: 'address', title: problem ? 'Check your address' : 'Your refund', body, isFollowed: false };
}

/** The confirmation step: funds sent to a wrong address are lost. */
export function confirmScreen(view: ClaimPageView, address: string): ClaimScreen {
  const body = markup`${heading('warn', 'Is this your address?')}
    ${facts(view, row('To', addressInFours(address)))}
    ${notice(
      'warn',
      markup`<p><strong>Compare every character with your wallet.</strong> You cannot change the address afterwards,
        and what is sent to a wrong one is lost.</p>`,
    )}
    <form method="post" action="${view.self}">
      <input type="hidden" name="address" value="${address}">
      <button class="button" type="submit" name="confirm" value="yes">Yes, send it to this address</button>
    </form>
    <p><a class="link" id="change" href="${view.self}">No, enter another address</a></p>`;
  return { name: 'confirm', title: 'Confirm your address', body, isFollowed: false };
}

/** The screen for the status of the refund. */
export function stateScreen(view: ClaimPageView): ClaimScreen {
  const { status } = view.refund;
  switch (status) {
    case 'AWAITING_ADDRESS':
      return addressScreen(view);
    case 'AWAITING_PAYMENT':
      return screen(view, 'calm', 'Your address is recorded', {
        text: markup`<p class="state"><span class="pulse"></span><span>${shop(view)} sends your refund from its own
          wallet. This page shows when it is on its way.</span></p>`,
        after: markup`<p>Is the address wrong? ${contact(view)}</p>`,
      });
    case 'PROCESSING':
      return screen(view, 'calm', 'Your refund is on its way', { text: progress(view) });
    case 'COMPLETED':
      return screen(view, 'good', 'Your refund was sent', {
        text: markup`<p>The network has confirmed it. If you do not see it in your wallet yet, wait a few minutes.</p>`,
      });
    case 'FAILED':
      return screen(view, 'warn', 'The transfer did not go through', {
        text: markup`<p>You do not have to do anything: ${shop(view)} has been notified and can send it again.</p>`,
        after: markup`<p>Does nothing happen for some days? ${contact(view)}</p>`,
      });
    case 'CANCELLED':
      return screen(view, 'bad', 'This refund was cancelled', {
        text: markup`<p>Nothing will be sent. ${contact(view)}</p>`,
      });
    case 'EXPIRED':
      return screen(view, 'bad', 'This refund has expired', {
        text: markup`<p>No address was named in time. ${contact(view)}</p>`,
      });
  }
}

const OVER: readonly string[] = ['COMPLETED', 'CANCELLED', 'EXPIRED'];

function screen(
  view: ClaimPageView,
  tone: Tone,
  title: string,
  { text, after = null }: { text: Html; after?: Html | null },
): ClaimScreen {
  const { status, address } = view.refund;
  const lines = markup`${address && row('To', addressInFours(address))}${transaction(view)}`;
  const body = markup`${heading(tone, title)}
    ${text}
    ${facts(view, lines)}
    ${after}`;
  return { name: status.toLowerCase().replace('_', '-'), title, body, isFollowed: !OVER.includes(status) };
}

function progress({ refund }: ClaimPageView): Html {
  const { seen, required } = refund.confirmations;
  return markup`<p class="state"><span class="pulse"></span><span><strong id="seen">${String(Math.min(seen, required))}</strong>
    of ${String(required)} confirmations</span></p>`;
}

function transaction({ refund }: ClaimPageView): Html | null {
  const { txHash, explorerUrl, status } = refund;
  // A failed transaction is of no use to the customer; another one replaces it.
  if (txHash === null || status === 'FAILED' || status === 'CANCELLED') return null;
  const hash = markup`<code class="small">${txHash}</code>`;
  if (explorerUrl === null) return row('Transaction', hash);
  return row(
    'Transaction',
    markup`<a href="${explorerUrl}" target="_blank" rel="noopener noreferrer">${hash}<span class="unseen"> (opens a block explorer in a new tab)</span></a>`,
  );
}
