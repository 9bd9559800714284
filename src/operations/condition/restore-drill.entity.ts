import { Column, Entity, PrimaryColumn } from 'typeorm';

/** How the last restore drill ended: at most one row, written by the command line. */
@Entity('restore_drills')
export class RestoreDrillEntity {
  /** Always true. */
  @PrimaryColumn({ name: 'only_one', type: 'boolean' })
  onlyOne: boolean;

  @Column({ name: 'finished_at', type: 'timestamptz' })
  finishedAt: Date;

  /** Whether the backup was restored and verified as a whole. */
  @Column({ type: 'boolean' })
  held: boolean;
}
