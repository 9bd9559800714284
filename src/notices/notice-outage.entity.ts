import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Something that fails and was told: told again only after it has worked. */
@Entity('notice_outages')
export class NoticeOutageEntity {
  @PrimaryColumn({ type: 'text' })
  kind: 'endpoint' | 'chain' | 'backup';

  /** Id of the application, or slug of the chain. */
  @PrimaryColumn({ type: 'text' })
  subject: string;

  @Column({ name: 'began_at', type: 'timestamptz' })
  beganAt: Date;
}
