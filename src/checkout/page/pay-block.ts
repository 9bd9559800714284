import { networkOf } from '../../chains/network-name.pure.js';
import type { AmountContract } from '../../money/amount.contract.js';
import { Html, markup } from '../../platform/kernel/markup.pure.js';
import { addressInFours, instant, money, named, price, row } from '../../platform/web/html/page-elements.js';
import { qrCodeSvg } from '../../platform/web/html/qr-code.pure.js';
import type { MessageKey, Texts } from '../../platform/kernel/i18n/texts.js';
import type { PaymentInstructionsContract } from '../payment-instructions.contract.js';
import { browserWallets } from './browser-wallets.js';
import { plainAmount, rateSources, roundedRate } from './page-text.js';
import type { ClockKind } from './screen.js';

/** As the page's script names the method that it shows ({@link PageQuery.shown}). */
export function methodOf({ provider, method }: PaymentInstructionsContract): string {
  return `${provider}/${method}`;
}

/** What the ticket says besides the instructions. */
interface TicketExtras {
  /** `due` in the currency of the price; null: it is the same, or unknown. */
  worth?: AmountContract | null;
  /** Further ways into wallets. */
  ways?: Html | null;
}

/**
 * The ticket: everything that the customer has to enter into a wallet or an exchange, in one place.
 * @param due amount to send now
 */
export function payBlock(
  texts: Texts,
  instructions: PaymentInstructionsContract,
  due: AmountContract,
  { worth = null, ways = null }: TicketExtras = {},
): Html {
  const { address } = instructions;
  const amount = markup`<span class="value amount" id="amount" dir="ltr">${money(texts, due)}</span>`;
  return markup`<div class="ticket">
      ${copyable(texts, 'amount', markup`${amount}${worthLine(texts, instructions, due, worth)}`, plainAmount(due))}
      ${scan(texts, instructions, due)}
      ${copyable(texts, 'address', addressInFours(address), address)}
      <div class="side">${browserWallets(texts, instructions, due)}
      ${walletAnchor(texts, instructions)}
      <p class="soft" id="wallet-none" hidden>${texts.text('pay.nothing-opened')}</p>${ways}</div></div>`;
}

/** The amount as the shop named it, and the rate, as exact as people compare it; the fold has all its digits. */
function worthLine(
  texts: Texts,
  { rate }: PaymentInstructionsContract,
  due: AmountContract,
  worth: AmountContract | null,
): Html | null {
  if (rate.base === rate.quote) return null;
  const isNews = worth !== null && worth.currency.code !== due.currency.code;
  const { isExact, ...rounded } = roundedRate(rate.value);
  const cost = money(texts, { ...rounded, currency: { code: rate.quote } });
  return markup`<span class="worth soft">${isNews ? money(texts, worth) : null} <bdi dir="ltr" class="number">1\u{a0}${rate.base} ${isExact ? '=' : '≈'} ${cost}</bdi></span>`;
}

/** What ends first. The link counts where both end at once: a price can be renewed. */
export function clockOf({ expiresAt, checkoutExpiresAt }: PaymentInstructionsContract): ClockKind {
  return Date.parse(checkoutExpiresAt) <= Date.parse(expiresAt) ? 'link' : 'price';
}

/** The warning that costs the most to overlook, and so it is short; for below the heading. */
export function onlyThis(texts: Texts, instructions: PaymentInstructionsContract): Html {
  const { amount, blockchain } = instructions;
  const network = named(networkOf(texts, instructions));
  const only = texts.html('pay.only', { coin: amount.currency.code, network });
  const test = blockchain.testnet ? markup` <strong>${texts.text('pay.test-network')}</strong>` : null;
  return markup`<p class="only"><strong>${only}</strong> <span class="soft">${texts.text('pay.only-why')}</span>${test}</p>`;
}

/** The rate with its source, the network and the token's contract. */
export function rateFold(texts: Texts, instructions: PaymentInstructionsContract): Html {
  const { expiresAt, token } = instructions;
  return fold('rate', texts.text(token ? 'pay.details-token' : 'pay.details'), [
    markup`<dl class="facts">
          ${rateRow(texts, instructions)}
          ${row(texts.text('pay.fixed'), instant(texts, expiresAt))}
          ${row(texts.text('pay.network'), named(networkOf(texts, instructions)))}
          ${token && row(texts.text('pay.contract'), markup`<code class="small" dir="ltr">${token.contractAddress}</code>`)}
        </dl>`,
  ]);
}

