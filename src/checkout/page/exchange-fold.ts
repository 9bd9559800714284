import { networkOf } from '../../chains/network-name.pure.js';
import type { AmountContract } from '../../money/amount.contract.js';
import type { Texts } from '../../platform/kernel/i18n/texts.js';
import { type Html, markup } from '../../platform/kernel/markup.pure.js';
import { money, named, row } from '../../platform/web/html/page-elements.js';
import type { PaymentInstructionsContract } from '../payment-instructions.contract.js';
import { EXCHANGES_READ_ON, exchangeNetworksOf } from './exchange-networks.pure.js';
import { fold } from './pay-block.js';

/** Exchanges take their fee from what is withdrawn, and have names of their own for networks. @param due amount to send now */
export function exchangeFold(
  texts: Texts,
  instructions: PaymentInstructionsContract,
  due: AmountContract,
): Html {
  const amount = markup`<strong>${money(texts, due)}</strong>`;
  const network = markup`<strong>${named(networkOf(texts, instructions))}</strong>`;
  return fold('exchange', texts.text('pay.exchange'), [
    markup`<p>${texts.html('pay.exchange-how', { amount, network })}</p>`,
    ...presets(texts, instructions),
  ]);
}

function presets(texts: Texts, { amount, blockchain }: PaymentInstructionsContract): Html[] {
  // Exchanges pay out on the main networks.
  const known = blockchain.testnet ? [] : exchangeNetworksOf(amount.currency.code, blockchain.slug);
  if (known.length === 0) return [];
  const rows = known.map(({ exchange, network, feeFrom }) =>
    row(
      exchange,
      markup`<strong><bdi>${network}</bdi></strong>${feeFrom && markup` <span class="soft">${texts.text('pay.exchange-fee')}</span>`}`,
    ),
  );
  // As ISO 8601 has it, which every language reads.
  const read = markup`<time dir="ltr" datetime="${EXCHANGES_READ_ON}">${EXCHANGES_READ_ON}</time>`;
  return [
    markup`<dl class="facts">${rows}</dl>`,
    markup`<p class="soft">${texts.html('pay.exchange-names', { date: read })}</p>`,
  ];
}
