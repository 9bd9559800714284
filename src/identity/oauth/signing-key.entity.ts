import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A key that signs ID tokens. */
@Entity('oauth_signing_keys')
export class SigningKeyEntity {
  /** Key id, as ID tokens name it. */
  @PrimaryColumn({ type: 'text' })
  kid: string;

  /** JSON Web Key with the private half (RFC 7517), encrypted. */
  @Column({ name: 'sealed_jwk', type: 'text' })
  sealedJwk: string;

  /** Set by the database. */
  @Column({ name: 'created_at', type: 'timestamptz' })
  createdAt: Date;
}
