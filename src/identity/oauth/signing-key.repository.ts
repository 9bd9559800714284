import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { Sql } from '../../platform/database/sql.js';
import { SigningKeyEntity } from './signing-key.entity.js';

export type SealedKey = Pick<SigningKeyEntity, 'kid' | 'sealedJwk'>;

// Conflicts with itself and with every insertion, but not with reads.
const LOCK = `lock table oauth_signing_keys in share row exclusive mode`;

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
  async lockTable(): Promise<void> {
    await this.sql.query(LOCK);
  }

  async insert(key: SealedKey): Promise<void> {
    await this.rows.insert(key);
  }
}
