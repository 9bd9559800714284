import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A request with an `Idempotency-Key`, and its response (specification/idempotency.md#idempotency-key). */
@Entity('idempotency_keys')
export class IdempotencyKeyEntity {
  @PrimaryColumn({ name: 'user_id', type: 'text' })
  userId: string;

  /** The application of a client token, or the member who acts in the user's account; '' for the user's own tokens. */
  @PrimaryColumn({ type: 'text' })
  application: string;

  @PrimaryColumn({ type: 'text' })
  method: string;

  @PrimaryColumn({ type: 'text' })
  path: string;

  @PrimaryColumn({ type: 'text' })
  key: string;

  /** SHA-256 of what the body says (request-meaning.pure.ts). */
  @Column({ name: 'body_hash', type: 'bytea' })
  bodyHash: Buffer;

  /** HTTP status; null only within the transaction that processes the request. */
  @Column({ type: 'smallint', nullable: true })
  status: number | null;

  /** Encrypted, because a response can contain a value that is shown once, such as a client token; null: no body. */
  @Column({ name: 'sealed_body', type: 'text', nullable: true })
  sealedBody: string | null;

  @Column({ name: 'created_at', type: 'timestamptz' })
  createdAt: Date;

  @Column({ name: 'expires_at', type: 'timestamptz' })
  expiresAt: Date;
}
