import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Locale } from '../platform/kernel/i18n/locale.pure.js';
import type { ChosenKind } from './notice-kinds.pure.js';

/** What a person wants to be told. */
@Entity('notice_choices')
export class NoticeChoiceEntity {
  @PrimaryColumn({ name: 'user_id', type: 'text' })
  userId: string;

  @Column({ type: 'text', array: true })
  kinds: ChosenKind[];

  /** Only of these; null: of every application that the person may see. */
  @Column({ name: 'application_ids', type: 'uuid', array: true, nullable: true })
  applicationIds: string[] | null;

  @Column({ type: 'text' })
  language: Locale;

  @Column({ name: 'updated_at', type: 'timestamptz' })
  updatedAt: Date;
}
