import { Injectable } from '@nestjs/common';
import { describeDifference } from '../../platform/integrity/row-difference.pure.js';
import { RowFingerprints } from '../../platform/integrity/row-fingerprints.service.js';
import type { Difference } from './reconciliation-report.pure.js';

/** Every row of who may do what, and of where events go, is as the audit log says that it was left. */
@Injectable()
export class RowsCheck {
  constructor(private readonly fingerprints: RowFingerprints) {}

  async run(): Promise<Difference[]> {
    return (await this.fingerprints.listDifferences()).map((difference) => ({
      check: 'row',
      chain: null,
      paymentId: null,
      subject: difference.object,
      ...describeDifference(difference),
    }));
  }
}
