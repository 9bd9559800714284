import { networkOf } from '../../chains/network-name.pure.js';
import type { AmountContract } from '../../money/amount.contract.js';
import { Html, markup } from '../../platform/kernel/markup.pure.js';
import { addressInFours, instant, money, named, price, row } from '../../platform/web/html/page-elements.js';
import { qrCodeSvg } from '../../platform/web/html/qr-code.pure.js';
import type { MessageKey, Texts } from '../../platform/kernel/i18n/texts.js';
import type { PaymentInstructionsContract } from '../payment-instructions.contract.js';
import { browserWallets } from './browser-wallets.js';
import { plainAmount, rateSources } from './page-text.js';
import type { ClockKind } from './screen.js';

/** As the page's script names the method that it shows ({@link PageQuery.shown}). */
export function methodOf({ provider, method }: PaymentInstructionsContract): string {
  return `${provider}/${method}`;
}

/**
 * Everything that the customer has to enter into a wallet or an exchange, for a grid of the class "pay".
 * @param due amount to send now
 */
export function payBlock(texts: Texts, instructions: PaymentInstructionsContract, due: AmountContract): Html {
  const { address } = instructions;
  const amount = markup`<span class="value amount" id="amount" dir="ltr">${money(texts, due)}</span>`;
  return markup`${copyable(texts, 'amount', amount, plainAmount(due))}
      ${copyable(texts, 'address', addressInFours(address), address)}
      ${browserWallets(texts, instructions, due)}
      ${walletAnchor(texts, instructions)}
      ${scan(texts, instructions, due)}
      <p class="soft" id="wallet-none" hidden>${texts.text('pay.nothing-opened')}</p>`;
}

/** What ends first. The link counts where both end at once: a price can be renewed. */
export function clockOf({ expiresAt, checkoutExpiresAt }: PaymentInstructionsContract): ClockKind {
  return Date.parse(checkoutExpiresAt) <= Date.parse(expiresAt) ? 'link' : 'price';
}

/** The warning that costs the most to overlook, and so it is short. */
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
 * The QR code: folded on a phone, where it is of no use to the customer who holds it, and open on wide screens by the
 * style sheet. A code of a bare address has neither amount nor network, so both are shown beside it.
 */
function scan(texts: Texts, instructions: PaymentInstructionsContract, due: AmountContract): Html {
  const { address, qrCode } = instructions;
  const link = walletLink(instructions);
  const holdsAmount = qrCode.content === link;
  const amount = texts.money(due);
  const paying = texts.text('pay.qr-payment', { amount, address });
  return markup`<details class="scan" id="scan"><summary class="button plain">${texts.text('pay.show-qr')}</summary>
        <div class="in">
          ${qrImage(qrCode.content, holdsAmount ? paying : texts.text('pay.qr-address', { address }))}
          ${holdsAmount ? null : addressOnlyNote(texts, instructions, due)}
          ${
            link === null || holdsAmount
              ? null
              : markup`<details id="with-amount"><summary>${texts.text('pay.qr-with-amount')}</summary>
            ${qrImage(link, paying)}
            <p class="scan-note">${texts.text('pay.qr-compare')}</p></details>`
          }
        </div>
      </details>`;
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
