import { qrCodeSvg } from '../../platform/html/qr-code.pure.js';
import type { AmountContract } from '../../money/amount.contract.js';
import type { PaymentInstructionsContract } from '../payment-instructions.contract.js';
import { Html, markup } from '../../platform/html/markup.pure.js';
import { bareAmount, groupThousands, utcTime } from './page-text.js';
import { addressInFours, heading, notice, row } from '../../platform/html/page-elements.js';
import { chooseForm } from './picker-elements.js';
import { type PaymentView, type Screen, shopAnchor, strayNotice, strayWords } from './screen.js';

/** Instructions, before any funds were seen. @param canChange there are other methods */
export function payScreen(
  view: PaymentView,
  instructions: PaymentInstructionsContract,
  canChange: boolean,
): Screen {
  const { status } = view;
  const { currency } = instructions.amount;
  const body = markup`${heading('plain', `Pay with ${currency.code} on ${instructions.blockchain.name}`)}
    <p class="state"><span class="pulse"></span>Waiting for your payment of ${status.amount.formatted}</p>
    ${endedNotice(view, instructions)}
    ${strayNotice(view)}
    ${instructions.secondsRemaining > 0 ? payBlock(instructions, instructions.amount, priceHolds(instructions)) : null}
    <p class="soft">Paying from an exchange? Make sure that the full amount arrives after its fee.</p>
    ${waysOut(view, canChange)}`;
  return {
    name: 'pay',
    title: 'Waiting for payment',
    announcement: [strayWords(view), 'Waiting for your payment.'].join(' ').trim(),
    isAlert: view.unmatched !== null,
    isReloading: true,
    body,
  };
}

function waysOut(view: PaymentView, canChange: boolean): Html {
  const change = markup`<a class="link" id="change" href="${view.link({ choose: '1' })}">Choose another way to pay</a>`;
  return markup`<div class="ways">${canChange ? change : null}${shopAnchor(view, 'link')}</div>`;
}

/**
 * Everything that the customer has to enter into a wallet or an exchange.
 * @param due amount to send now
 * @param price rows with the price and the end of its lock
 */
export function payBlock(instructions: PaymentInstructionsContract, due: AmountContract, price: Html): Html {
  const { address, token } = instructions;
  const network = `${networkName(instructions)}${token ? `, ${token.standard} token` : ''}`;
  return markup`${onlyThis(instructions)}
    <div class="pay">
      ${scan(instructions, due)}
      <dl class="facts">
        ${row('Amount', copyable('amount', markup`<span class="value amount" id="amount">${due.formatted}</span>`, bareAmount(due)))}
        ${row('Address', copyable('address', addressInFours(address), address))}
        ${row('Network', network)}
        ${token && row('Token contract', markup`<code class="small">${token.contractAddress}</code>`)}
        ${price}
      </dl>
    </div>`;
}

/** The QR code and the wallet link. A QR code of a bare address has neither amount nor network, so both are shown beside it. */
function scan(instructions: PaymentInstructionsContract, due: AmountContract): Html {
  const { address, qrCode, token } = instructions;
  const link = walletLink(instructions);
  const holdsAmount = qrCode.content === link;
  const standard = token ? ` (${token.standard})` : '';
  return markup`<div class="scan">
        ${qrImage(qrCode.content, holdsAmount ? `pay ${due.formatted} to ${address}` : `the address ${address}`)}
        ${
          holdsAmount
            ? null
            : markup`<p class="scan-note">The code holds only the address. In your wallet choose
          <strong>${`${networkName(instructions)}${standard}`}</strong> and enter <strong>${due.formatted}</strong>.</p>`
        }
        ${link === null ? null : markup`<a class="button" id="wallet" href="${link}" target="_top">Open in wallet</a>`}
        ${
          link === null || holdsAmount
            ? null
            : markup`<details id="with-amount"><summary>QR code with the amount</summary>
          ${qrImage(link, `pay ${due.formatted} to ${address}`)}
          <p class="scan-note">Not every wallet can read this one. Compare address and amount before you send.</p></details>`
        }
      </div>`;
}

function qrImage(content: string, says: string): Html {
  return markup`<div class="qr" role="img" aria-label="QR code: ${says}">${new Html(qrCodeSvg(content))}</div>`;
}

/**
 * The link that the page may open in a wallet. Never the EIP-681 link of a token: some wallets would pay the token's
 * contract (see qrContent).
 */
function walletLink({ paymentUri, token }: PaymentInstructionsContract): string | null {
  return token === null ? paymentUri : null;
}

/** The script adds a countdown; without JavaScript only the time is shown. */
function priceHolds({ rate, expiresAt, serverTime }: PaymentInstructionsContract): Html {
  const ends = markup`<time datetime="${expiresAt}">${utcTime(expiresAt, serverTime)}</time>
    <span role="timer" class="left" data-ends="${expiresAt}"></span>`;
  const price = `1 ${rate.base} = ${groupThousands(rate.value)} ${rate.quote}`;
  return markup`${rate.base === rate.quote ? null : row('Rate', price)}${row('Price fixed until', ends)}`;
}

/** "Ethereum", "Ethereum test network". */
function networkName({ blockchain }: Pick<PaymentInstructionsContract, 'blockchain'>): string {
  return `${blockchain.name}${blockchain.testnet ? ' test network' : ''}`;
}

function onlyThis(instructions: PaymentInstructionsContract): Html {
  const { amount, blockchain, token } = instructions;
  const standard = token ? ` (${token.standard})` : '';
  const test = blockchain.testnet ? ' This is a test network: send no real coins.' : '';
  return notice(
    'warn',
    markup`<p><strong>Send only ${amount.currency.code} on ${blockchain.name}${standard}.</strong> Other coins and
      other networks may not reach the shop.${test}</p>`,
  );
}

/** Shown by the script when the countdown ends, and by the server from then on. A new price is only made on request. */
function endedNotice(view: PaymentView, instructions: PaymentInstructionsContract): Html {
  const hidden = instructions.secondsRemaining > 0 ? markup` hidden` : null;
  const button = markup`<button class="button" id="renew">${view.texts.text('pay.renew')}</button>`;
  return markup`<div class="note warn" id="ended"${hidden}><p><strong>This price has ended.</strong></p>
    ${chooseForm(view, instructions, button)}</div>`;
}

/** A value with its copy button, which stays hidden without JavaScript. */
function copyable(name: string, value: Html, text: string): Html {
  return markup`<div class="copyable">${value}<button type="button" class="copy" id="copy-${name}" data-copy="${text}" data-name="${name}" hidden><span>Copy</span><span class="unseen"> ${name}</span></button></div>`;
}
