import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config, environment } from '../../config.js';
import { Sql } from '../../platform/database/sql.js';
import { Clock } from '../../platform/kernel/clock.pure.js';
import { asOwnWork } from '../../platform/kernel/request-context.js';
import { listUnreadSettings } from '../../unread-settings.js';
import { checkAddressGaps } from './address-gaps-check.js';
import { checkConnections } from './connections-check.js';
import { examine, guarded, settingsFindings } from './doctor.js';
import type { Finding } from './finding.js';
import { type Arrival, assessProxies } from './proxy-findings.js';

/** The doctor inside of the gateway that it examines, for the dashboard. */
@Injectable()
export class DoctorService {
  private running: Promise<Finding[]> | null = null;

  constructor(
    private readonly sql: Sql,
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** All of the command `doctor`, which asks nodes, sources of rates and our own address. Concurrent calls share a run. */
  examine(): Promise<Finding[]> {
    // As the program's own work: a request may take only a part of a pool, and the doctor's has two connections.
    this.running ??= asOwnWork(() =>
      examine(this.config, this.clock, listUnreadSettings(environment)),
    ).finally(() => {
      this.running = null;
    });
    return this.running;
  }

  /** What needs no network. */
  async lookAround(arrival: Arrival): Promise<Finding[]> {
    return [
      ...settingsFindings(listUnreadSettings(environment)),
      assessProxies(this.config.trustedProxies, arrival),
      checkConnections(this.config.connections),
      ...(await guarded('gap limits', () => checkAddressGaps(this.sql))),
    ];
  }
}
