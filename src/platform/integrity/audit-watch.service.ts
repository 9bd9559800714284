import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { LoopName } from '../kernel/loop-name.pure.js';
import { PollingLoops } from '../database/polling-loop.js';
import { Meters } from '../kernel/meters.js';
import { checkEnd } from './audit-end.pure.js';
import { AuditHeads } from './audit-heads.service.js';
import { AuditLogRepository } from './audit-log.repository.js';
import { AuditMacs } from './audit-macs.service.js';
import { AuditWriter } from './audit-writer.service.js';
import { describeDifference } from './row-difference.pure.js';
import { RowFingerprints } from './row-fingerprints.service.js';

const INTERVAL_MS = 60_000;

/**
 * Looks at the end of the audit log every minute, also while nothing is appended, and logs it when another process has
 * moved it. An end that was put back to an earlier time, together with every record of it, is missed by the processes
 * that have seen the later one. Rows that are not as the log says that they were left are reported too.
 */
@Injectable()
export class AuditWatch implements OnApplicationBootstrap {
  private readonly logger = new Logger('Integrity');
  /** Rows that were reported and are still not as they should be. */
  private reported: ReadonlySet<string> = new Set();

  constructor(
    private readonly entries: AuditLogRepository,
    private readonly macs: AuditMacs,
    private readonly heads: AuditHeads,
    private readonly writer: AuditWriter,
    private readonly loops: PollingLoops,
    private readonly fingerprints: RowFingerprints,
    private readonly meters: Meters,
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
    await this.reportRows();
    return false;
  }

  /** Each once, until it is as it should be again. */
  private async reportRows(): Promise<void> {
    const differences = await this.fingerprints.listDifferences();
    for (const difference of differences) {
      const { object } = difference;
      if (this.reported.has(object)) continue;
      this.meters.unauthentic.inc({ table: object.replace(/ .*/s, '') });
      this.logger.error(
        { object, ...describeDifference(difference) },
        'a row is not as the gateway left it: it was changed, deleted or put back outside of the gateway',
      );
    }
    this.reported = new Set(differences.map(({ object }) => object));
  }
}
