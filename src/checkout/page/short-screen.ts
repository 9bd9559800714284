import type { PaymentInstructionsContract } from '../payment-instructions.contract.js';
import { type Html, markup } from '../../platform/kernel/markup.pure.js';
import type { MessageKey } from '../../platform/kernel/i18n/texts.js';
import { heading, money, notice } from '../../platform/web/html/page-elements.js';
import type { ReturnableFundsContract } from '../../refunds/refund-request.contract.js';
import { exchangeFold } from './exchange-fold.js';
import { clockOf, methodOf, onlyThis, payBlock, rateFold } from './pay-block.js';
import { reportFold, reportWords } from './report-fold.js';
import { isAwaited, returnable, returnableBlock } from './returnable-block.js';
import {
  backToShop,
  type ClockKind,
  contactShop,
  lateNote,
  merchant,
  type PaymentView,
  type Screen,
  transactionList,
} from './screen.js';
import { shareOf, shortSums, type SumName, type SumRow } from './short-sums.pure.js';
import { bar, countdown, unknownBar } from './status-bar.js';
import { strayNotice } from './stray-notice.js';
import { takeAlongFold } from './take-along.js';
import { walletAppsFold } from './wallet-apps-fold.js';
import { waySteps } from './way-steps.js';

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
  const clock = isRestWanted && instructions.secondsRemaining > 0 ? restClock(instructions) : null;
  const right = clock && instructions ? countdown(texts, instructions, clock) : null;
  const { confirmations } = status;
  const top =
    !isFinal && confirmations?.delayed && view.network !== null
      ? unknownBar(texts, view.network, confirmations, right)
      : bar('warn', texts.text('short.bar'), right);
  const name = isFinal ? 'underpaid' : 'found-short';
  const title = texts.text('short.title');
  const body = markup`${top}
    ${heading('warn', texts.html('short.heading', { amount: money(texts, missing) }))}
    <p>${texts.text(isFinal ? 'short.arrived' : 'short.seen')} ${isRestWanted ? texts.text('short.send-rest') : null}</p>
    ${sums(view, instructions)}
    ${lateNote(view)}
    ${isAskedBack ? askedBack(view, funds) : waysToPay(view, instructions, isPayable)}
    ${isAskedBack ? null : whatBecomesOfThePart(view, isRestWanted)}
    ${strayNotice(view)}
    ${isFinal ? null : waySteps(view)}
    ${transactionList(view)}
    ${takeAlongFold(view)}
    ${reportFold(view)}
    ${isAskedBack ? null : wantsBack(view, funds)}
    ${backToShop(view)}`;
  return {
    name,
    ...(instructions && { method: methodOf(instructions) }),
    ...(clock && { clock }),
    ...(clock === 'link' && { endedTitle: title, endedName: name }),
    title,
    announcement:
      `${texts.text('short.announcement', { amount: texts.money(missing) })} ${reportWords(view)}`.trim(),
    isAlert: true,
    isReloading: true,
    body,
  };
}

/** A link that ends takes the way to pay with it, and then the server says so. */
function restClock(instructions: PaymentInstructionsContract): ClockKind {
  return clockOf(instructions) === 'link' ? 'link' : 'rest';
}

function waysToPay(
  view: PaymentView,
  instructions: PaymentInstructionsContract | null,
  isPayable: boolean,
): Html {
  if (!instructions) return cannotPayTheRest(view);
  return isPayable ? payTheRest(view, instructions) : tooLittleToSend(view, instructions);
}

/** Said while there is time for the rest, and after it: what arrived is neither lost nor worth less when a price or the link ends. */
function whatBecomesOfThePart(view: PaymentView, isRestWanted: boolean): Html {
  const { texts, status } = view;
  const values = { shop: merchant(view) };
  // What the shop accepts by itself is not given back on request.
  const left = status.merchantSettings.allowUnderpay
    ? texts.html('short.may-accept', values)
    : texts.html('short.back-or-shop', values);
  const isOpen = isRestWanted || status.merchantSettings.allowUnderpay;
  return markup`<p id="part">${texts.text('short.part-counts')} ${isOpen ? left : null}</p>`;
}

