import { type Html, markup } from '../../platform/kernel/markup.pure.js';
import type { Texts } from '../../platform/kernel/i18n/texts.js';
import { instant } from '../../platform/web/html/page-elements.js';
import type { PaymentConfirmationsContract } from '../checkout.contract.js';
import type { PaymentInstructionsContract } from '../payment-instructions.contract.js';
import type { ClockKind } from './screen.js';

/** `unknown` is hatched: nobody can say how things stand. */
export type BarTone = 'calm' | 'good' | 'warn' | 'unknown';

/** The status in words, and beside it what ends when. It stays at the top of the window. */
export function bar(tone: BarTone, text: Html | string, right: Html | null = null): Html {
  return markup`<p class="bar ${tone}"><span class="pulse" aria-hidden="true"></span><strong>${text}</strong>${right}</p>`;
}

/** In place of another bar while nobody sees what happens on a network. */
export function unknownBar(
  texts: Texts,
  network: string,
  { delayedSince }: Pick<PaymentConfirmationsContract, 'delayedSince'>,
  right: Html | null = null,
): Html {
  const name = markup`<bdi>${network}</bdi>`;
  const words =
    delayedSince === null
      ? texts.html('trouble.bar', { network: name })
      : texts.html('trouble.bar-since', { network: name, time: instant(texts, delayedSince) });
  return bar('unknown', words, right);
}

/** The script counts down in it; without JavaScript it says when the price, or the link, ends. */
export function countdown(
  texts: Texts,
  { expiresAt, checkoutExpiresAt }: Pick<PaymentInstructionsContract, 'expiresAt' | 'checkoutExpiresAt'>,
  clock: ClockKind,
): Html {
  const isLink = clock === 'link';
  const ends = isLink ? checkoutExpiresAt : expiresAt;
  const until = texts.html(isLink ? 'pay.link-until' : 'pay.fixed-until', { time: instant(texts, ends) });
  // What is missing may be paid after the end of its price, too.
  const isKept = clock === 'rest' ? markup` data-rest` : null;
  return markup`<span role="timer" class="left" data-ends="${ends}"${isKept}>${until}</span>`;
}
