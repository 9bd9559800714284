import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { LoopName } from '../kernel/loop-name.pure.js';
import { PollingLoops } from '../database/polling-loop.js';
import { checkEnd } from './audit-end.pure.js';
import { AuditHeads } from './audit-heads.service.js';
import { AuditLogRepository } from './audit-log.repository.js';
import { AuditMacs } from './audit-macs.service.js';
import { AuditWriter } from './audit-writer.service.js';

const INTERVAL_MS = 60_000;

/**
 * Looks at the end of the audit log every minute, also while nothing is appended, and logs it when another process has
 * moved it. An end that was put back to an earlier time, together with every record of it, is missed by the processes
 * that have seen the later one.
 */
@Injectable()
export class AuditWatch implements OnApplicationBootstrap {
  constructor(
    private readonly entries: AuditLogRepository,
    private readonly macs: AuditMacs,
    private readonly heads: AuditHeads,
    private readonly writer: AuditWriter,
    private readonly loops: PollingLoops,
  ) {}

  onApplicationBootstrap(): void {
    this.loops.start({ name: LoopName.AuditWatch, role: 'worker', intervalMs: INTERVAL_MS }, () =>
      this.runOnce(),
    );
  }

  async runOnce(): Promise<boolean> {
    const { last } = this.heads;
    const end = await this.entries.findEnd(last);
    if (!end) throw new Error('audit_head has no row');
    const verdict = checkEnd(end, this.macs.isAuthentic(end.anchor), last);
    // The writer looks again under the lock, and records it.
    if (verdict.state === 'broken') await this.writer.append([]);
    else this.heads.moved(end.head);
    return false;
  }
}
