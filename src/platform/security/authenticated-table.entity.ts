import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A table whose rows carry a MAC, and whether the rows of earlier releases have been given one. */
@Entity('authenticated_tables')
export class AuthenticatedTableEntity {
  @PrimaryColumn({ type: 'text' })
  name: string;

  /** Null: the table may contain rows of the release before, which the next process to start authenticates. */
  @Column({ name: 'adopted_at', type: 'timestamptz', nullable: true })
  adoptedAt: Date | null;
}
