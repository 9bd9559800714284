import { type Html, markup } from '../../platform/html/markup.pure.js';
import { heading, notice, row, type Tone } from '../../platform/html/page-elements.js';
import { groupThousands, utcTime } from '../page/page-text.js';
import { html, type ReceiptText, text } from './receipt-texts.js';
import type { ReceiptRate } from './receipt-rates.pure.js';
import type { ReceiptVerdict } from './receipt-verdict.pure.js';
import type { ReceiptNetwork, ReceiptView } from './receipt-view.js';

const TONES: Record<ReceiptVerdict, Tone> = {
  final: 'good',
  refunded: 'calm',
  pending: 'warn',
  reverted: 'warn',
  short: 'warn',
  unpaid: 'bad',
  closed: 'bad',
};

const RATE_KINDS: Record<ReceiptRate['kind'], ReceiptText> = {
  locked: 'receipt.lockedRate',
  late: 'receipt.lateRate',
  accepted: 'receipt.acceptedRate',
};

/** The content of a receipt: what it proves, what was asked for, and what the chain shows for it. */
export function receiptScreen(view: ReceiptView): Html {
  const { verdict, refunded, underpaid } = view;
  const values = { shop: shopName(view), missing: underpaid?.formatted ?? '' };
  const isPartlyRefunded = refunded !== null && verdict !== 'refunded';
  return markup`${heading(TONES[verdict], text(`receipt.${verdict}.title`))}
    <p id="verdict">${html(`receipt.${verdict}.text`, values)}
      ${isPartlyRefunded ? html('receipt.someRefunded', { amount: refunded.formatted }) : null}</p>
    ${isTest(view) ? notice('warn', markup`<p>${html('receipt.testnet')}</p>`) : null}
    ${sums(view)}
    ${transfers(view)}
    ${rates(view)}
    ${refunds(view)}
    <p class="soft">${html('receipt.asOf', { time: time(view.asOf) })}</p>`;
}

function isTest({ transfers: paid }: ReceiptView): boolean {
  return paid.some(({ network }) => network.isTestnet);
}

function shopName({ shop }: Pick<ReceiptView, 'shop'>): Html {
  return markup`<bdi>${shop.title}</bdi>`;
}

function sums(view: ReceiptView): Html {
  const { shop, verdict, overpaid, underpaid, refunded, receivedAt } = view;
  const link =
    shop.link && markup`, <a href="${shop.link.href}" rel="noopener noreferrer">${shop.link.host}</a>`;
  const isAccepted = verdict === 'final' && underpaid;
  return markup`<dl class="facts">
    ${row(text('receipt.shop'), markup`${shopName(view)}${link}`)}
    ${row(text('receipt.reference'), reference(view))}
    ${row(text('receipt.payment'), markup`<code class="small">${view.paymentId}</code>`)}
    ${row(text('receipt.created'), time(view.createdAt))}
    ${receivedAt && row(text('receipt.paidAt'), time(receivedAt))}
    ${row(text('receipt.price'), strong(view.price.formatted))}
    ${row(text('receipt.received'), strong(view.received.formatted))}
    ${overpaid && row(text('receipt.overpaid'), overpaid.formatted)}
    ${isAccepted ? row(text('receipt.underpaid'), underpaid.formatted) : null}
    ${refunded && row(text('receipt.refunded'), refunded.formatted)}
  </dl>`;
}

function reference({ reference: ours, referenceLabel }: ReceiptView): Html {
  if (referenceLabel.includes(ours)) return markup`<bdi>${referenceLabel}</bdi>`;
  return markup`<bdi>${referenceLabel}</bdi> <span class="soft">(<bdi>${ours}</bdi>)</span>`;
}

