import { Html, markup } from '../../platform/kernel/markup.pure.js';
import type { MessageKey, Texts } from '../../platform/kernel/i18n/texts.js';
import { money, notice, unbrokenNames } from '../../platform/web/html/page-elements.js';
import { networkOf } from '../../chains/network-name.pure.js';
import type { PaymentMethodContract, UnavailableReason } from '../payment-methods.contract.js';
import type { PickableMethod, PickerProblem } from './method-picker.pure.js';
import type { PaymentView } from './screen.js';

const REASONS: Record<UnavailableReason, MessageKey> = {
  rate_unavailable: 'methods.reason.no-rate',
  below_minimum: 'methods.reason.too-small',
  node_unavailable: 'methods.reason.no-network',
  not_traceable: 'methods.reason.not-traceable',
  wallet_not_configured: 'methods.reason.not-set-up',
};

/** Why a method cannot be used now. */
export function reasonOf(texts: Texts, reason: UnavailableReason): string {
  return texts.text(REASONS[reason]);
}

/**
 * A button that chooses a method: it allots the address and fixes the price, so it is a form that is sent by POST. The
 * signature in the page's URL authorizes it.
 * @param button a `<button>`
 */
export function chooseForm(
  view: Pick<PaymentView, 'status' | 'link'>,
  { provider, method }: Pick<PaymentMethodContract, 'provider' | 'method'>,
  button: Html,
): Html {
  // Relative to the page, so that it works behind any proxy.
  const action = `${view.status.id}/choose${view.link({})}`;
  return markup`<form class="choose" method="post" action="${action}"><input type="hidden" name="provider" value="${provider}"><input type="hidden" name="method" value="${method}">${button}</form>`;
}

/** As scripts name a method on the page. */
export function methodName({ provider, method }: Pick<PaymentMethodContract, 'provider' | 'method'>): string {
  return `${provider}/${method}`;
}

/** What the payment costs in a coin, at the moment; null without a rate. */
export function estimateOf(texts: Texts, { estimatedAmount }: PickableMethod): Html | null {
  return estimatedAmount && money(texts, estimatedAmount);
}

/** Why the customer is here again. */
export function problemText(texts: Texts, problem: PickerProblem): string {
  switch (problem.kind) {
    case 'incomplete':
      return texts.text('methods.problem.incomplete');
    case 'unknown':
      return texts.text('methods.problem.unknown');
    case 'unavailable': {
      const { method, reason } = problem;
      return texts.text('methods.problem.unavailable', {
        coin: method.currency.code,
        network: networkOf(texts, method),
        reason: reasonOf(texts, reason),
      });
    }
  }
}

export function problemNotice(texts: Texts, problem: PickerProblem | null): Html | null {
  return problem && notice('warn', markup`<p>${unbrokenNames(problemText(texts, problem))}</p>`);
}

/** For a list in which some networks are for tests. */
export function testNetworksNote(texts: Texts, methods: readonly PickableMethod[]): Html | null {
  const names = methods
    .filter(({ blockchain }) => blockchain.testnet)
    .map(({ blockchain }) => blockchain.name);
  if (names.length === 0) return null;
  const networks = texts.list([...new Set(names)]);
  return markup`<p class="soft small">${texts.text('methods.test-networks', { networks })}</p>`;
}
