import { type Html, markup } from '../../platform/kernel/markup.pure.js';
import { money } from '../../platform/web/html/page-elements.js';
import type { MessageKey } from '../../platform/kernel/i18n/texts.js';
import { paymentParameter } from '../../refunds/page/payment-link.pure.js';
import type { ReturnableFundsContract } from '../../refunds/refund-request.contract.js';
import { contactShop, merchant, type PaymentView } from './screen.js';

type Funds = ReturnableFundsContract;
type Status = NonNullable<Funds['status']>;

/** What became of a request of the customer. */
const ASKED: Record<Status, MessageKey> = {
  AWAITING_ADDRESS: 'claim.needs-address',
  AWAITING_PAYMENT: 'claim.recorded',
  PROCESSING: 'claim.on-its-way',
  FAILED: 'claim.recorded',
  COMPLETED: 'claim.sent',
  CANCELLED: 'claim.declined',
  EXPIRED: 'claim.declined',
};

/** The funds of one kind that can be asked back or were; those of transfers apart. */
export function returnable(
  { status }: Pick<PaymentView, 'status'>,
  type: Funds['type'],
  isOfTransfer = false,
): Funds[] {
  return status.returnable.filter(
    (each) => each.type === type && (each.transferId !== null) === isOfTransfer,
  );
}

/** Asked for by the customer, and neither sent nor cancelled. */
export function isAwaited({ status, claimUrl }: Funds): boolean {
  return claimUrl !== null && status !== 'COMPLETED' && status !== 'CANCELLED';
}

/** Promised by the shop or asked for by the customer, and not sent yet: nothing about these funds is left to choose. */
export function isUnderWay({ status }: Pick<Funds, 'status'>): boolean {
  return status !== null && status !== 'COMPLETED' && status !== 'CANCELLED' && status !== 'EXPIRED';
}

/** A button for funds that can be asked back, or what became of them; null if there are none. */
export function returnableBlock(view: PaymentView, funds: readonly Funds[]): Html | null {
  if (funds.length === 0) return null;
  return markup`${funds.map((each) => (each.status === null ? askForm(view, each) : state(view, each, each.status)))}`;
}

/**
 * In two steps, because the request cannot be taken back on this page. It leaves a frame of the shop, because the page of
 * a refund shows itself in none.
 */
function askForm(view: PaymentView, { type, transferId, ...funds }: Funds): Html {
  const { texts, status, link } = view;
  const transfer = transferId && markup`<input type="hidden" name="transferId" value="${transferId}">`;
  const { payoutAmount, blockchain } = funds;
  const sum = markup`${money(texts, payoutAmount)} (<bdi>${blockchain.name}</bdi>)`;
  const ask = texts.html('claim.ask', { funds: sum });
  return markup`<details class="ask" id="ask-${transferId ?? type.toLowerCase()}"><summary class="button plain"><span>${ask}</span></summary>
    <p>${texts.html('claim.review', { shop: merchant(view) })}</p>
    <form method="post" action="${status.id}/refund-request${link({})}" target="_top">
    <input type="hidden" name="type" value="${type}">${transfer}
    <input type="hidden" name="payoutAmountAtomic" value="${funds.payoutAmount.atomic}">
    <button class="button">${texts.text('claim.review-yes')}</button></form></details>`;
}

function state(view: PaymentView, funds: Funds, status: Status): Html {
  const { texts } = view;
  const values = { funds: describeFunds(view, funds), shop: merchant(view) };
  const isPromised = funds.claimUrl === null && status.startsWith('AWAITING_');
  const words = texts.html(isPromised ? 'claim.promised' : ASKED[status], values);
  if (status === 'CANCELLED') return markup`<p>${words} ${contactShop(view)}</p>`;
  if (funds.claimUrl === null) return markup`<p>${words}</p>`;
  const { pathname, searchParams } = new URL(funds.claimUrl);
  const lang = new URLSearchParams(view.link({})).get('lang');
  if (lang !== null) searchParams.set('lang', lang);
  searchParams.set('payment', paymentParameter(view.status.id, view.link({})));
  const href = `../refund/${pathname.split('/').at(-1) ?? ''}?${searchParams.toString()}`;
  if (status !== 'AWAITING_ADDRESS')
    return markup`<p><strong>${words}</strong> <a class="link" href="${href}" target="_top">${texts.text('claim.follow')}</a></p>`;
  // Until it is done, nothing goes on.
  return markup`<p><strong>${words}</strong></p><p><a class="button" href="${href}" target="_top"><span>${texts.text('claim.enter-address')}</span></a></p>`;
}

/** "12.5 USDC on Ethereum". */
export function describeFunds(
  { texts }: Pick<PaymentView, 'texts'>,
  { payoutAmount, blockchain }: Pick<Funds, 'payoutAmount' | 'blockchain'>,
): Html {
  const network = markup`<bdi>${blockchain.name}</bdi>`;
  return texts.html('coin.on-network', { coin: money(texts, payoutAmount), network });
}
