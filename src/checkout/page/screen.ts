import type { WalletNetwork } from '../../chains/chain-family.pure.js';
import type { WalletApps } from '../../config.js';
import type { AmountContract } from '../../money/amount.contract.js';
import type { CheckoutStatusContract } from '../checkout.contract.js';
import type { PaymentInstructionsContract } from '../payment-instructions.contract.js';
import { type Html, markup } from '../../platform/kernel/markup.pure.js';
import type { Texts } from '../../platform/kernel/i18n/texts.js';
import { money, transactionHash } from '../../platform/web/html/page-elements.js';
import type { ReportNetwork } from '../transaction-report.pure.js';
import type { UnmatchedFunds } from '../unmatched-funds.pure.js';
import type { PageAccess } from './page-access.pure.js';
import type { ShopLink } from './shop-link.js';

/** Characters of a name that fits every line. */
const LONGEST_WHOLE = 14;

/** What ends first: the price, which can be renewed, or the link, with which the payment can be paid; or the price of the rest. */
export type ClockKind = 'price' | 'link' | 'rest';

/** The content of the page's `<main>`, and its title and status line. */
export interface Screen {
  /** When the script replaces a screen by one with another name, it moves the focus to the new heading. */
  name: string;
  /** The first part of the document's title. */
  title: string;
  /** The same once the countdown has ended, where the screen has one, and its name then. */
  endedTitle?: string;
  endedName?: string;
  /** Read out by screen readers when the script shows the screen; an alert interrupts them. */
  announcement: string;
  isAlert: boolean;
  /** Of the page, other than 200. */
  httpStatus?: 403;
  /** What the screen says how to pay with: when it is renewed, it stays, whatever was chosen in another window. */
  method?: string;
  /** Which end the countdown of the screen shows, where it has one. */
  clock?: ClockKind;
  /** Whether the page reloads itself in a browser without JavaScript. */
  isReloading: boolean;
  /** The address of the screen itself, where another one may be shown at the page's own; the script writes it into the history. */
  address?: string;
  /** The script sends the form of the screen by itself: there is nothing to decide. */
  isContinuing?: boolean;
  body: Html;
}

/** The content that all payment screens share. */
export interface PaymentView {
  access: PageAccess;
  /** The open page asks for news. */
  isFollowed: boolean;
  /** For the page's own requests, in a browser that keeps no cookies; null: it needs none. */
  proof: string | null;
  /** Of all facts, also those that the page does not show to everybody. */
  version: string;
  /** In the customer's language. */
  texts: Texts;
  status: CheckoutStatusContract;
  shop: ShopLink | null;
  transactions: PaymentInstructionsContract['transactions'];
  /** Added up; empty: all are listed. */
  otherTransactions: PaymentInstructionsContract['otherTransactions'];
  /** Funds on the wrong network or in the wrong coin; null if there are none. */
  unmatched: UnmatchedFunds | null;
  /** Of the network whose confirmations are shown; null: none was chosen yet. */
  network: string | null;
  /** Less than the due amount was seen. */
  isShort: boolean;
  /** What was seen is gone, and nothing has come since. */
  isTakenBack: boolean;
  /**
   * Late funds have no rate yet (specification/payment-states.md#late-funds), so it is unknown whether anything is
   * missing.
   */
  isPricing: boolean;
  overpaid: AmountContract | null;
  underpaid: AmountContract | null;
  /** The form for a payment that the page does not show. */
  report: {
    /** Where the payment can have been paid, the likeliest first; none: there is nothing to report. */
    networks: ReportNetwork[];
    /** `paid` of the page's query: null, if the form is folded; a problem, if there was one. */
    paid: string | null;
  };
  /** Of phones, for chains whose wallets have a browser. */
  walletApps: WalletApps;
  /** By slug: what wallets of the browser have to be told about a network. */
  walletNetworks: ReadonlyMap<string, WalletNetwork>;
  /** The address of this page without its query, for other devices. */
  pageUrl: string;
  /** The URL of this page with further parameters. */
  link(parameters: Record<string, string>): string;
}

