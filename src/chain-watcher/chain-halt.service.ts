import { Injectable } from '@nestjs/common';
import { AuditLog } from '../platform/integrity/audit-log.service.js';
import { Sql } from '../platform/database/sql.js';
import { ChainCursorRepository } from './chain-cursor.repository.js';

/** The operator's decision about a chain that was halted (docs/how-to/watch-chains.md#alerts). */
@Injectable()
export class ChainHaltService {
  constructor(
    private readonly sql: Sql,
    private readonly cursors: ChainCursorRepository,
    private readonly audit: AuditLog,
  ) {}

  /**
   * Lets the watcher go on from the applied block. It halts again if the node is still on another fork.
   * @returns why the chain was halted; null: it was not
   */
  resume(chain: string): Promise<string | null> {
    return this.sql.transaction(async (tx) => {
      const reason = await this.cursors.resume(tx, chain);
      if (reason === null) return null;
      const target = { kind: 'chain', id: chain };
      await this.audit.record({ act: 'chain.resumed', userId: null, target, details: { reason } });
      return reason;
    });
  }
}
