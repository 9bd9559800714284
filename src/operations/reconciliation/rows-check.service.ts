import { Injectable } from '@nestjs/common';
import { describeDifference } from '../../platform/integrity/row-difference.pure.js';
import { RowFingerprints } from '../../platform/integrity/row-fingerprints.service.js';
import { EventWatch } from '../../webhooks/watch/event-watch.service.js';
import type { Difference } from './reconciliation-report.pure.js';

/** Every row of who may do what, and of where events go, is as the audit log says that it was left; and events of applications are sent. */
@Injectable()
export class RowsCheck {
  constructor(
    private readonly fingerprints: RowFingerprints,
    private readonly events: EventWatch,
  ) {}

  async run(): Promise<Difference[]> {
    const rows = await this.fingerprints.listDifferences();
    const silences = await this.events.listOfApplications();
    return [
      ...rows.map((difference) => ({ object: difference.object, ...describeDifference(difference) })),
      ...silences,
    ].map(({ object, ...about }) => ({
      check: 'row',
      chain: null,
      paymentId: null,
      subject: object,
      ...about,
    }));
  }
}
