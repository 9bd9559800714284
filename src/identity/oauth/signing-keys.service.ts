import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { exportJWK, generateKeyPair } from 'jose';
import type { JWK } from 'oidc-provider';
import { ConfigError } from '../../config.js';
import { Keyring, UnsealError } from '../../platform/security/keyring.js';
import { Sql } from '../../platform/database/sql.js';
import { SIGNING_KEY_PURPOSE } from './encrypted-columns.js';
import { type SealedKey, SigningKeyRepository } from './signing-key.repository.js';

/** The keys that sign ID tokens; they are stored encrypted. */
@Injectable()
export class SigningKeysService {
  constructor(
    private readonly sql: Sql,
    private readonly keys: SigningKeyRepository,
    private readonly keyring: Keyring,
  ) {}

  /**
   * Newest first; the first call on an empty table creates a key.
   * @throws ConfigError when APP_KEYS do not open one
   */
  async list(): Promise<JWK[]> {
    const stored = await this.keys.list();
    const keys = stored.length > 0 ? stored : await this.createFirst();
    return keys.map((key) => this.open(key));
  }

  /** Every database has such a key since the first start, so this is where wrong APP_KEYS are found out. */
  private open({ kid, sealedJwk }: SealedKey): JWK {
    try {
      return JSON.parse(this.keyring.unseal(SIGNING_KEY_PURPOSE, kid, sealedJwk)) as JWK;
    } catch (error) {
      if (!(error instanceof UnsealError)) throw error;
      throw new ConfigError([this.problemOf(sealedJwk)]);
    }
  }

  private problemOf(sealedJwk: string): string {
    // The second part of a sealed value is the id of its key (keyring.ts).
    const [, id = ''] = sealedJwk.split('.');
    return this.keyring.has(id)
      ? `APP_KEYS: the key "${id}" does not open the OAuth signing key of this database: it is another key under the same id. Put back the one of your backup; a new key needs an id of its own`
      : `APP_KEYS: lacks "${id}", which the OAuth signing key is stored with; put it back, and run reseal-secrets before you remove it`;
  }

  /** Of several processes that start at once on an empty table, the first one creates the key that all of them use. */
  private createFirst(): Promise<SealedKey[]> {
    return this.sql.transaction(async () => {
      await this.keys.lock();
      const stored = await this.keys.list();
      if (stored.length > 0) return stored;
      const key = await this.generate();
      await this.keys.insert(key);
      return [key];
    });
  }

  private async generate(): Promise<SealedKey> {
    const kid = randomUUID();
    const { privateKey } = await generateKeyPair('ES256', { extractable: true });
    const jwk = { ...(await exportJWK(privateKey)), kid, use: 'sig', alg: 'ES256' };
    return { kid, sealedJwk: this.keyring.seal(SIGNING_KEY_PURPOSE, kid, JSON.stringify(jwk)) };
  }
}
