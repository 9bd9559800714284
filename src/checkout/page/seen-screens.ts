import type { PaymentInstructionsContract } from '../payment-instructions.contract.js';
import { getCurrency } from '../../money/currencies.js';
import { presentAmount } from '../../money/present-amount.js';
import { type Html, markup } from '../../platform/kernel/markup.pure.js';
import { clockOf, methodOf, onlyThis, payBlock } from './pay-block.js';
import { heading, instant, money, notice, row } from '../../platform/web/html/page-elements.js';
import { reportFold, reportWords } from './report-fold.js';
import type { ReturnableFundsContract } from '../../refunds/refund-request.contract.js';
import { isAwaited, returnable, returnableBlock } from './returnable-block.js';
import {
  backToShop,
  contactShop,
  lateNote,
  merchant,
  type PaymentView,
  type Screen,
  transactionList,
} from './screen.js';
import { strayNotice } from './stray-notice.js';
import { takeAlongFold } from './take-along.js';

const NOTHING_SEEN = { seen: 0, required: 0, delayed: false };
const MINUTE = 60;

/** The full amount was seen and awaits confirmations. */
export function foundScreen(view: PaymentView): Screen {
  const { texts } = view;
  const { seen, required, delayed } = view.status.confirmations ?? NOTHING_SEEN;
  const body = markup`${heading('calm', texts.text('seen.heading'))}
    <p>${texts.text('seen.text')}</p>
    ${confirmations(view)}
    ${lateNote(view)}
    <p>${texts.html('seen.nothing-to-do', { shop: merchant(view) })}</p>
    ${strayNotice(view)}
    ${transactionList(view)}
    ${takeAlongFold(view)}
    ${backToShop(view)}`;
  return {
    name: 'found',
    title: texts.text('seen.title'),
    announcement: texts.text(delayed ? 'seen.announcement-delayed' : 'seen.announcement', { seen, required }),
    isAlert: false,
    isReloading: true,
    body,
  };
}

/** Less than the due amount was seen. @param instructions null: the remainder cannot be paid here now */
export function shortScreen(view: PaymentView, instructions: PaymentInstructionsContract | null): Screen {
  const { texts, status } = view;
  // In the coin if possible, since only that amount is exact.
  const missing = instructions?.remainingAmount ?? status.remainingAmount;
  const isFinal = status.status === 'UNDERPAID';
  const isPayable =
    instructions !== null && instructions.remainingAmount.amount >= instructions.minAmount.amount;
  const funds = returnable(view, 'UNDERPAYMENT');
  const isAskedBack = funds.some(isAwaited);
  const isRestWanted = isPayable && !isAskedBack;
  const body = markup`${heading('warn', texts.html('short.heading', { amount: money(texts, missing) }))}
    <p>${texts.text(isFinal ? 'short.arrived' : 'short.seen')} ${isRestWanted ? texts.text('short.send-rest') : null}</p>
    ${isFinal ? null : confirmations(view)}
    ${lateNote(view)}
    ${sums(view, instructions)}
    ${isAskedBack ? askedBack(view, funds) : waysToPay(view, instructions, isPayable)}
    ${
      status.merchantSettings.allowUnderpay
        ? markup`<p>${texts.html('short.may-accept', { shop: merchant(view) })}</p>`
        : null
    }
    ${strayNotice(view)}
    ${transactionList(view)}
    ${takeAlongFold(view)}
    ${reportFold(view)}
    ${isAskedBack ? null : wantsBack(view, funds)}
    ${backToShop(view)}`;
  return {
    name: isFinal ? 'underpaid' : 'found-short',
    ...(instructions && { method: methodOf(instructions) }),
    title: texts.text('short.title'),
    announcement:
      `${texts.text('short.announcement', { amount: texts.money(missing) })} ${reportWords(view)}`.trim(),
    isAlert: true,
    isReloading: true,
    body,
  };
}

function waysToPay(
  view: PaymentView,
  instructions: PaymentInstructionsContract | null,
  isPayable: boolean,
): Html {
  if (!instructions) return cannotPayTheRest(view);
  return isPayable ? payTheRest(view, instructions) : tooLittleToSend(view, instructions);
}

/** In place of the way to pay the rest: what is sent now would have to be sent back as well. */
function askedBack(view: PaymentView, funds: readonly ReturnableFundsContract[]): Html {
  const { texts } = view;
  return notice(
    'warn',
    markup`<p><strong>${texts.text('claim.do-not-pay')}</strong></p>${returnableBlock(view, funds)}`,
  );
}

function wantsBack(view: PaymentView, funds: readonly ReturnableFundsContract[]): Html {
  const { texts } = view;
  if (funds.length === 0)
    return markup`<p class="soft">${texts.text('short.want-back')} ${contactShop(view)}</p>`;
  return markup`<p class="soft">${texts.text('short.want-back')} ${texts.text('claim.instead')}</p>${returnableBlock(view, funds)}`;
}

