import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { exportJWK, generateKeyPair } from 'jose';
import type { JWK } from 'oidc-provider';
import { Keyring } from '../../platform/security/keyring.js';
import { Sql } from '../../platform/database/sql.js';
import { SIGNING_KEY_PURPOSE } from './encrypted-columns.js';

interface KeyRow {
  kid: string;
  sealed_jwk: string;
}

/** The keys that sign ID tokens; the private halves are sealed. */
@Injectable()
export class SigningKeysService {
  constructor(
    private readonly sql: Sql,
    private readonly keyring: Keyring,
  ) {}

  /** Newest first; the first call ever makes the first one. */
  async list(): Promise<JWK[]> {
    const rows = await this.read();
    const stored = rows.length > 0 ? rows : await this.createFirst();
    return stored.map(
      ({ kid, sealed_jwk }) => JSON.parse(this.keyring.unseal(SIGNING_KEY_PURPOSE, kid, sealed_jwk)) as JWK,
    );
  }

  /** Of several instances that start at once on an empty table, the first one makes the key of all. */
  private createFirst(): Promise<KeyRow[]> {
    return this.sql.transaction(async (tx) => {
      await tx.query('lock table oauth_signing_keys in share row exclusive mode');
      const rows = await this.read(tx);
      if (rows.length > 0) return rows;
      const row = await this.generate();
      await tx.query('insert into oauth_signing_keys (kid, sealed_jwk) values ($1, $2)', [
        row.kid,
        row.sealed_jwk,
      ]);
      return [row];
    });
  }

  private read(from: Pick<Sql, 'query'> = this.sql): Promise<KeyRow[]> {
    return from.query<KeyRow>('select kid, sealed_jwk from oauth_signing_keys order by created_at desc, kid');
  }

  private async generate(): Promise<KeyRow> {
    const kid = randomUUID();
    const { privateKey } = await generateKeyPair('ES256', { extractable: true });
    const jwk = { ...(await exportJWK(privateKey)), kid, use: 'sig', alg: 'ES256' };
    return { kid, sealed_jwk: this.keyring.seal(SIGNING_KEY_PURPOSE, kid, JSON.stringify(jwk)) };
  }
}
