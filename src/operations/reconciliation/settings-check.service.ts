import { Injectable } from '@nestjs/common';
import { SiteRecords } from '../../applications/site-records.service.js';
import { Sql } from '../../platform/database/sql.js';
import type { Difference } from './reconciliation-report.pure.js';

/** Every application has its settings, as the gateway wrote them. */
@Injectable()
export class SettingsCheck {
  constructor(
    private readonly sql: Sql,
    private readonly sites: SiteRecords,
  ) {}

  async run(): Promise<Difference[]> {
    return this.sql.snapshot(async () => {
      const changed = await this.sites.listUnauthentic();
      const lost = await this.sites.listApplicationsWithout();
      return [
        ...changed.map(({ id, hasMac }) =>
          difference(
            `sites ${id}`,
            'as the gateway wrote it',
            hasMac ? 'without a valid MAC' : 'without a MAC',
          ),
        ),
        ...lost.map((id) => difference(`payment_applications ${id}`, 'a site', 'none')),
      ];
    });
  }
}

function difference(subject: string, expected: string, found: string): Difference {
  return { check: 'record', chain: null, paymentId: null, subject, expected, found };
}