function transfers({ transfers: all }: ReceiptView): Html | null {
  if (all.length === 0) return null;
  const items = all.map(
    ({
      transaction: transfer,
      network: chain,
    }) => markup`<li data-transfer="${transfer.status}"><dl class="facts">
      ${row(text('receipt.amount'), strong(transfer.amount.formatted))}
      ${row(text('receipt.network'), network(chain))}
      ${row(text('receipt.credited'), transfer.creditedAmount.formatted)}
      ${row(text('receipt.seen'), time(transfer.seenAt))}
      ${row(text('receipt.state'), stateOf(transfer))}
      ${depth(transfer)}
      ${row(text('receipt.transaction'), proof(transfer))}
    </dl></li>`,
  );
  return markup`<h2>${text('receipt.transactions')}</h2><ul class="seen">${items}</ul>`;
}

function stateOf({ status, confirmedAt, matched }: ReceiptView['transfers'][number]['transaction']): Html {
  if (status === 'ORPHANED' || status === 'REPLACED') return html('receipt.state.gone');
  if (!matched) return html('receipt.state.unmatched');
  if (status === 'CONFIRMED' && confirmedAt !== null)
    return html('receipt.state.confirmed', { time: time(confirmedAt) });
  return html('receipt.state.pending');
}

/** A transfer that the network has taken back has none. */
function depth({
  status,
  confirmations,
  confirmationsRequired,
}: ReceiptView['transfers'][number]['transaction']): Html | null {
  if (status !== 'CONFIRMED' && status !== 'PENDING') return null;
  const seen = String(confirmations);
  const required = String(confirmationsRequired);
  return row(text('receipt.confirmations'), html('receipt.confirmations.value', { seen, required }));
}

function rates({ rates: all }: ReceiptView): Html | null {
  // A price in the coin itself has no rate.
  const shown = all.filter(({ base, quote }) => base !== quote);
  if (shown.length === 0) return null;
  const items = shown.map(
    (rate) => markup`<li><dl class="facts">
      ${row(text('receipt.rate'), markup`${strong(worth(rate, rate.value))}, ${html(RATE_KINDS[rate.kind])}, ${time(rate.lockedAt)}`)}
      ${row(text('receipt.prices'), sources(rate))}
    </dl></li>`,
  );
  return markup`<h2>${text('receipt.rates')}</h2><ul class="seen">${items}</ul>`;
}

function sources(rate: ReceiptRate): string {
  const prices = rate.prices.map(({ source, value }) => `${source}: ${worth(rate, value)}`);
  return [...prices, rate.method].join('; ');
}

/** "1 ETH = 2,000.10 USD". */
function worth({ base, quote }: ReceiptRate, value: string): string {
  return `1 ${base} = ${groupThousands(value)} ${quote}`;
}

function refunds({ refunds: all }: ReceiptView): Html | null {
  if (all.length === 0) return null;
  const items = all.map(
    (refund) => markup`<li><dl class="facts">
      ${row(text('receipt.amount'), markup`${strong(refund.payoutAmount.formatted)} (${refund.amount.formatted})`)}
      ${row(text('receipt.network'), network(refund.network))}
      ${row(text('receipt.state'), refund.completedAt === null ? html('receipt.refund.pending') : html('receipt.refund.sent', { time: time(refund.completedAt) }))}
      ${refund.txHash === null ? null : row(text('receipt.transaction'), proof({ txHash: refund.txHash, explorerUrl: refund.explorerUrl }))}
    </dl></li>`,
  );
  return markup`<h2>${text('receipt.refunds')}</h2><ul class="seen">${items}</ul>`;
}

function proof({ txHash, explorerUrl }: { txHash: string; explorerUrl: string | null }): Html {
  const link =
    explorerUrl &&
    markup`<a class="explorer" href="${explorerUrl}" target="_blank" rel="noopener noreferrer">${text('receipt.explorer')}</a>`;
  return markup`<code class="hash">${txHash}</code>${link}`;
}

function network({ name, isTestnet }: ReceiptNetwork): Html {
  return isTestnet ? html('receipt.testNetwork', { network: name }) : markup`${name}`;
}

function time(iso: string): Html {
  return markup`<time datetime="${iso}">${utcTime(iso, '')}</time>`;
}

function strong(words: string): Html {
  return markup`<strong>${words}</strong>`;
}
