/** Every action that the audit log records (docs/how-to/verify.md#audit-log); it records no others. */
export const AUDIT_ACTIONS = [
  'sign_in.succeeded',
  'sign_in.blocked',
  'user.created',
  'user.password_changed',
  'user.email_changed',
  'user.operator_granted',
  'user.operator_revoked',
  'user.disabled',
  'user.enabled',
  'user.restored',
  'user.transferred',
  'user.erased',
  'account.exported',
  'access_link.created',
  'access_link.used',
  'access_link.withdrawn',
  'member.added',
  'member.role_changed',
  'member.removed',
  'second_factor.enabled',
  'recovery_codes.replaced',
  'recovery_code.used',
  'second_factor.disabled',
  'oauth_client.created',
  'oauth_client.changed',
  'oauth_client.revoked',
  'oauth_token.issued',
  'oauth_token.revoked',
  'oauth_token.replayed',
  'session.ended',
  'sessions.ended',
  'client_token.created',
  'client_token.revoked',
  'application.created',
  'application.changed',
  'application.deleted',
  'application.restored',
  'wallet.activated',
  'wallet.removed',
  'wallet.change_requested',
  'wallet.change_applied',
  'wallet.change_cancelled',
  'wallet.compared',
  'wallet.comparison_failed',
  'payment.cancelled',
  'payment.accepted',
  'payment.kept',
  'transfer.accepted',
  'refund.created',
  'refund.address_set',
  'refund.transaction_recorded',
  'refund.cancelled',
  'delivery.redelivered',
  'deliveries.replayed',
  'endpoint.paused',
  'endpoint.resumed',
  'wallets.skipped',
  'chain.rescanned',
  'chain.resumed',
  'chain.blocks_skipped',
  'secrets.resealed',
  'audit_log.resumed',
] as const;
export type AuditAction = (typeof AUDIT_ACTIONS)[number];

/** Who acted: `operator` is the command line, `customer` is anyone who holds a refund's link. */
export const AUDIT_ACTORS = [
  'user',
  'oauth_client',
  'client_token',
  'operator',
  'customer',
  'anonymous',
  'system',
] as const;
export type AuditActorKind = (typeof AUDIT_ACTORS)[number];

export interface AuditActor {
  kind: AuditActorKind;
  /** Id of the user, OAuth client or client token; null for the other kinds, which have no id. */
  id: string | null;
}

/** One entry of the audit log. */
export interface AuditEntry {
  act: AuditAction;
  /** The user whose account it concerns; null if it concerns none. */
  userId: string | null;
  /** The kind of object, e.g. `application`. */
  target: { kind: string; id: string } | null;
  /** Never a secret, a full endpoint URL, or free text that a user typed. */
  details?: Readonly<Record<string, AuditDetail>>;
  /** Set where the request does not identify the actor, e.g. before sign-in. */
  actor?: AuditActor;
}
export type AuditDetail = string | number | boolean | null | readonly string[];
