import { type Html, markup } from '../../platform/kernel/markup.pure.js';
import {
  heading,
  instant,
  money,
  notice,
  price,
  row,
  type Tone,
} from '../../platform/web/html/page-elements.js';
import type { MessageKey, Texts } from '../../platform/kernel/i18n/texts.js';
import { rateSources } from '../page/page-text.js';
import { otherItems } from '../page/screen.js';
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

/** What each verdict is called, and what it means. */
const VERDICTS: Record<ReceiptVerdict, readonly [title: MessageKey, text: MessageKey]> = {
  final: ['receipt.final.title', 'receipt.final.text'],
  refunded: ['receipt.refunded.title', 'receipt.refunded.text'],
  pending: ['receipt.pending.title', 'receipt.pending.text'],
  reverted: ['receipt.reverted.title', 'receipt.reverted.text'],
  short: ['receipt.short.title', 'receipt.short.text'],
  unpaid: ['receipt.unpaid.title', 'receipt.unpaid.text'],
  closed: ['receipt.closed.title', 'receipt.closed.text'],
};

const RATE_KINDS: Record<ReceiptRate['kind'], MessageKey> = {
  locked: 'receipt.lockedRate',
  late: 'receipt.lateRate',
  accepted: 'receipt.acceptedRate',
};

/** The content of a receipt: what it proves, what was asked for, and what the chain shows for it. */
export function receiptScreen(t: Texts, view: ReceiptView): Html {
  const { verdict, refunded, underpaid } = view;
  const values = { shop: shopName(view), missing: underpaid ? money(t, underpaid) : '' };
  const [title, meaning] = VERDICTS[verdict];
  const isPartlyRefunded = refunded !== null && verdict !== 'refunded';
  return markup`${heading(TONES[verdict], t.text(title))}
    <p id="verdict">${t.html(meaning, values)}
      ${isPartlyRefunded ? t.html('receipt.someRefunded', { amount: money(t, refunded) }) : null}</p>
    ${isTest(view) ? notice('warn', markup`<p>${t.html('receipt.testnet')}</p>`) : null}
    ${sums(t, view)}
    <p><button type="button" class="button plain" id="print" hidden>${t.text('receipt.print')}</button></p>
    <details class="fold" id="details"><summary>${t.text('receipt.details')}</summary>
    ${more(t, view)}
    ${transfers(t, view)}
    ${rates(t, view)}</details>
    ${refunds(t, view)}
    <p class="soft">${t.html('receipt.asOf', { time: instant(t, view.asOf) })}</p>`;
}

function isTest({ transfers: paid }: ReceiptView): boolean {
  return paid.some(({ network }) => network.isTestnet);
}

function shopName({ shop }: Pick<ReceiptView, 'shop'>): Html {
  return markup`<bdi>${shop.title}</bdi>`;
}

function sums(t: Texts, view: ReceiptView): Html {
  const { shop, verdict, overpaid, underpaid, refunded, receivedAt } = view;
  const link =
    shop.link &&
    markup`, <a href="${shop.link.href}" rel="noopener noreferrer"><bdi dir="ltr">${shop.link.host}</bdi></a>`;
  const isAccepted = verdict === 'final' && underpaid;
  return markup`<dl class="facts">
    ${row(t.text('receipt.shop'), markup`${shopName(view)}${link}`)}
    ${row(t.text('receipt.reference'), reference(view))}
    ${receivedAt && row(t.text('receipt.paidAt'), instant(t, receivedAt))}
    ${row(t.text('receipt.price'), strong(money(t, view.price)))}
    ${row(t.text('receipt.received'), strong(money(t, view.received)))}
    ${overpaid && row(t.text('receipt.overpaid'), money(t, overpaid))}
    ${isAccepted ? row(t.text('receipt.underpaid'), money(t, underpaid)) : null}
    ${refunded && row(t.text('receipt.refunded'), money(t, refunded))}
  </dl>`;
}

/** What only a bookkeeper asks for. */
function more(t: Texts, { paymentId, createdAt }: ReceiptView): Html {
  return markup`<dl class="facts">
    ${row(t.text('receipt.payment'), markup`<code class="small" dir="ltr">${paymentId}</code>`)}
    ${row(t.text('receipt.created'), instant(t, createdAt))}
  </dl>`;
}

function reference({ reference: ours, referenceLabel }: ReceiptView): Html {
  if (referenceLabel.includes(ours)) return markup`<bdi>${referenceLabel}</bdi>`;
  return markup`<bdi>${referenceLabel}</bdi> <span class="soft">(<bdi>${ours}</bdi>)</span>`;
}

