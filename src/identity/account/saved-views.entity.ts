import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The views that a user has saved in a dashboard. */
@Entity('saved_views')
export class SavedViewsEntity {
  @PrimaryColumn({ name: 'user_id', type: 'text' })
  userId: string;

  /** Addresses by name; the gateway does not read them. */
  @Column({ type: 'jsonb' })
  views: Record<string, string>;

  @Column({ name: 'updated_at', type: 'timestamptz' })
  updatedAt: Date;
}
