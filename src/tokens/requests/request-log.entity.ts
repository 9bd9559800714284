import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A request of a merchant's server. Deleted after 7 days, or when its account has too many newer ones. */
@Entity('request_log')
export class RequestLogEntity {
  /** The account. */
  @PrimaryColumn({ name: 'user_id', type: 'text' })
  userId: string;

  /** When it arrived. */
  @PrimaryColumn({ type: 'timestamptz' })
  at: Date;

  @PrimaryColumn({ name: 'request_id', type: 'uuid' })
  requestId: string;

  @Column({ name: 'application_id', type: 'uuid', nullable: true })
  applicationId: string | null;

  @Column({ name: 'token_id', type: 'uuid', nullable: true })
  tokenId: string | null;

  @Column({ name: 'oauth_client_id', type: 'text', nullable: true })
  oauthClientId: string | null;

  @Column({ type: 'text' })
  method: string;

  /** Its template. */
  @Column({ type: 'text' })
  route: string;

  /** With the query, without secrets (logged-request.pure.ts). */
  @Column({ type: 'text' })
  path: string;

  @Column({ type: 'smallint' })
  status: number;

  @Column({ name: 'duration_ms', type: 'integer' })
  durationMs: number;

  @Column({ name: 'idempotency_key', type: 'text', nullable: true })
  idempotencyKey: string | null;

  /** The network. */
  @Column({ type: 'text' })
  address: string;

  @Column({ name: 'error_code', type: 'text', nullable: true })
  errorCode: string | null;

  @Column({ name: 'error_body', type: 'text', nullable: true })
  errorBody: string | null;
}
