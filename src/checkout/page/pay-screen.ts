import { type Html, markup } from '../../platform/kernel/markup.pure.js';
import { networkOf } from '../../chains/network-name.pure.js';
import { heading, named, notice } from '../../platform/web/html/page-elements.js';
import type { Texts } from '../../platform/kernel/i18n/texts.js';
import type { PaymentInstructionsContract } from '../payment-instructions.contract.js';
import { clockOf, methodOf, onlyThis, payBlock, rateFold } from './pay-block.js';
import { exchangeFold } from './exchange-fold.js';
import { methodMark } from './marks.js';
import { paySteps } from './pay-steps.js';
import { chooseForm } from './picker-elements.js';
import { refundScreen } from './refund-screen.js';
import { reportFold, reportWords } from './report-fold.js';
import { type ClockKind, type PaymentView, type Screen, shopAnchor } from './screen.js';
import { bar, countdown, unknownBar } from './status-bar.js';
import {
  strayBar,
  strayBarHtml,
  strayHeading,
  strayNotice,
  strayRefunds,
  strayWords,
} from './stray-notice.js';
import { takeAlongFold } from './take-along.js';
import { walletAppsFold } from './wallet-apps-fold.js';

/**
 * Instructions, before any funds were seen. Once the price has ended there are none: the customer has to ask for a new
 * one, which is never done silently.
 * @param canChange there are other methods
 */
export function payScreen(
  view: PaymentView,
  instructions: PaymentInstructionsContract,
  canChange: boolean,
): Screen {
  if (strayRefunds(view).length > 0) return refundFirst(view, instructions, canChange);
  return instructions.secondsRemaining > 0
    ? priceHolds(view, instructions, canChange)
    : priceEnded(view, instructions, canChange);
}

/** The order can still be paid, by who opens the fold. */
function refundFirst(
  view: PaymentView,
  instructions: PaymentInstructionsContract,
  canChange: boolean,
): Screen {
  const { texts } = view;
  const { amount, blockchain } = instructions;
  const isOver = instructions.secondsRemaining === 0;
  const clock = clockOf(instructions);
  const content = markup`${isOver ? null : markup`<p class="soft">${countdown(texts, instructions, clock)}</p>`}
    ${head(view, instructions, canChange, false)}
    ${troubleNotice(view, instructions, canChange)}
    ${clock === 'link' && !isOver ? linkEndedNotice(view) : endedNotice(view, instructions, !isOver)}
    ${isOver ? null : payable(view, instructions)}`;
  const values = { coin: named(amount.currency.code), network: named(blockchain.name) };
  const screen = refundScreen(view, { summary: texts.html('stray.pay-again', values), content });
  return { ...screen, method: methodOf(instructions), ...(isOver ? {} : { clock }) };
}

/** Everything to pay with, which goes when the price or the link ends. */
function payable(view: PaymentView, instructions: PaymentInstructionsContract): Html {
  const { texts } = view;
  return markup`<div id="payable">
      ${payBlock(texts, instructions, instructions.amount, { worth: view.status.amount, ways: walletAppsFold(view, instructions) })}
      ${paySteps(texts, instructions)}
      ${exchangeFold(texts, instructions, instructions.amount)}
      ${rateFold(texts, instructions)}
      ${takeAlongFold(view)}
    </div>`;
}

function priceHolds(
  view: PaymentView,
  instructions: PaymentInstructionsContract,
  canChange: boolean,
): Screen {
  const { texts } = view;
  const clock = clockOf(instructions);
  const body = markup`${topOf(view, instructions, clock)}
    ${view.unmatched ? strayHeading(view) : null}
    ${strayNotice(view, 'payable')}
    ${head(view, instructions, canChange)}
    ${troubleNotice(view, instructions, canChange)}
    ${clock === 'link' ? linkEndedNotice(view) : endedNotice(view, instructions, true)}
    ${payable(view, instructions)}
    ${reportFold(view)}
    ${waysOut(view)}`;
  return {
    name: view.unmatched ? 'pay-stray' : 'pay',
    method: methodOf(instructions),
    title: view.unmatched ? strayBar(view) : texts.text('pay.title'),
    endedTitle: texts.text(clock === 'link' ? 'expired.title' : 'pay.ended-title'),
    endedName: clock === 'link' ? 'expired' : 'price-ended',
    clock,
    announcement: words(
      strayWords(view),
      troubleWords(texts, instructions),
      reportWords(view),
      texts.text('pay.announcement'),
    ),
    isAlert: view.unmatched !== null || instructions.confirmations.delayed,
    isReloading: true,
    body,
  };
}