function confirmations(view: PaymentView): Html {
  const { seen, required, delayed } = view.status.confirmations ?? NOTHING_SEEN;
  return markup`${steps(view)}
    <p><progress max="${String(Math.max(required, 1))}" value="${String(seen)}" aria-hidden="true"></progress>
    <span class="soft">${remainingTime(view)}</span></p>
    ${delayed ? delayedNotice(view) : null}`;
}

/** How far the payment has come; what is done has a mark besides its color. */
function steps({ texts, status }: PaymentView): Html {
  const { seen, required } = status.confirmations ?? NOTHING_SEEN;
  const done = (words: string) =>
    markup`<li class="done">${words} <span aria-hidden="true">✓</span><span class="unseen"> ${texts.text('seen.step-done')}</span></li>`;
  return markup`<ol class="steps">${done(texts.text('seen.step-sent'))}${done(texts.text('seen.step-seen'))}<li aria-current="step">${texts.text('seen.step-confirming', { seen, required })}</li></ol>`;
}

/** Empty where nothing is known. */
function remainingTime({ texts, status: { confirmations: progress } }: PaymentView): string {
  const seconds = progress?.estimatedSecondsRemaining ?? 0;
  if (seconds > 0 && seconds < MINUTE)
    return texts.text(progress?.finality ? 'seen.final-soon' : 'seen.done-soon');
  if (seconds > 0) {
    const duration = texts.duration(seconds);
    return texts.text(progress?.finality ? 'seen.final-in' : 'seen.done-in', { duration });
  }
  // Deep enough: what is missing is the network's own word, which comes in steps of several blocks.
  return progress?.finality && !progress.delayed && progress.seen > 0 ? texts.text('seen.almost-final') : '';
}

function delayedNotice({ texts }: PaymentView): Html {
  return notice(
    'warn',
    markup`<p><strong>${texts.text('seen.delayed')}</strong> ${texts.text('seen.delayed-why')}</p>`,
  );
}

function sums({ texts, status }: PaymentView, instructions: PaymentInstructionsContract | null): Html {
  const { amount, receivedAmount, remainingAmount } = status;
  // After the end of the link there are no instructions: in the currency of the price, of which the rest is known.
  const unconfirmed = amount.amount - receivedAmount.amount - remainingAmount.amount;
  const pending =
    instructions?.pendingAmount ?? presentAmount(unconfirmed, getCurrency(amount.currency.code));
  return markup`<dl class="sums">
    ${row(texts.text('sums.price'), money(texts, status.amount))}
    ${row(texts.text('sums.received'), money(texts, status.receivedAmount))}
    ${pending.amount > 0n ? row(texts.text('sums.confirming'), money(texts, pending)) : null}
    ${row(texts.text('sums.missing'), markup`<strong>${money(texts, status.remainingAmount)}</strong>`)}
  </dl>`;
}

function payTheRest({ texts, status }: PaymentView, instructions: PaymentInstructionsContract): Html {
  const { remainingAmount, expiresAt, checkoutExpiresAt, secondsRemaining } = instructions;
  const time = instant(texts, expiresAt);
  const fixed =
    clockOf(instructions) === 'link'
      ? row(texts.text('short.link-until'), instant(texts, checkoutExpiresAt))
      : row(texts.text('short.fixed-until'), time);
  const price =
    secondsRemaining > 0
      ? fixed
      : row(texts.text('short.was-fixed-until'), texts.html('short.later-at-own-rate', { time }));
  return markup`<div class="pay">${onlyThis(texts, instructions)}${payBlock(texts, instructions, remainingAmount, { worth: status.remainingAmount })}
    <dl class="facts">${price}</dl></div>`;
}

/**
 * The remainder is below the dust limit: it cannot be sent, and sending the limit instead would overpay
 * (specification/chains.md#smallest-transfers).
 */
function tooLittleToSend(view: PaymentView, { blockchain, minAmount }: PaymentInstructionsContract): Html {
  const { texts } = view;
  const limit = texts.html('short.network-limit', {
    network: markup`<bdi>${blockchain.name}</bdi>`,
    amount: money(texts, minAmount),
    shop: merchant(view),
  });
  return notice(
    'warn',
    markup`<p><strong>${texts.text('short.too-little')}</strong> ${limit} ${contactShop(view)}</p>`,
  );
}

function cannotPayTheRest(view: PaymentView): Html {
  const words = view.texts.text(view.access === 'pay' ? 'short.not-payable' : 'short.link-ended');
  return notice('warn', markup`<p>${words} ${contactShop(view)}</p>`);
}
