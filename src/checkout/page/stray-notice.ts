import { type Html, markup } from '../../platform/kernel/markup.pure.js';
import type { MessageKey, Texts } from '../../platform/kernel/i18n/texts.js';
import { heading, money, named, row } from '../../platform/web/html/page-elements.js';
import type { UnmatchedFunds } from '../unmatched-funds.pure.js';
import type { ReturnableFundsContract } from '../../refunds/refund-request.contract.js';
import { describeFunds, isUnderWay, returnable, returnableBlock } from './returnable-block.js';
import { contactShop, merchant, type PaymentView } from './screen.js';

/**
 * A note for the customer that funds on the wrong network or in the wrong coin are not lost
 * (specification/payment-states.md#unmatched-funds).
 * @param instructions the id of what says how to pay as asked; null: nothing on this page does
 */
export function strayNotice(view: PaymentView, instructions: string | null = null): Html | null {
  const { texts } = view;
  const funds = returnable(view, 'UNEXPECTED', true);
  const isBack = ({ status }: (typeof funds)[number]) => status === 'COMPLETED';
  const sentBack = returnableBlock(view, funds.filter(isBack));
  const told = markup`${refundNotice(view)}${sentBack}`;
  if (!view.unmatched) return told.text === '' ? null : told;
  const others = funds.filter((each) => !isBack(each) && !isUnderWay(each));
  return markup`${told}<div class="note warn stray">${facts(view)}
    <p><strong>${texts.text('stray.not-lost')}</strong> ${texts.text('stray.recorded')} ${strayAdvice(view)}</p>
    ${returnableBlock(view, others) ?? notYetReturnable(view)}
    ${instructions && payAsAsked(view, instructions)}</div>`;
}

/** Funds that did not count and are on their way back, or will be. */
export function strayRefunds(view: Pick<PaymentView, 'status'>): ReturnableFundsContract[] {
  return returnable(view, 'UNEXPECTED', true).filter(isUnderWay);
}

/** How far they are, and what is left to do for it; null: there are none. */
function refundNotice(view: PaymentView): Html | null {
  const block = returnableBlock(view, strayRefunds(view));
  return block && markup`<div class="note calm">${block}</div>`;
}

/** "We see 25 USDC on Base", of funds on their way back. */
export function refundBar(view: PaymentView): Html {
  const funds = strayRefunds(view).map((each) => describeFunds(view, each));
  return view.texts.html('stray.bar', { funds: view.texts.listHtml(funds) });
}

/** What is wrong with it, in the fewest words. */
export function strayHeading(view: PaymentView): Html {
  return heading('warn', view.texts.text(strayTitle(view)));
}

function strayTitle({ unmatched }: PaymentView): MessageKey {
  if (!unmatched || unmatched.requested.length === 0) return 'stray.heading';
  const { arrived, requested } = unmatched;
  const isOn = (network: string) => requested.some((one) => one.network === network);
  return arrived.some(({ network }) => isOn(network)) ? 'stray.wrong-coin' : 'stray.wrong-network';
}

/** "We see 25 USDC on Base"; empty if nothing came. */
export function strayBar({ texts, unmatched }: Pick<PaymentView, 'texts' | 'unmatched'>): string {
  return unmatched === null ? '' : texts.text('stray.bar', { funds: fundsWords(texts, unmatched) });
}

/** {@link strayBar}, whose amounts keep their order in every language. */
export function strayBarHtml({ texts, unmatched }: Pick<PaymentView, 'texts' | 'unmatched'>): Html | string {
  return unmatched === null ? '' : texts.html('stray.bar', { funds: fundsHtml(texts, unmatched) });
}

function fundsHtml(texts: Texts, { arrived }: UnmatchedFunds): Html {
  return texts.listHtml(
    arrived.map(({ amount, network }) =>
      texts.html('coin.on-network', { coin: money(texts, amount), network: named(network) }),
    ),
  );
}

/** Two facts, one under the other, so that the difference is seen. */
function facts({ texts, unmatched }: PaymentView): Html | null {
  if (!unmatched) return null;
  const { requested } = unmatched;
  const funds = fundsHtml(texts, unmatched);
  const coins = texts.listHtml(
    requested.map(({ code, network }) =>
      texts.html('coin.on-network', { coin: named(code), network: named(network) }),
    ),
    'disjunction',
  );
  return markup`<dl class="versus">${row(texts.text('stray.we-see'), funds)}${requested.length === 0 ? null : row(texts.text('stray.asked'), coins)}</dl>`;
}

/** Null: it will not be, or the page does not say. */
function notYetReturnable({ texts, status }: PaymentView): Html | null {
  const isWaiting = status.unmatchedTransactions.some((one) => one.status === 'PENDING');
  return isWaiting ? markup`<p>${texts.text('claim.when-confirmed')}</p>` : null;
}

/** Leads to the instructions of this page. */
function payAsAsked({ texts, unmatched }: PaymentView, instructions: string): Html | null {
  const [asked] = unmatched?.requested ?? [];
  if (!asked) return null;
  const words = texts.html('stray.pay-again', { coin: named(asked.code), network: named(asked.network) });
  return markup`<p><a class="button plain" href="#${instructions}"><span>${words}</span></a></p>`;
}

/** The same for screen readers; empty if there are none. */
export function strayWords({ texts, unmatched }: Pick<PaymentView, 'texts' | 'unmatched'>): string {
  if (!unmatched) return '';
  const { requested } = unmatched;
  const funds = fundsWords(texts, unmatched);
  if (requested.length === 0) return texts.text('stray.not-asked', { funds });
  const coins = requested.map(({ code, network }) => texts.text('coin.on-network', { coin: code, network }));
  return texts.text('stray.other-asked', { funds, coins: texts.list(coins, 'disjunction') });
}

function fundsWords(texts: Texts, { arrived }: UnmatchedFunds): string {
  return texts.list(
    arrived.map(({ amount, network }) =>
      texts.text('coin.on-network', { coin: texts.money(amount), network }),
    ),
  );
}

/** The options of merchant and customer. */
function strayAdvice(view: PaymentView): Html {
  const { texts } = view;
  const contact = contactShop(view);
  const shop = merchant(view);
  switch (view.status.status) {
    case 'OPEN':
    case 'UNDERPAID':
    case 'FOUND':
      return markup`${texts.html('stray.accept-or-return', { shop })} ${contact}`;
    case 'RECEIVED':
    case 'CONFIRMED':
      return markup`${texts.html('stray.complete-without', { shop })} ${contact}`;
    default:
      return markup`${texts.html('stray.return', { shop })} ${contact}`;
  }
}
