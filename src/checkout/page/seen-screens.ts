import type { PaymentInstructionsContract } from '../payment-instructions.contract.js';
import { type Html, markup } from '../../platform/html/markup.pure.js';
import { aboutDuration, utcTime } from './page-text.js';
import { payBlock } from './pay-screen.js';
import { heading, notice, row } from '../../platform/html/page-elements.js';
import {
  backToShop,
  contactShop,
  merchant,
  type PaymentView,
  type Screen,
  strayNotice,
  transactionList,
} from './screen.js';

const NOTHING_SEEN = { seen: 0, required: 0, delayed: false };

/** The full amount was seen and awaits confirmations. */
export function foundScreen(view: PaymentView): Screen {
  const { seen, required, delayed } = view.status.confirmations ?? NOTHING_SEEN;
  const body = markup`${heading('calm', 'Payment seen')}
    <p>Your payment is on the network and being confirmed.</p>
    ${confirmations(view)}
    ${view.isPricing ? markup`<p>It came after its price had ended, and its value is being worked out.</p>` : null}
    <p>There is nothing more to do, and you can close this page. ${merchant(view)} is notified as soon as the
      payment is complete.</p>
    ${strayNotice(view)}
    ${transactionList(view)}
    ${backToShop(view)}`;
  return {
    name: 'found',
    title: 'Payment seen',
    announcement: `Payment seen. ${seen} of ${required} confirmations.${delayed ? ' The network is delayed.' : ''}`,
    isAlert: false,
    isReloading: true,
    body,
  };
}

/** Less than the due amount was seen. @param instructions null: the remainder cannot be paid here now */
export function shortScreen(view: PaymentView, instructions: PaymentInstructionsContract | null): Screen {
  const { status } = view;
  // In the coin if possible, since only that amount is exact.
  const missing = (instructions?.remainingAmount ?? status.remainingAmount).formatted;
  const isFinal = status.status === 'UNDERPAID';
  const isPayable =
    instructions !== null && instructions.remainingAmount.amount >= instructions.minAmount.amount;
  const body = markup`${heading('warn', `${missing} is still missing`)}
    <p>${isFinal ? 'Your payment has arrived' : 'Your payment was seen'}, but it is less than the price.
      ${isPayable ? 'Please send the rest to the same address.' : null}</p>
    ${isFinal ? null : confirmations(view)}
    ${sums(view, instructions)}
    ${instructions && (isPayable ? payTheRest(instructions) : tooLittleToSend(view, instructions))}
    ${instructions ? null : cannotPayTheRest(view)}
    ${
      status.merchantSettings.allowUnderpay
        ? markup`<p>If you send nothing more, ${merchant(view)} may accept what has arrived.</p>`
        : null
    }
    ${strayNotice(view)}
    ${transactionList(view)}
    <p class="soft">Would you rather have your money back? ${contactShop(view)}</p>
    ${backToShop(view)}`;
  return {
    name: isFinal ? 'underpaid' : 'found-short',
    title: 'Amount missing',
    announcement: `${missing} is still missing.`,
    isAlert: true,
    isReloading: true,
    body,
  };
}

function confirmations({ status }: PaymentView): Html {
  const { seen, required, delayed } = status.confirmations ?? NOTHING_SEEN;
  return markup`<p><progress max="${String(Math.max(required, 1))}" value="${String(seen)}" aria-hidden="true"></progress>
    <strong>${`${seen} of ${required} confirmations.`}</strong><span class="soft">${remainingTime(status)}</span></p>
    ${delayed ? DELAYED : null}`;
}

/** Empty where nothing is known. */
function remainingTime({ confirmations: progress }: PaymentView['status']): string {
  const seconds = progress?.estimatedSecondsRemaining ?? 0;
  if (seconds > 0) return ` Usually ${progress?.finality ? 'final' : 'done'} in ${aboutDuration(seconds)}.`;
  // Deep enough: what is missing is the network's own word, which comes in steps of several blocks.
  return progress?.finality && !progress.delayed && progress.seen > 0 ? ' Almost final.' : '';
}

const DELAYED = notice(
  'warn',
  markup`<p><strong>The network is delayed.</strong> No new block has come in for a while, so this takes longer than
    usual. Your payment is not lost: it goes on as soon as blocks come again, and there is no need to pay twice.</p>`,
);

function sums({ status }: PaymentView, instructions: PaymentInstructionsContract | null): Html {
  const pending = instructions?.pendingAmount;
  return markup`<dl class="sums">
    ${row('Price', status.amount.formatted)}
    ${row('Received', status.receivedAmount.formatted)}
    ${pending && pending.amount > 0n ? row('Being confirmed', pending.formatted) : null}
    ${row('Missing', markup`<strong>${status.remainingAmount.formatted}</strong>`)}
  </dl>`;
}

function payTheRest(instructions: PaymentInstructionsContract): Html {
  const { remainingAmount, expiresAt, serverTime, secondsRemaining } = instructions;
  const time = markup`<time datetime="${expiresAt}">${utcTime(expiresAt, serverTime)}</time>`;
  const price =
    secondsRemaining > 0
      ? row('Price fixed until', time)
      : row(
          'Price was fixed until',
          markup`${time}. What comes later may count at the rate of its own time.`,
        );
  return payBlock(instructions, remainingAmount, price);
}

/**
 * The remainder is below the dust limit: it cannot be sent, and sending the limit instead would overpay
 * (specification/chains.md#smallest-transfers).
 */
function tooLittleToSend(view: PaymentView, { blockchain, minAmount }: PaymentInstructionsContract): Html {
  return notice(
    'warn',
    markup`<p><strong>Please send nothing more: it is too little.</strong> The ${blockchain.name} network carries no less
      than ${minAmount.formatted}. ${merchant(view)} can accept what has arrived. ${contactShop(view)}</p>`,
  );
}

function cannotPayTheRest(view: PaymentView): Html {
  return notice('warn', markup`<p>The rest cannot be paid here at the moment. ${contactShop(view)}</p>`);
}
