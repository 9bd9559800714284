/** Every act that the audit log knows (docs/operations.md#audit-log). Nothing else is written there. */
export const AUDIT_ACTIONS = [
  'sign_in.succeeded',
  'sign_in.refused',
  'user.created',
  'user.password_changed',
  'user.email_changed',
  'user.operator_granted',
  'user.operator_revoked',
  'user.disabled',
  'user.enabled',
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
  'client_token.created',
  'client_token.revoked',
  'application.created',
  'application.changed',
  'application.deleted',
  'application.restored',
  'wallet.activated',
  'wallet.removed',
  'payment.cancelled',
  'payment.accepted',
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
  'secrets.resealed',
] as const;
export type AuditAction = (typeof AUDIT_ACTIONS)[number];

/** Who can have acted: `operator` is the command line, `customer` whoever has a refund's link. */
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
  /** Of the user, OAuth client or client token; null for the others, who have none. */
  id: string | null;
}

/** What an act leaves behind. */
export interface AuditEntry {
  act: AuditAction;
  /** Whose account it concerns; null where it is nobody's. */
  userId: string | null;
  /** What was acted on, e.g. `application`. */
  target: { kind: string; id: string } | null;
  /** Never a secret, a whole address of an endpoint, or what somebody typed. */
  details?: Readonly<Record<string, AuditDetail>>;
  /** Where the request does not say it, e.g. before anybody is signed in. */
  actor?: AuditActor;
}
export type AuditDetail = string | number | boolean | null | readonly string[];
