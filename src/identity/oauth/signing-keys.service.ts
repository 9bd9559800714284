import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { exportJWK, generateKeyPair } from 'jose';
import type { JWK } from 'oidc-provider';
import { Keyring } from '../../platform/kernel/keyring.js';
import {
  openSigningKey,
  type SealedKey,
  SIGNING_KEY_PURPOSE,
} from '../../platform/kernel/signing-key-seal.js';
import { Sql } from '../../platform/database/sql.js';
import { SigningKeyRepository } from './signing-key.repository.js';

/** The keys that sign ID tokens, which are stored encrypted, and those that sign the cookies of signing in. */
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
    return keys.map((key) => JSON.parse(openSigningKey(this.keyring, key)) as JWK);
  }

  /** Derived from APP_KEYS, newest first. */
  cookieKeys(): Buffer[] {
    return this.keyring.deriveKeys('oauth-cookies');
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
