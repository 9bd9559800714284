import type { AuditEntry } from '../api/operations.js';
import type { MessageKey } from '../i18n/message-key.pure.js';

export type Act = AuditEntry['act'];

/** What somebody did, in words. Acts of the operator on the gateway itself are in no account, and keep their codes. */
export const ACT_WORDS = {
  'sign_in.succeeded': 'did.signed-in',
  'sign_in.blocked': 'did.sign-in-refused',
  'user.created': 'did.account-created',
  'user.password_changed': 'did.password-changed',
  'user.email_changed': 'did.email-changed',
  'user.disabled': 'did.account-disabled',
  'user.enabled': 'did.account-enabled',
  'account.exported': 'did.account-exported',
  'access_link.created': 'did.link-created',
  'access_link.used': 'did.link-used',
  'access_link.withdrawn': 'did.link-withdrawn',
  'member.added': 'did.member-added',
  'member.role_changed': 'did.member-role',
  'member.removed': 'did.member-removed',
  'second_factor.enabled': 'did.factor-on',
  'second_factor.disabled': 'did.factor-off',
  'recovery_codes.replaced': 'did.codes-replaced',
  'recovery_code.used': 'did.code-used',
  'oauth_client.created': 'did.client-created',
  'oauth_client.changed': 'did.client-changed',
  'oauth_client.revoked': 'did.client-revoked',
  'oauth_token.issued': 'did.program-in',
  'oauth_token.revoked': 'did.program-out',
  'oauth_token.replayed': 'did.program-replayed',
  'session.ended': 'did.session-ended',
  'sessions.ended': 'did.sessions-ended',
  'client_token.created': 'did.token-created',
  'client_token.revoked': 'did.token-revoked',
  'application.created': 'did.application-created',
  'application.changed': 'did.application-changed',
  'application.deleted': 'did.application-deleted',
  'application.restored': 'did.application-restored',
  'wallet.activated': 'did.wallet-active',
  'wallet.removed': 'did.wallet-removed',
  'wallet.change_requested': 'did.wallet-asked',
  'wallet.change_applied': 'did.wallet-applied',
  'wallet.change_cancelled': 'did.wallet-kept',
  'wallet.compared': 'did.wallet-compared',
  'wallet.comparison_failed': 'did.wallet-differs',
  'payment.cancelled': 'timeline.act-cancelled',
  'payment.accepted': 'timeline.act-accepted',
  'payment.kept': 'timeline.act-kept',
  'transfer.accepted': 'timeline.act-transfer',
  'refund.created': 'timeline.act-refund',
  'refund.address_set': 'timeline.act-address',
  'refund.transaction_recorded': 'timeline.act-paid',
  'refund.cancelled': 'timeline.act-declined',
  'delivery.redelivered': 'timeline.act-resent',
  'deliveries.replayed': 'did.replayed',
  'endpoint.paused': 'did.paused',
  'endpoint.resumed': 'did.resumed',
  'user.operator_granted': null,
  'user.operator_revoked': null,
  'user.restored': null,
  'user.transferred': null,
  'user.erased': null,
  'wallets.skipped': null,
  'chain.rescanned': null,
  'chain.resumed': null,
  'chain.blocks_skipped': null,
  'secrets.resealed': null,
  'audit_log.resumed': null,
} as const satisfies Record<Act, MessageKey | null>;

/** Null: shown by its code, as one that this version does not know. */
export function actWords(act: string): MessageKey | null {
  return Object.hasOwn(ACT_WORDS, act) ? ACT_WORDS[act as Act] : null;
}

/** Who has no name. */
const ACTOR_WORDS: Record<AuditEntry['actor']['kind'], MessageKey> = {
  user: 'actor.user',
  oauth_client: 'actor.program',
  client_token: 'actor.token',
  operator: 'actor.operator',
  customer: 'actor.customer',
  anonymous: 'did.by-nobody',
  system: 'did.by-gateway',
};

/** A name, or words if there is none. @param people email addresses by id */
export function actorOf(
  { kind, id }: AuditEntry['actor'],
  people: ReadonlyMap<string, string>,
): { name: string } | { words: MessageKey } {
  const name = kind === 'user' && id !== null ? people.get(id) : undefined;
  return name === undefined ? { words: ACTOR_WORDS[kind] } : { name };
}

/** The kinds of what an act was about. */
const TARGET_WORDS: Readonly<Record<string, MessageKey>> = {
  payment: 'funds.payment',
  application: 'payments.application',
  refund: 'refund.title',
  client_token: 'tokens.token',
  oauth_client: 'sessions.program',
  delivery: 'delivery.title',
  wallet: 'wallets.key',
};
const PAGES: Readonly<Record<string, string>> = { payment: '/payments/', application: '/applications/' };

interface Target {
  /** Null: not known, or said by the name. */
  words: MessageKey | null;
  /** The id of what has no name. */
  name: string;
  /** Null: it has no page. */
  path: string | null;
}

/** @param names by id, of people and applications */
export function targetOf(
  { kind, id }: NonNullable<AuditEntry['target']>,
  names: ReadonlyMap<string, string>,
): Target {
  const page = Object.hasOwn(PAGES, kind) ? PAGES[kind] : undefined;
  return {
    words: (Object.hasOwn(TARGET_WORDS, kind) ? TARGET_WORDS[kind] : undefined) ?? null,
    name: names.get(id) ?? id,
    path: page === undefined ? null : `${page}${id}`,
  };
}
