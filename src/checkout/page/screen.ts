import type { AmountContract } from '../../money/amount.contract.js';
import type { CheckoutStatusContract } from '../checkout.contract.js';
import type { PaymentInstructionsContract } from '../payment-instructions.contract.js';
import { type Html, markup } from '../../platform/html/markup.pure.js';
import type { Texts } from '../../platform/i18n/texts.js';
import { notice } from '../../platform/html/page-elements.js';
import type { ShopLink } from './shop-link.js';

/** The content of the page's `<main>`, and its title and status line. */
export interface Screen {
  /** When the script replaces a screen by one with another name, it moves the focus to the new heading. */
  name: string;
  /** The first part of the document's title. */
  title: string;
  /** Read out by screen readers when the script shows the screen; an alert interrupts them. */
  announcement: string;
  isAlert: boolean;
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
  /** In the customer's language. */
  texts: Texts;
  status: CheckoutStatusContract;
  shop: ShopLink | null;
  transactions: PaymentInstructionsContract['transactions'];
  /** Less than the due amount was seen. */
  isShort: boolean;
  /**
   * Late funds have no rate yet (specification/payment-states.md#late-funds), so it is unknown whether anything is
   * missing.
   */
  isPricing: boolean;
  overpaid: AmountContract | null;
  underpaid: AmountContract | null;
  /** The URL of this page with further parameters. */
  link(parameters: Record<string, string>): string;
}

/** The merchant's name inside a sentence, isolated because it may be written from right to left. */
export function merchant({ status }: Pick<PaymentView, 'status'>): Html {
  return markup`<bdi>${status.merchantSettings.title}</bdi>`;
}

/** @param look a button if going back is all that is left to do */
export function shopAnchor({ shop }: Pick<PaymentView, 'shop'>, look: 'button' | 'link'): Html | null {
  if (!shop) return null;
  // "_top": the shop may show the page in a frame.
  return markup`<a class="${look}" id="back" href="${shop.href}" target="_top" rel="noreferrer">Back to ${shop.host}</a>`;
}

/** {@link shopAnchor} on a line of its own. */
export function backToShop(view: Pick<PaymentView, 'shop'>, look: 'button' | 'link' = 'link'): Html | null {
  const anchor = shopAnchor(view, look);
  return anchor && markup`<p>${anchor}</p>`;
}

/** For everything that customer and merchant have to settle between themselves. */
export function contactShop(view: PaymentView): Html {
  return markup`Contact ${merchant(view)} and name the reference <strong><bdi>${view.status.reference}</bdi></strong>.`;
}

/** The options of merchant and customer for unmatched funds. */
function strayAdvice(view: PaymentView): Html {
  const { status } = view.status;
  switch (status) {
    case 'OPEN':
    case 'UNDERPAID':
      return markup`${merchant(view)} can see it, and can accept it or send it back. ${contactShop(view)} You can also
        pay as requested here, and have this sent back.`;
    case 'FOUND':
      return markup`${merchant(view)} can see it, and can accept it or send it back. ${contactShop(view)}`;
    case 'RECEIVED':
    case 'CONFIRMED':
      return markup`The payment is complete without it. ${merchant(view)} can see it, and can send it back.
        ${contactShop(view)}`;
    default:
      return markup`${merchant(view)} can see it, and can send it back. ${contactShop(view)}`;
  }
}

/**
 * A note for the customer that funds on the wrong network or in the wrong coin are not lost
 * (specification/payment-states.md#unmatched-funds).
 */
export function strayNotice(view: PaymentView): Html | null {
  const sentences = view.status.warnings;
  if (sentences.length === 0) return null;
  return notice(
    'warn',
    markup`<p><strong>${sentences.join(' ')}</strong> It is recorded, but does not count so far.
      ${strayAdvice(view)}</p>`,
  );
}

/** The transfers seen on the chain; null if none. */
export function transactionList({ transactions }: PaymentView): Html | null {
  if (transactions.length === 0) return null;
  const items = transactions.map(
    (transaction) => markup`<li>
      <strong>${transaction.amount.formatted}</strong> <span class="soft">${progressOf(transaction)}</span>
      ${hashOf(transaction)}
    </li>`,
  );
  return markup`<h2>${items.length === 1 ? 'Transaction' : 'Transactions'}</h2><ul class="seen">${items}</ul>`;
}

function progressOf(transaction: PaymentView['transactions'][number]): string {
  const { status, confirmations, confirmationsRequired, matched } = transaction;
  if (status !== 'PENDING' && status !== 'CONFIRMED') return 'taken back by the network';
  const counts = matched ? '' : ', does not count';
  if (status === 'CONFIRMED') return `confirmed${counts}`;
  return `${Math.min(confirmations, confirmationsRequired)} of ${confirmationsRequired} confirmations${counts}`;
}

function hashOf({ txHash, explorerUrl }: PaymentView['transactions'][number]): Html {
  const hash = markup`<code>${txHash}</code>`;
  if (explorerUrl === null) return hash;
  return markup`<a href="${explorerUrl}" target="_blank" rel="noopener noreferrer">${hash}<span class="unseen"> (opens a block explorer in a new tab)</span></a>`;
}
