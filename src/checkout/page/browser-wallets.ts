import type { AmountContract } from '../../money/amount.contract.js';
import { type Html, markup } from '../../platform/kernel/markup.pure.js';
import type { MessageKey, Texts } from '../../platform/kernel/i18n/texts.js';
import type { PaymentInstructionsContract } from '../payment-instructions.contract.js';

/** What web/checkout/wallets.ts says, by the name that it knows it by; `{wallet}` is filled in by the script. */
const KEYS = {
  pay: 'pay.wallet-pay',
  confirm: 'pay.wallet-confirm',
  sent: 'pay.wallet-sent',
  rejected: 'pay.wallet-rejected',
  chain: 'pay.wallet-wrong-network',
  unknown: 'pay.wallet-unknown-network',
  failed: 'pay.wallet-failed',
  busy: 'pay.wallet-busy',
  unconnected: 'pay.wallet-not-connected',
  'no-funds': 'pay.wallet-no-funds',
  'no-fee': 'pay.wallet-no-fee',
  silent: 'pay.wallet-silent',
} as const satisfies Record<string, MessageKey>;

/**
 * Where the script offers the wallets of the browser (EIP-6963), with all that a transaction needs; null on chains that
 * these wallets do not know. Amounts are hexadecimal and exact.
 */
export function browserWallets(
  texts: Texts,
  { address, blockchain, token }: PaymentInstructionsContract,
  due: AmountContract,
): Html | null {
  if (blockchain.chainId === null || !isEvmAddress(address)) return null;
  const contract = token && markup` data-contract="${token.contractAddress}"`;
  const words = Object.entries(KEYS).map(([name, key]) => {
    const text = texts.text(key, { wallet: '{wallet}', network: blockchain.name, amount: texts.money(due) });
    return markup` data-text-${name}="${text}"`;
  });
  return markup`<div class="wallets" id="wallets" data-provider="${blockchain.slug}" data-chain="0x${blockchain.chainId.toString(16)}" data-to="${address}" data-amount="0x${due.amount.toString(16)}"${contract}${words} hidden></div>`;
}

export function isEvmAddress(text: string): boolean {
  return /^0x[0-9a-f]{40}$/i.test(text);
}
