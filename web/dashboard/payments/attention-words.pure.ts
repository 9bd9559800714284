import type { AttentionKind } from '../api/operations.js';
import type { MessageKey } from '../i18n/message-key.pure.js';
import type { AttentionFilter } from './filters.pure.js';

/** Why something needs its merchant, in a few words. */
export const ATTENTION_WORDS: Record<AttentionKind | AttentionFilter, MessageKey> = {
  integrity: 'attention.integrity',
  reorg: 'attention.reorg',
  key_shared: 'attention.key_shared',
  endpoint_paused: 'attention.endpoint_paused',
  shop_not_told: 'status.received',
  chain_halted: 'attention.chain_halted',
  traces_unread: 'attention.traces_unread',
  refund_failed: 'attention.refund_failed',
  refund_waits: 'attention.refund_waits',
  unmatched_funds: 'payments.unmatched',
  funds_after_end: 'attention.funds_after_end',
  unlisted_token: 'attention.unlisted_token',
  paid_late: 'attention.paid_late',
  paid_twice: 'attention.paid_twice',
  overpaid: 'attention.overpaid',
  overpaid_held: 'attention.overpaid_held',
  late_funds: 'attention.late_funds',
  underpaid: 'status.underpaid',
  gap_limit: 'attention.gap_limit',
  expired_with_funds: 'attention.expired_with_funds',
};
