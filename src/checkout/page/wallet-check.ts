import { networkOf } from '../../chains/network-name.pure.js';
import type { MessageKey, Texts } from '../../platform/kernel/i18n/texts.js';
import { type Html, markup } from '../../platform/kernel/markup.pure.js';
import type { PickableMethod } from './method-picker.pure.js';

/** What web/checkout/wallet-check.ts says, by the name that it knows it by; the script fills in what is in braces. */
const KEYS = {
  check: 'methods.wallet-check',
  can: 'methods.wallet-can',
  cannot: 'methods.wallet-cannot',
  'no-fee': 'methods.wallet-no-fee',
  checked: 'methods.wallet-checked',
  elsewhere: 'methods.wallet-elsewhere',
  unconnected: 'pay.wallet-not-connected',
  busy: 'pay.wallet-busy',
  failed: 'methods.wallet-silent',
} as const satisfies Record<string, MessageKey>;

/**
 * Where the script offers to ask a wallet of the browser what it can pay of these methods; null where there is none that
 * such a wallet knows. It comes with all that is to be compared, so that nothing is asked of the gateway.
 */
export function walletCheck(texts: Texts, methods: readonly PickableMethod[]): Html | null {
  const offers = methods.flatMap((method) => {
    const { provider, blockchain, token, available, estimatedAmount } = method;
    if (!available || blockchain.chainId === null || estimatedAmount === null) return [];
    return [
      {
        provider,
        method: method.method,
        chain: `0x${blockchain.chainId.toString(16)}`,
        amount: `0x${BigInt(estimatedAmount.atomic).toString(16)}`,
        ...(token && { contract: token.contractAddress }),
        decimals: estimatedAmount.decimals,
        code: estimatedAmount.currency.code,
        network: networkOf(texts, { blockchain, token: null }),
      },
    ];
  });
  if (offers.length === 0) return null;
  const kept = { wallet: '{wallet}', held: '{held}', network: '{network}' };
  const words = Object.entries(KEYS).map(
    ([name, key]) => markup` data-text-${name}="${texts.text(key, kept)}"`,
  );
  return markup`<div class="wallets" id="wallet-check" data-offers="${JSON.stringify(offers)}"${words} hidden></div>`;
}
