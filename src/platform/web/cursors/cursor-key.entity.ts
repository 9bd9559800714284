import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A key that encrypts the cursors of clients. */
@Entity('cursor_keys')
export class CursorKeyEntity {
  @PrimaryColumn({ type: 'uuid' })
  id: string;

  /** Its bytes in base64url, encrypted. */
  @Column({ name: 'sealed_key', type: 'text' })
  sealedKey: string;

  /** Set by the database. */
  @Column({ name: 'created_at', type: 'timestamptz' })
  createdAt: Date;
}