/** In place of the way to pay the rest: what is sent now would have to be sent back as well. */
function askedBack(view: PaymentView, funds: readonly ReturnableFundsContract[]): Html {
  const { texts } = view;
  return notice(
    'warn',
    markup`<p><strong>${texts.text('claim.do-not-pay')}</strong></p>${returnableBlock(view, funds)}`,
  );
}

/** Of what has not arrived for good nothing can be given back yet: it is said when. */
function wantsBack(view: PaymentView, funds: readonly ReturnableFundsContract[]): Html {
  const { texts, status } = view;
  // What the shop accepts by itself is not given back on request.
  const isExpected = status.status === 'FOUND' && !status.merchantSettings.allowUnderpay;
  const content =
    funds.length > 0
      ? markup`<p>${texts.text('claim.instead')}</p>${returnableBlock(view, funds)}`
      : markup`<p>${isExpected ? whenConfirmed(view) : contactShop(view)}</p>`;
  return markup`<details class="fold" id="fold-back"><summary>${texts.text('short.want-back')}</summary>${content}</details>`;
}

function whenConfirmed({ texts, status: { confirmations } }: PaymentView): string {
  const seconds = confirmations?.estimatedSecondsRemaining ?? 0;
  if (seconds === 0) return texts.text('claim.when-confirmed');
  return texts.text('claim.when-confirmed-in', { duration: texts.duration(seconds) });
}

const SUMS = {
  price: 'sums.price',
  received: 'sums.received',
  confirming: 'sums.confirming',
  rest: 'sums.missing',
} as const satisfies Record<SumName, MessageKey>;

/** One currency in each column, and above it the same as a bar. */
function sums({ texts, status }: PaymentView, instructions: PaymentInstructionsContract | null): Html {
  const rows = shortSums(status, instructions);
  const hasCoins = rows.some(({ coin }) => coin !== null);
  const lines = rows.map(
    ({ name, coin, price }) =>
      markup`<tr class="${name}"><th scope="row">${texts.text(SUMS[name])}</th>${hasCoins ? markup`<td>${coin && money(texts, coin)}</td>` : null}<td>${money(texts, price)}</td></tr>`,
  );
  return markup`${partBar(rows)}<table class="table-sums"><tbody>${lines}</tbody></table>`;
}

/** Its figures stand in the table. */
function partBar(rows: readonly SumRow[]): Html {
  const [whole] = rows;
  const share = (wanted: SumName): number => {
    const part = rows.find(({ name }) => name === wanted);
    return part && whole ? shareOf(part.price, whole.price) : 0;
  };
  const received = share('received');
  return markup`<svg class="blocks" viewBox="0 0 1000 8" preserveAspectRatio="none" aria-hidden="true"><rect width="1000" height="8"/><rect class="good" width="${String(received)}" height="8"/><rect class="here" x="${String(received)}" width="${String(share('confirming'))}" height="8"/></svg>`;
}

/** The same ticket as before, for the rest. The script shows its first line when the price, or the link, ends. */
function payTheRest(view: PaymentView, instructions: PaymentInstructionsContract): Html {
  const { texts, status } = view;
  const { remainingAmount, secondsRemaining } = instructions;
  const isOver = secondsRemaining === 0;
  const isHidden = isOver ? null : markup` hidden`;
  const ended = !isOver && restClock(instructions) === 'link' ? 'short.link-ended' : 'short.price-over';
  return markup`<p id="ended"${isHidden}>${texts.text(ended)}</p>
    <div class="pay" id="payable">${onlyThis(texts, instructions)}${payBlock(texts, instructions, remainingAmount, { worth: status.remainingAmount, ways: walletAppsFold(view, instructions) })}
    ${exchangeFold(texts, instructions, remainingAmount)}${rateFold(texts, instructions)}</div>`;
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
