import type { AmountContract } from '../../money/amount.contract.js';
import { type Html, markup } from '../../platform/kernel/markup.pure.js';
import type { MessageKey, Texts } from '../../platform/kernel/i18n/texts.js';
import type { PaymentInstructionsContract } from '../payment-instructions.contract.js';

/** What web/checkout/wallets.ts says, by the name that it knows it by; the script fills in `{wallet}` and `{held}`. */
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
  holds: 'pay.wallet-holds',
  short: 'pay.wallet-short',
  anyway: 'pay.wallet-anyway',
  locked: 'pay.wallet-locked',
} as const satisfies Record<string, MessageKey>;

/**
 * Where the script offers the wallets of the browser (EIP-6963, and on Tron TIP-1193), with all that a transaction needs;
 * null on chains that these wallets do not know. Amounts are hexadecimal and exact.
 */
export function browserWallets(
  texts: Texts,
  { address, blockchain, token }: PaymentInstructionsContract,
  due: AmountContract,
): Html | null {
  const family = walletFamilyOf({ address, blockchain });
  if (family === null) return null;
  const contract = token && markup` data-contract="${token.contractAddress}"`;
  const words = Object.entries(KEYS).map(([name, key]) => {
    const text = texts.text(key, {
      wallet: '{wallet}',
      held: '{held}',
      network: blockchain.name,
      amount: texts.money(due),
    });
    return markup` data-text-${name}="${text}"`;
  });
  return markup`<div class="wallets" id="wallets" data-provider="${blockchain.slug}" data-family="${family}" data-chain="0x${(blockchain.chainId ?? 0).toString(16)}" data-decimals="${String(due.decimals)}" data-code="${due.currency.code}" data-to="${address}" data-amount="0x${due.amount.toString(16)}"${contract}${words} hidden></div>`;
}

/** Which kind of wallets of the browser knows a chain; null: none. */
export function walletFamilyOf({
  address,
  blockchain,
}: Pick<PaymentInstructionsContract, 'address' | 'blockchain'>): 'evm' | 'tron' | null {
  if (blockchain.chainId !== null) return /^0x[0-9a-f]{40}$/i.test(address) ? 'evm' : null;
  return /^T[1-9A-HJ-NP-Za-km-z]{33}$/.test(address) ? 'tron' : null;
}
