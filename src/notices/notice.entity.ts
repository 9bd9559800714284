import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Waits } from '../platform/integrity/waiting-columns.js';
import { LONGEST_GAP_SECONDS } from './notice-schedule.pure.js';

/** One notice to one person, or to the operator's channel. */
@Entity('notices')
export class NoticeEntity {
  @PrimaryColumn('uuid')
  id: string;

  /** Whom it is for; null: the channel, or an address that has no user. */
  @Column({ name: 'user_id', type: 'text', nullable: true })
  userId: string | null;

  @Column({ type: 'text' })
  name: string;

  /** Unique: what happened, and for whom. */
  @Column({ name: 'dedupe_key', type: 'text' })
  dedupeKey: string;

  /** What it says and to whom, encrypted: an invitation has its link in it. Null once it has ended. */
  @Column({ name: 'sealed_content', type: 'text', nullable: true })
  sealedContent: string | null;

  /** Begun ones. */
  @Column({ type: 'integer' })
  attempts: number;

  @Column({ name: 'created_at', type: 'timestamptz' })
  createdAt: Date;

  /** Moved ahead when an attempt begins, so that it is also the lease of its process. Null once it has ended. */
  @Waits(() => LONGEST_GAP_SECONDS)
  @Column({ name: 'next_attempt_at', type: 'timestamptz', nullable: true })
  nextAttemptAt: Date | null;

  @Column({ name: 'sent_at', type: 'timestamptz', nullable: true })
  sentAt: Date | null;

  /** Given up, or for nobody any more. */
  @Column({ name: 'dead_at', type: 'timestamptz', nullable: true })
  deadAt: Date | null;

  /** A code, never the words of a server, which may repeat an address. */
  @Column({ name: 'last_error', type: 'text', nullable: true })
  lastError: string | null;
}
