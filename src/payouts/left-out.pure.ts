import type { Chain } from '../chains/chain.pure.js';
import { minTransferAmount } from '../chains/dust-limit.pure.js';
import type { PaymentStatus } from '../payments/payment-status.pure.js';
import { readPayoutAddress } from '../refunds/payout-address.pure.js';
import type { Refund } from '../refunds/refund.pure.js';

/** Why a refund is in no payout. The values are part of the API. */
export const PAYOUT_LEFT_OUT = [
  'unknown',
  'stopped',
  'other_network',
  'no_address',
  'closed',
  'reported',
  'paid_meanwhile',
  'coin_unavailable',
  'wrong_address',
  'own_address',
  'too_small',
] as const;
export type PayoutLeftOut = (typeof PAYOUT_LEFT_OUT)[number];

/** What decides whether a refund is paid, beside itself. */
export interface PayoutFacts {
  chain: Chain;
  isStopped: boolean;
  paymentStatus: PaymentStatus | null;
  /** In hex, of the deposit addresses of this gateway: what is paid there would be a payment. */
  ownKeys: ReadonlySet<string>;
}

type Candidate = Pick<
  Refund,
  'chain' | 'asset' | 'payoutDecimals' | 'status' | 'type' | 'address' | 'addressKey' | 'payoutAmount'
>;

/** Null: it can be paid. @param refund null: there is none that could be shown */
export function reasonToLeaveOut(
  refund: Candidate | null,
  { chain, isStopped, paymentStatus, ownKeys }: PayoutFacts,
): PayoutLeftOut | null {
  if (isStopped) return 'stopped';
  if (!refund) return 'unknown';
  if (refund.status === 'CANCELLED' || refund.status === 'EXPIRED') return 'closed';
  if (refund.status === 'PROCESSING' || refund.status === 'COMPLETED') return 'reported';
  if (refund.chain !== chain.slug) return 'other_network';
  if (refund.address === null || refund.addressKey === null) return 'no_address';
  // The rest came after all: whoever pays the part back sends it twice.
  if (refund.type === 'UNDERPAYMENT' && paymentStatus !== 'UNDERPAID') return 'paid_meanwhile';
  const asset = chain.assets.find((one) => one.asset === refund.asset);
  if (asset?.decimals !== refund.payoutDecimals) return 'coin_unavailable';
  const read = readPayoutAddress(chain, refund.address);
  if ('problem' in read || !read.key.equals(refund.addressKey)) return 'wrong_address';
  if (ownKeys.has(read.key.toString('hex'))) return 'own_address';
  return refund.payoutAmount < minTransferAmount(chain, asset) ? 'too_small' : null;
}
