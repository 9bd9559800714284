import type { PaymentMethodContract, UnavailableReason } from '../payment-methods.contract.js';
import { type Html, markup } from '../../platform/html/markup.pure.js';
import { aboutDuration } from './page-text.js';
import { heading, notice } from '../../platform/html/page-elements.js';
import { backToShop, contactShop, type PaymentView, type Screen, strayNotice } from './screen.js';

const REASONS: Record<UnavailableReason, string> = {
  rate_unavailable: 'No exchange rate at the moment',
  below_minimum: 'The amount is too small for this',
  node_unavailable: 'The network cannot be reached at the moment',
  not_traceable: 'Not offered on this network',
  wallet_not_configured: 'The shop has not set this up yet',
};

/**
 * The customer's choice of a coin and a network.
 * @param problem why the requested method cannot be used
 */
export function methodsScreen(
  view: PaymentView,
  methods: readonly PaymentMethodContract[],
  problem: string | null,
): Screen {
  const isAnyUsable = methods.some(({ available }) => available);
  const { warnings } = view.status;
  const body = markup`${heading('plain', 'Choose how to pay')}
    ${isAnyUsable ? problem && notice('warn', markup`<p>${problem}</p>`) : nothingUsable(view)}
    ${strayNotice(view)}
    <ul class="methods">${methods.map((method) => entry(view, method))}</ul>
    ${isAnyUsable ? markup`<p class="soft">The amounts are estimates. The price is fixed when you choose.</p>` : null}
    ${testNetworks(methods)}
    ${backToShop(view)}`;
  return {
    name: 'methods',
    title: 'Choose how to pay',
    announcement: [...warnings, problem ?? 'Choose how to pay.'].join(' '),
    isAlert: problem !== null || warnings.length > 0,
    // Reloading every few seconds would scroll the list back.
    isReloading: false,
    body,
  };
}

function testNetworks(methods: readonly PaymentMethodContract[]): Html | null {
  const names = methods
    .filter(({ blockchain }) => blockchain.testnet)
    .map(({ blockchain }) => blockchain.name);
  if (names.length === 0) return null;
  return markup`<p class="soft">Test network: ${[...new Set(names)].join(', ')}. Send no real coins.</p>`;
}

function nothingUsable(view: PaymentView): Html {
  return notice(
    'warn',
    markup`<p><strong>Nothing can be used to pay at the moment.</strong> <a href="${view.link({ choose: '1' })}">Try
      again</a> in a few minutes. Does it stay like this? ${contactShop(view)}</p>`,
  );
}

function entry(view: PaymentView, method: PaymentMethodContract): Html {
  const { currency, blockchain, token, provider, available, unavailableReason } = method;
  const standard = token ? ` (${token.standard})` : '';
  const what = markup`<span class="what"><span><strong>${currency.code}</strong> ${currency.name}</span>
    <span class="soft">on ${blockchain.name}${standard}</span></span>`;
  if (!available) {
    const reason = unavailableReason ? REASONS[unavailableReason] : null;
    return markup`<li class="method off">${what} <span class="cost"><span>Not available</span>
      <span class="soft">${reason}</span></span></li>`;
  }
  const duration = `confirmed in ${aboutDuration(method.estimatedConfirmationSeconds)}`;
  return markup`<li><a class="method" href="${view.link({ provider, method: method.method })}">${what}
    <span class="cost"><strong>${method.estimatedAmount?.formatted ?? null}</strong>
    <span class="soft">${duration}</span></span></a></li>`;
}
