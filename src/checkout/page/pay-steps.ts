import { CHAIN_CATALOG } from '../../chains/chain-catalog.pure.js';
import { type Html, markup } from '../../platform/kernel/markup.pure.js';
import type { Texts } from '../../platform/kernel/i18n/texts.js';
import type { PaymentInstructionsContract } from '../payment-instructions.contract.js';

/**
 * What will happen, before anything was sent. Every network is looked at more often than each few seconds, in its blocks or
 * in what waits for one; from then on the blocks that the amount needs take their usual time.
 */
export function paySteps(texts: Texts, { blockchain, confirmations }: PaymentInstructionsContract): Html {
  const chain = CHAIN_CATALOG.find(({ slug }) => slug === blockchain.slug);
  const duration = chain && texts.duration(confirmations.required * chain.averageBlockSeconds, 'short');
  const steps: [name: string, detail: string][] = [
    [texts.text('pay.step-send'), texts.text('pay.step-send-how')],
    // Where the network is not followed as usual, no time is promised.
    [texts.text('seen.step-seen'), confirmations.delayed ? '' : texts.text('pay.step-seen-when')],
    [
      texts.text('pay.step-paid'),
      duration === undefined || confirmations.delayed ? '' : texts.text('pay.step-paid-when', { duration }),
    ],
  ];
  const items = steps.map(
    ([name, detail], at) =>
      markup`<li${at === 0 ? markup` aria-current="step"` : null}><strong>${String(at + 1)} ${name}</strong> <span>${detail}</span></li>`,
  );
  return markup`<ol class="stages">${items}</ol>`;
}