function transfers(t: Texts, { transfers: all, otherTransfers }: ReceiptView): Html | null {
  if (all.length === 0) return null;
  const items = all.map(
    ({
      transaction: transfer,
      network: chain,
    }) => markup`<li data-transfer="${transfer.status}"><dl class="facts">
      ${row(t.text('receipt.amount'), strong(money(t, transfer.amount)))}
      ${row(t.text('receipt.network'), network(t, chain))}
      ${row(t.text('receipt.credited'), money(t, transfer.creditedAmount))}
      ${row(t.text('receipt.seen'), instant(t, transfer.seenAt))}
      ${row(t.text('receipt.state'), stateOf(t, transfer))}
      ${depth(t, transfer)}
      ${row(t.text('receipt.transaction'), proof(t, transfer))}
    </dl></li>`,
  );
  return markup`<h2>${t.text('receipt.transactions')}</h2><ul class="seen">${items}${otherItems(t, otherTransfers)}</ul>`;
}

function stateOf(
  t: Texts,
  { status, confirmedAt, matched }: ReceiptView['transfers'][number]['transaction'],
): Html {
  if (status === 'ORPHANED' || status === 'REPLACED') return t.html('receipt.state.gone');
  if (!matched) return t.html('receipt.state.unmatched');
  if (status === 'CONFIRMED' && confirmedAt !== null)
    return t.html('receipt.state.confirmed', { time: instant(t, confirmedAt) });
  return t.html('receipt.state.pending');
}

/** A transfer that the network has taken back has none. */
function depth(
  t: Texts,
  { status, confirmations, confirmationsRequired }: ReceiptView['transfers'][number]['transaction'],
): Html | null {
  if (status !== 'CONFIRMED' && status !== 'PENDING') return null;
  const seen = String(confirmations);
  const required = String(confirmationsRequired);
  return row(t.text('receipt.confirmations'), t.html('receipt.confirmations.value', { seen, required }));
}

function rates(t: Texts, { rates: all }: ReceiptView): Html | null {
  // A price in the coin itself has no rate.
  const shown = all.filter(({ base, quote }) => base !== quote);
  if (shown.length === 0) return null;
  const items = shown.map(
    (rate) => markup`<li><dl class="facts">
      ${row(t.text('receipt.rate'), markup`${strong(price(t, rate, rate.value))}, ${t.html(RATE_KINDS[rate.kind])}, ${instant(t, rate.lockedAt)}`)}
      ${row(t.text('receipt.prices'), sources(t, rate))}
    </dl></li>`,
  );
  return markup`<h2>${t.text('receipt.rates')}</h2><ul class="seen">${items}</ul>`;
}

/** Whose prices they were, and what was made of several. */
function sources(t: Texts, rate: ReceiptRate): Html {
  const names = rateSources(rate.method);
  const median = names.length > 1 ? t.text('receipt.median', { sources: t.list(names) }) : null;
  if (rate.prices.length === 0) return markup`${median ?? t.list(names)}`;
  const prices = rate.prices.map(
    ({ source, value }) =>
      markup`<bdi>${rateSources(source)[0] ?? source}</bdi>: ${price(t, rate, value)}<br>`,
  );
  return markup`${prices}${median}`;
}

function refunds(t: Texts, { refunds: all }: ReceiptView): Html | null {
  if (all.length === 0) return null;
  const items = all.map(
    (refund) => markup`<li><dl class="facts">
      ${row(t.text('receipt.amount'), markup`${strong(money(t, refund.payoutAmount))}${refund.amount && markup` (${money(t, refund.amount)})`}`)}
      ${row(t.text('receipt.network'), network(t, refund.network))}
      ${row(t.text('receipt.state'), refund.completedAt === null ? t.html('receipt.refund.pending') : t.html('receipt.refund.sent', { time: instant(t, refund.completedAt) }))}
      ${refund.txHash === null ? null : row(t.text('receipt.transaction'), proof(t, { txHash: refund.txHash, explorerUrl: refund.explorerUrl }))}
    </dl></li>`,
  );
  return markup`<h2>${t.text('receipt.refunds')}</h2><ul class="seen">${items}</ul>`;
}

function proof(t: Texts, { txHash, explorerUrl }: { txHash: string; explorerUrl: string | null }): Html {
  const link =
    explorerUrl &&
    markup`<a class="explorer" href="${explorerUrl}" target="_blank" rel="noopener noreferrer">${t.text('receipt.explorer')}</a>`;
  return markup`<code class="hash" dir="ltr">${txHash}</code>${link}`;
}

function network(t: Texts, { name, isTestnet }: ReceiptNetwork): Html {
  return isTestnet ? t.html('network.test', { network: name }) : markup`${name}`;
}

function strong(words: Html): Html {
  return markup`<strong>${words}</strong>`;
}
