import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { Keyring, UnsealError } from '../../platform/kernel/keyring.js';
import { ReconciliationProgressEntity } from './reconciliation-progress.entity.js';
import { formatProgress, NO_PROGRESS, parseProgress, type Progress } from './verification-pass.pure.js';

const PURPOSE = 'reconciliation-progress';

/**
 * Remembers how far the payments have been compared. Encrypted under APP_KEYS: a writer of the database who has changed
 * payments must not be able to make a run leave them out. To put an earlier value back only makes it compare more.
 */
@Injectable()
export class ReconciliationProgress {
  constructor(
    @InjectRepository(ReconciliationProgressEntity)
    private readonly rows: Repository<ReconciliationProgressEntity>,
    private readonly keyring: Keyring,
  ) {}

  /** Nothing yet, if what is stored is not authentic. */
  async read(): Promise<Progress> {
    const row = await this.rows.findOneBy({ onlyOne: true });
    if (!row) return NO_PROGRESS;
    try {
      return parseProgress(this.keyring.unseal(PURPOSE, PURPOSE, row.sealedProgress));
    } catch (error) {
      if (!(error instanceof UnsealError)) throw error;
      return NO_PROGRESS;
    }
  }

  async write(progress: Progress): Promise<void> {
    const sealedProgress = this.keyring.seal(PURPOSE, PURPOSE, formatProgress(progress));
    await this.rows.upsert({ onlyOne: true, sealedProgress }, ['onlyOne']);
  }
}