/** For whoever has no more than a link that has ended: neither transactions, nor what can be asked back. */
export function withoutDetails(view: PaymentView): PaymentView {
  const { status } = view;
  return {
    ...view,
    status: Object.assign({}, status, { returnable: [], unmatchedTransactions: [] }),
    transactions: [],
    otherTransactions: [],
  };
}

/** What sentences about the merchant need of a payment. */
export interface NamedPayment {
  status: { reference: string; merchantSettings: { title: string } };
}

/** The merchant's name inside a sentence, isolated because it may be written from right to left. */
export function merchant({ status }: NamedPayment): Html {
  return markup`<bdi>${status.merchantSettings.title}</bdi>`;
}

/** @param look a button if going back is all that is left to do */
export function shopAnchor(
  { texts, shop }: Pick<PaymentView, 'texts' | 'shop'>,
  look: 'button' | 'link',
): Html | null {
  if (!shop) return null;
  const words = texts.html('shop.back', { host: markup`<bdi dir="ltr">${shop.host}</bdi>` });
  // "_top": the shop may show the page in a frame.
  return markup`<a class="${look}" id="back" href="${shop.href}" target="_top" rel="noreferrer"><span>${words}</span></a>`;
}

/** {@link shopAnchor} on a line of its own. */
export function backToShop(
  view: Pick<PaymentView, 'texts' | 'shop'>,
  look: 'button' | 'link' = 'link',
): Html | null {
  const anchor = shopAnchor(view, look);
  return anchor && markup`<p>${anchor}</p>`;
}

/** For everything that customer and merchant have to settle between themselves. */
export function contactShop(view: NamedPayment & { texts: Texts }): Html {
  const { reference: text } = view.status;
  // One that fills a line would push the full stop behind it to the next.
  const look = text.length > LONGEST_WHOLE ? null : markup` class="whole"`;
  const reference = markup`<strong><bdi${look}>${text}</bdi></strong>`;
  return view.texts.html('shop.contact', { shop: merchant(view), reference });
}

/** What became of funds that came when their price did not hold any more; null if none did. */
export function lateNote({ texts, transactions, isPricing }: PaymentView): Html | null {
  if (isPricing) return markup`<p>${texts.text('late.no-rate-yet')}</p>`;
  const isLate = transactions.some(({ late, matched }) => late && matched);
  return isLate ? markup`<p>${texts.text('late.own-rate')}</p>` : null;
}

/** The transfers seen on the chain; null if none. */
export function transactionList({ texts, transactions, otherTransactions }: PaymentView): Html | null {
  if (transactions.length === 0) return null;
  const items = transactions.map(
    (
      transaction,
    ) => markup`<li data-transaction="${transaction.txHash}" data-blocks="${String(transaction.confirmations)}">
      <strong>${money(texts, transaction.amount)}</strong> <span class="soft">${progressOf(texts, transaction)}</span>
      ${transactionHash(texts, transaction.txHash, transaction.explorerUrl)}
    </li>`,
  );
  const n = otherTransactions.reduce((sum, { count }) => sum + count, transactions.length);
  return markup`<h2>${texts.text('transaction.heading', { n })}</h2><ul class="seen">${items}${otherItems(texts, otherTransactions)}</ul>`;
}

/** "+ 17,975 (0.017975 USDC)": how many transfers are not listed, and what they add up to. */
export function otherItems(texts: Texts, others: PaymentView['otherTransactions']): Html[] {
  return others.map(
    ({ count, amount }) =>
      markup`<li data-others>+ ${texts.number(String(count))} (${money(texts, amount)})</li>`,
  );
}

/** Its confirmations in words. */
export function progressOf(texts: Texts, transaction: PaymentView['transactions'][number]): string {
  const { status, confirmations, confirmationsRequired, matched } = transaction;
  if (status !== 'PENDING' && status !== 'CONFIRMED') return texts.text('transaction.taken-back');
  if (status === 'CONFIRMED')
    return texts.text(matched ? 'transaction.confirmed' : 'transaction.confirmed-unmatched');
  const values = {
    seen: Math.min(confirmations, confirmationsRequired),
    required: confirmationsRequired,
  };
  return texts.text(matched ? 'transaction.pending' : 'transaction.pending-unmatched', values);
}
