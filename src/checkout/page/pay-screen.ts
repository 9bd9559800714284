import { type Html, markup } from '../../platform/kernel/markup.pure.js';
import { networkOf } from '../../chains/network-name.pure.js';
import { heading, instant, notice } from '../../platform/web/html/page-elements.js';
import type { Texts } from '../../platform/kernel/i18n/texts.js';
import type { PaymentInstructionsContract } from '../payment-instructions.contract.js';
import { clockOf, methodOf, onlyThis, payBlock, rateFold } from './pay-block.js';
import { exchangeFold } from './exchange-fold.js';
import { methodMark } from './marks.js';
import { paySteps } from './pay-steps.js';
import { chooseForm } from './picker-elements.js';
import { reportFold, reportWords } from './report-fold.js';
import { type ClockKind, type PaymentView, type Screen, shopAnchor } from './screen.js';
import { strayNotice, strayWords } from './stray-notice.js';
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
  return instructions.secondsRemaining > 0
    ? priceHolds(view, instructions, canChange)
    : priceEnded(view, instructions, canChange);
}

function priceHolds(
  view: PaymentView,
  instructions: PaymentInstructionsContract,
  canChange: boolean,
): Screen {
  const { texts } = view;
  const clock = clockOf(instructions);
  const body = markup`${bar('calm', texts.text('pay.waiting'), countdown(view, instructions, clock))}
    ${head(view, instructions, canChange)}
    ${troubleNotice(texts, instructions)}
    ${strayNotice(view)}
    ${clock === 'link' ? linkEndedNotice(view) : endedNotice(view, instructions, true)}
    <div id="payable">
      ${payBlock(texts, instructions, instructions.amount, { worth: view.status.amount, ways: walletAppsFold(view, instructions) })}
      ${paySteps(texts, instructions)}
      ${exchangeFold(texts, instructions)}
      ${rateFold(texts, instructions)}
      ${takeAlongFold(view)}
    </div>
    ${reportFold(view)}
    ${waysOut(view)}`;
  return {
    name: 'pay',
    method: methodOf(instructions),
    title: texts.text('pay.title'),
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
  const body = markup`${bar('warn', ended, null)}
    ${head(view, instructions, canChange)}
    ${troubleNotice(texts, instructions)}
    ${strayNotice(view)}
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

/** The status in words, and beside it how long the price holds. It stays at the top of the window. */
function bar(tone: 'calm' | 'warn', text: string, clock: Html | null): Html {
  return markup`<p class="bar ${tone}"><span class="pulse" aria-hidden="true"></span><strong>${text}</strong>${clock}</p>`;
}

/** The script counts down in it; without JavaScript it says when the price, or the link, ends. */
function countdown(
  { texts }: PaymentView,
  { expiresAt, checkoutExpiresAt }: PaymentInstructionsContract,
  clock: ClockKind,
): Html {
  const [ends, words] = {
    price: [expiresAt, 'pay.fixed-until'] as const,
    link: [checkoutExpiresAt, 'pay.link-until'] as const,
  }[clock];
  const until = texts.html(words, { time: instant(texts, ends) });
  return markup`<span role="timer" class="left" data-ends="${ends}">${until}</span>`;
}

function head(view: PaymentView, instructions: PaymentInstructionsContract, canChange: boolean): Html {
  const { texts } = view;
  const { amount, blockchain } = instructions;
  const coin = amount.currency.code;
  // As in the choice, at an exchange, and in the warning below it.
  const title = texts.text('pay.heading', { coin, network: networkOf(texts, instructions) });
  const change = markup`<a class="link" id="change" href="${view.link({ choose: '1' })}" aria-label="${texts.text('pay.change-way')}">${texts.text('pay.change')}</a>`;
  return markup`<div class="head">${methodMark(coin, blockchain.slug)}<div>${heading('plain', title)}${onlyThis(texts, instructions)}</div>${canChange ? change : null}</div>`;
}

/** Before anything was sent: the customer may still choose another network, or wait. Null without trouble. */
function troubleNotice(
  texts: Texts,
  { blockchain, confirmations }: PaymentInstructionsContract,
): Html | null {
  if (!confirmations.delayed) return null;
  const trouble = texts.html('pay.trouble', { network: markup`<bdi>${blockchain.name}</bdi>` });
  return notice(
    'warn',
    markup`<p id="trouble"><strong>${trouble}</strong> ${texts.text('pay.trouble-why')}</p>`,
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
