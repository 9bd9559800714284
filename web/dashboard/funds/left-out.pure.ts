import type { LeftOut } from '../api/operations.js';
import type { MessageKey } from '../i18n/message-key.pure.js';
import type { Money } from '../i18n/format.pure.js';
import { sumsOf } from './prepared.pure.js';

type Reason = LeftOut['reason'];

/** Why something is in no transaction, and what helps; first what somebody can do something about. */
const WORDS: Record<Reason, MessageKey> = {
  of_key: 'left.of-key',
  unread: 'left.unread',
  unconfirmed: 'left.unconfirmed',
  immature: 'left.immature',
  below_minimum: 'left.below-minimum',
  uneconomic: 'left.uneconomic',
  too_little: 'left.too-little',
  refused: 'left.refused',
  key_unavailable: 'left.key-unavailable',
  previous_missing: 'left.previous-missing',
  unknown: 'left.unknown',
  spent: 'left.spent',
};

export interface LeftGroup {
  reason: Reason;
  words: MessageKey;
  items: LeftOut[];
  /** By coin, of those that are known. */
  sums: Money[];
  /** Of some of them no node says how much it is. */
  isPartlyUnknown: boolean;
}

/** What is left out, by its reason. */
export function groupsOf(leftOut: readonly LeftOut[]): LeftGroup[] {
  return (Object.keys(WORDS) as Reason[]).flatMap((reason) => {
    const items = leftOut.filter((one) => one.reason === reason);
    if (items.length === 0) return [];
    const known = items.flatMap(({ amount, token }) => (amount === null ? [] : [{ amount, token }]));
    return [
      {
        reason,
        words: WORDS[reason],
        items,
        sums: sumsOf(known),
        isPartlyUnknown: known.length < items.length,
      },
    ];
  });
}
