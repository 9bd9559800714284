import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { Sql } from '../../platform/database/sql.js';
import type { SealedKey } from '../../platform/kernel/signing-key-seal.js';
import { SigningKeyEntity } from './signing-key.entity.js';

// Not a lock of the table: the gateway's role has no rights that would allow one.
const LOCK = `select pg_advisory_xact_lock(hashtextextended('oauth-signing-keys', 0))`;

/** The keys that sign ID tokens (oauth_signing_keys). */
@Injectable()
export class SigningKeyRepository {
  constructor(
    @InjectRepository(SigningKeyEntity) private readonly rows: Repository<SigningKeyEntity>,
    private readonly sql: Sql,
  ) {}

  /** Newest first. */
  list(): Promise<SealedKey[]> {
    return this.rows.find({ order: { createdAt: 'DESC', kid: 'ASC' } });
  }

  /** Keeps other processes from inserting keys until the transaction ends. */
  async lock(): Promise<void> {
    await this.sql.query(LOCK);
  }

  async insert(key: SealedKey): Promise<void> {
    await this.rows.insert(key);
  }
}