function rateRow(texts: Texts, { rate }: PaymentInstructionsContract): Html | null {
  if (rate.base === rate.quote) return null;
  const cost = price(texts, rate, rate.value);
  const sources = rateSources(rate.source);
  return row(
    texts.text('pay.rate'),
    sources.length === 0 ? cost : texts.html('pay.rate-from', { rate: cost, sources: texts.list(sources) }),
  );
}

/** @param id keeps it open when the page renews itself */
export function fold(id: string, summary: string, content: readonly Html[]): Html {
  return markup`<details class="fold" id="fold-${id}"><summary>${summary}</summary>${content}</details>`;
}

/**
 * The QR code, in sight at every width. A code of a bare address has neither amount nor network, so both are said beside it.
 * Where wallets also read a link with the amount, the customer chooses between the two codes, which no camera sees at once.
 */
function scan(texts: Texts, instructions: PaymentInstructionsContract, due: AmountContract): Html {
  const { address, qrCode } = instructions;
  const link = walletLink(instructions);
  const holdsAmount = qrCode.content === link;
  const paying = texts.text('pay.qr-payment', { amount: texts.money(due), address });
  const code = qrImage(qrCode.content, holdsAmount ? paying : texts.text('pay.qr-address', { address }));
  const first = markup`${code}${holdsAmount ? null : addressOnlyNote(texts, instructions, due)}`;
  if (link === null || holdsAmount) return markup`<div class="code" id="scan">${first}</div>`;
  return markup`<div class="code" id="scan"><fieldset class="which"><legend class="unseen">${texts.text('pay.qr')}</legend>
        ${codeChoice('qr-address', texts.text('pay.address'), true)}${codeChoice('qr-amount', texts.text('pay.qr-with-amount'), false)}</fieldset>
        <div class="of-address">${first}</div>
        <div class="of-amount">${qrImage(link, paying)}<p class="scan-note soft">${texts.text('pay.qr-compare')}</p></div></div>`;
}

/** The style sheet shows the chosen code: it needs no script. */
function codeChoice(id: string, label: string, isChosen: boolean): Html {
  return markup`<label><input type="radio" name="code" id="${id}"${isChosen ? markup` checked` : null}><span>${label}</span></label>`;
}

function addressOnlyNote(texts: Texts, instructions: PaymentInstructionsContract, due: AmountContract): Html {
  const network = networkOf(texts, instructions);
  return markup`<p class="scan-note soft">${texts.html('pay.qr-only-address', {
    network: markup`<strong>${named(network)}</strong>`,
    amount: markup`<strong>${money(texts, due)}</strong>`,
  })}</p>`;
}

function qrImage(content: string, says: string): Html {
  return markup`<div class="qr" role="img" aria-label="${says}"><div aria-hidden="true">${new Html(qrCodeSvg(content))}</div></div>`;
}

function walletAnchor(texts: Texts, instructions: PaymentInstructionsContract): Html | null {
  const link = walletLink(instructions);
  if (link === null) return null;
  return markup`<a class="button" id="wallet" href="${link}" target="_top">${texts.text('pay.open-wallet')}</a>`;
}

/**
 * The link that the page may open in a wallet. Never the EIP-681 link of a token: some wallets would pay the token's
 * contract (see qrContent).
 */
function walletLink({ paymentUri, token }: PaymentInstructionsContract): string | null {
  return token === null ? paymentUri : null;
}

const COPYABLE = {
  amount: { label: 'pay.amount', copy: 'pay.copy-amount' },
  address: { label: 'pay.address', copy: 'pay.copy-address' },
} as const satisfies Record<string, Record<string, MessageKey>>;

/** A value with its copy button, which stays hidden without JavaScript. @param name also the id of the value's element */
function copyable(texts: Texts, name: keyof typeof COPYABLE, value: Html, text: string): Html {
  const { label, copy } = COPYABLE[name];
  return markup`<div class="copyable"><span class="label">${texts.text(label)}</span>${value}<button type="button" class="copy" id="copy-${name}" data-copy="${text}" data-name="${name}" aria-label="${texts.text(copy)}" hidden><span>${texts.text('pay.copy')}</span></button></div>`;
}