function priceEnded(
  view: PaymentView,
  instructions: PaymentInstructionsContract,
  canChange: boolean,
): Screen {
  const { texts } = view;
  const ended = texts.text('pay.ended');
  const body = markup`${bar('warn', ended)}
    ${view.unmatched ? strayHeading(view) : null}
    ${strayNotice(view, 'ended')}
    ${head(view, instructions, canChange)}
    ${troubleNotice(view, instructions, canChange)}
    ${endedNotice(view, instructions, false)}
    ${reportFold(view)}
    ${waysOut(view)}`;
  return {
    name: 'price-ended',
    method: methodOf(instructions),
    title: texts.text('pay.ended-title'),
    announcement: words(strayWords(view), troubleWords(texts, instructions), reportWords(view), ended),
    isAlert: true,
    // Funds that are on their way are still noticed.
    isReloading: true,
    body,
  };
}

function words(...sentences: readonly string[]): string {
  return sentences.filter(Boolean).join(' ');
}

/** What the bar says, and who has the heading: what came instead, or what is to be paid. */
function topOf(view: PaymentView, instructions: PaymentInstructionsContract, clock: ClockKind): Html {
  const { texts, unmatched } = view;
  const { confirmations, blockchain } = instructions;
  const right = countdown(texts, instructions, clock);
  if (unmatched) return bar('warn', strayBarHtml(view), right);
  if (confirmations.delayed) return unknownBar(texts, blockchain.name, confirmations, right);
  return bar('calm', texts.text('pay.waiting'), right);
}

/** @param isFirst it has the heading of the page */
function head(
  view: PaymentView,
  instructions: PaymentInstructionsContract,
  canChange: boolean,
  isFirst = view.unmatched === null,
): Html {
  const { texts } = view;
  const { amount, blockchain } = instructions;
  const coin = amount.currency.code;
  // As in the choice, at an exchange, and in the warning below it.
  const title = texts.text('pay.heading', { coin, network: networkOf(texts, instructions) });
  const change = markup`<a class="link" id="change" href="${view.link({ choose: '1' })}" aria-label="${texts.text('pay.change-way')}">${texts.text('pay.change')}</a>`;
  // One heading of the page: what came instead has it.
  const words = isFirst ? heading('plain', title) : markup`<h2>${title}</h2>`;
  return markup`<div class="head">${methodMark(coin, blockchain.slug)}<div>${words}${onlyThis(texts, instructions)}</div>${canChange ? change : null}</div>`;
}

/** Before anything was sent: the customer may still choose another network, or wait. Null without trouble. */
function troubleNotice(
  { texts, link }: PaymentView,
  { blockchain, confirmations }: PaymentInstructionsContract,
  canChange: boolean,
): Html | null {
  if (!confirmations.delayed) return null;
  const trouble = texts.html('pay.trouble', { network: markup`<bdi>${blockchain.name}</bdi>` });
  return notice(
    'warn',
    markup`<p id="trouble"><strong>${trouble}</strong> ${texts.text('pay.trouble-why')} ${canChange ? markup`<a href="${link({ choose: '1' })}">${texts.text('trouble.pay-another-way')}</a>` : null}</p>`,
  );
}

/** The same for screen readers. */
function troubleWords(texts: Texts, { blockchain, confirmations }: PaymentInstructionsContract): string {
  if (!confirmations.delayed) return '';
  return `${texts.text('pay.trouble', { network: blockchain.name })} ${texts.text('pay.trouble-why')}`;
}

/**
 * In place of the instructions when the price has ended: a new one is only made on request.
 * @param isHidden the script shows it when the countdown ends
 */
function endedNotice(view: PaymentView, instructions: PaymentInstructionsContract, isHidden: boolean): Html {
  const { texts } = view;
  const button = markup`<button class="button" id="renew">${texts.text('pay.renew')}</button>`;
  return markup`<div class="note warn" id="ended"${isHidden ? markup` hidden` : null}>
      <p><strong>${texts.text('pay.ended')}</strong> ${texts.text('pay.ended-why')}</p>
      ${chooseForm(view, instructions, button)}
    </div>`;
}

/** In place of the instructions when the link has ended, until the server says what has become of the payment. */
function linkEndedNotice(view: PaymentView): Html {
  return markup`<div class="note warn" id="ended" hidden><p><strong>${view.texts.text('expired.heading')}</strong> ${view.texts.text('expired.watching')}</p></div>`;
}

function waysOut(view: PaymentView): Html | null {
  const anchor = shopAnchor(view, 'link');
  return anchor && markup`<div class="ways">${anchor}</div>`;
}
