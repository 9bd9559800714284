import type { PayoutLeftOut, Refund, ReportedPayout } from '../api/operations.js';
import { sumsOf as sumsByCoin } from '../funds/prepared.pure.js';
import type { Money } from '../i18n/format.pure.js';
import type { MessageKey } from '../i18n/message-key.pure.js';
import { isPayable } from './refund-words.pure.js';

/** It can be paid together with others. */
export function isSelectable({ status, address }: Pick<Refund, 'status' | 'address'>): boolean {
  return isPayable(status) && address !== null;
}

type Place = Pick<Refund, 'blockchain' | 'paymentApplicationId'>;

/** A payout is of one application, on one network. */
export function canJoin(refund: Place, [first]: readonly Place[]): boolean {
  return (
    first === undefined ||
    (first.blockchain === refund.blockchain && first.paymentApplicationId === refund.paymentApplicationId)
  );
}

/** By coin. */
export function sumsOf(refunds: readonly Pick<Refund, 'payoutAmount' | 'token'>[]): Money[] {
  return sumsByCoin(refunds.map(({ payoutAmount: amount, token }) => ({ amount, token })));
}

/** Why a refund is in no payout, or why its transaction is not recorded. */
export const REASONS: Record<PayoutLeftOut['reason'] | NonNullable<ReportedPayout['refusal']>, MessageKey> = {
  unknown: 'payout.closed',
  closed: 'payout.closed',
  stopped: 'payout.stopped',
  reported: 'payout.reported',
  completed: 'payout.reported',
  no_address: 'payout.address',
  wrong_address: 'payout.address',
  own_address: 'payout.address',
  paid_meanwhile: 'payout.meanwhile',
  other_network: 'payout.unavailable',
  coin_unavailable: 'payout.unavailable',
  too_small: 'payout.unavailable',
  not_a_hash: 'payout.no-hash',
  taken: 'payout.no-hash',
};
