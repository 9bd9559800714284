import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { Sql } from '../../database/sql.js';
import { CursorKeyEntity } from './cursor-key.entity.js';

// Not a lock of the table: the gateway's role has no rights that would allow one.
const LOCK = `select pg_advisory_xact_lock(hashtextextended('cursor-keys', 0))`;

/** The keys that encrypt cursors (cursor_keys). */
@Injectable()
export class CursorKeyRepository {
  constructor(
    @InjectRepository(CursorKeyEntity) private readonly rows: Repository<CursorKeyEntity>,
    private readonly sql: Sql,
  ) {}

  /** Oldest first. */
  list(): Promise<CursorKeyEntity[]> {
    return this.rows.find({ order: { createdAt: 'ASC', id: 'ASC' } });
  }

  /** Keeps other processes from inserting keys until the transaction ends. */
  async lock(): Promise<void> {
    await this.sql.query(LOCK);
  }

  async insert(key: Pick<CursorKeyEntity, 'id' | 'sealedKey'>): Promise<void> {
    await this.rows.insert(key);
  }
}
