import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The logo of an application; its site has the hash, which is authenticated. */
@Entity('application_logos')
export class LogoEntity {
  @PrimaryColumn({ name: 'application_id', type: 'uuid' })
  applicationId: string;

  /** A PNG or SVG as it is served. */
  @Column({ type: 'bytea' })
  content: Buffer;

  @Column({ name: 'created_at', type: 'timestamptz' })
  createdAt: Date;
}
