import { Injectable, Logger } from '@nestjs/common';
import { type AuditLink, formatAuditHead } from './audit-chain.pure.js';

/**
 * The newest end of the audit log that this process has seen committed. Every new one leaves the machine as a log line,
 * so that an end which is cut off later, with the records of it, can be compared with one from before.
 */
@Injectable()
export class AuditHeads {
  private readonly logger = new Logger('AuditLog');
  private newest: AuditLink | null = null;

  /** Null: none yet. */
  get last(): AuditLink | null {
    return this.newest;
  }

  /** Commits may be reported out of order. */
  moved(link: AuditLink): void {
    if (this.newest && link.seq <= this.newest.seq) return;
    this.newest = link;
    this.logger.log({ head: formatAuditHead(link) }, 'audit log head');
  }

  /** After what was seen before has turned out to be gone, and that was recorded. */
  movedBack(link: AuditLink): void {
    this.newest = null;
    this.moved(link);
  }
}
