import type { AttentionKind } from '../overview/attention.pure.js';
import type { MessageKey } from '../platform/kernel/i18n/texts.js';

/** What a person may ask to be told; nothing of it is told unasked. */
export const CHOSEN_KINDS = ['endpoint', 'attention', 'refund', 'chain', 'backup'] as const;
export type ChosenKind = (typeof CHOSEN_KINDS)[number];

/** Those about the gateway itself, for its operators. */
const OF_OPERATORS: readonly ChosenKind[] = ['chain', 'backup'];

export const isOfOperators = (kind: ChosenKind): boolean => OF_OPERATORS.includes(kind);

/** Title and text of every notice, and the page that it leads to; null: a link of its own, or none. */
export const NOTICES = {
  attention: { title: 'notice.attention.title', text: 'notice.attention.text', page: 'attention' },
  'backup-back': { title: 'notice.backup-back.title', text: 'notice.backup-back.text', page: 'operator' },
  'backup-none': { title: 'notice.backup-none.title', text: 'notice.backup-none.text', page: 'operator' },
  'backup-old': { title: 'notice.backup-old.title', text: 'notice.backup-old.text', page: 'operator' },
  'chain-back': { title: 'notice.chain-back.title', text: 'notice.chain-back.text', page: 'operator' },
  'chain-stopped': {
    title: 'notice.chain-stopped.title',
    text: 'notice.chain-stopped.text',
    page: 'operator',
  },
  'endpoint-back': {
    title: 'notice.endpoint-back.title',
    text: 'notice.endpoint-back.text',
    page: 'webhooks',
  },
  'endpoint-failing': {
    title: 'notice.endpoint-failing.title',
    text: 'notice.endpoint-failing.text',
    page: 'webhooks',
  },
  invitation: { title: 'notice.invitation.title', text: 'notice.invitation.text', page: null },
  password: { title: 'notice.password.title', text: 'notice.password.text', page: null },
  'refund-requested': {
    title: 'notice.refund-requested.title',
    text: 'notice.refund-requested.text',
    page: 'refunds',
  },
  test: { title: 'notice.test.title', text: 'notice.test.text', page: 'account' },
  'wallet-applied': {
    title: 'notice.wallet-applied.title',
    text: 'notice.wallet-applied.text',
    page: 'wallets',
  },
  'wallet-cancelled': {
    title: 'notice.wallet-cancelled.title',
    text: 'notice.wallet-cancelled.text',
    page: 'wallets',
  },
  'wallet-pending': {
    title: 'notice.wallet-pending.title',
    text: 'notice.wallet-pending.text',
    page: 'wallets',
  },
} as const satisfies Record<string, { title: MessageKey; text: MessageKey; page: string | null }>;
export type NoticeName = keyof typeof NOTICES;

/** What needs attention, in words. */
export const CAUSES = {
  integrity: 'notice.cause.integrity',
  key_shared: 'notice.cause.key_shared',
  reorg: 'notice.cause.reorg',
  endpoint_paused: 'notice.cause.endpoint_paused',
  shop_not_told: 'notice.cause.shop_not_told',
  chain_halted: 'notice.cause.chain_halted',
  traces_unread: 'notice.cause.traces_unread',
  refund_failed: 'notice.cause.refund_failed',
  refund_waits: 'notice.cause.refund_waits',
  unmatched_funds: 'notice.cause.unmatched_funds',
  unlisted_token: 'notice.cause.unlisted_token',
  funds_after_end: 'notice.cause.funds_after_end',
  paid_late: 'notice.cause.paid_late',
  paid_twice: 'notice.cause.paid_twice',
  overpaid: 'notice.cause.overpaid',
  overpaid_held: 'notice.cause.overpaid_held',
  late_funds: 'notice.cause.late_funds',
  underpaid: 'notice.cause.underpaid',
  gap_limit: 'notice.cause.gap_limit',
} as const satisfies Record<AttentionKind, MessageKey>;
