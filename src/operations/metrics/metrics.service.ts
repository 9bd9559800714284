import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import { Clock } from '../../platform/kernel/clock.pure.js';
import { Meters } from '../../platform/kernel/meters.js';
import { Sql } from '../../platform/database/sql.js';
import { CONFIG, type Config } from '../../config.js';
import { chainFamilies, unmovedFamily } from './chain-metrics.js';
import { ChainOverviews } from './chain-overview.service.js';
import { LastChange } from './last-change.pure.js';
import { registryOf } from './metric.js';
import { MetricsRepository } from './metrics.repository.js';
import { ProcessMetrics } from './process-metrics.js';
import { countFamilies, reconciliationFamilies, undeliveredFamilies } from './record-metrics.js';

/**
 * Metrics that Prometheus reads every few seconds. Those of the database are the same in every process; those that are
 * measured ({@link Meters}, {@link ProcessMetrics}) are this process's own.
 */
@Injectable()
export class MetricsService implements OnModuleDestroy {
  private readonly process: ProcessMetrics;
  private readonly cursors = new LastChange();
  private running: Promise<string> | null = null;

  constructor(
    @Inject(CONFIG) config: Config,
    private readonly repository: MetricsRepository,
    private readonly overviews: ChainOverviews,
    private readonly meters: Meters,
    private readonly sql: Sql,
    private readonly clock: Clock,
  ) {
    this.process = new ProcessMetrics(config.role);
  }

  onModuleDestroy(): void {
    this.process.stop();
  }

  /** Concurrent scrapes share one result, so the load does not grow with their number. */
  render(): Promise<string> {
    this.running ??= this.read().finally(() => {
      this.running = null;
    });
    return this.running;
  }

  private async read(): Promise<string> {
    const overviews = await this.overviews.list();
    const [counts, undelivered, unattributed, reconciliation, compared] = await Promise.all([
      this.repository.counts(),
      this.repository.undelivered(),
      this.repository.unattributed(overviews.map(({ chain }) => chain.slug)),
      this.repository.findLastReconciliation(),
      this.repository.findCompared(),
    ]);
    const now = this.clock.now();
    const read = registryOf([
      ...chainFamilies(overviews, now),
      unmovedFamily(overviews, this.cursors, now),
      {
        name: 'gateway_unattributed_deposits',
        help: 'Transfers to deposit addresses in an asset that was never quoted.',
        type: 'gauge',
        samples: unattributed.map(({ chain, count }) => ({ labels: { chain }, value: count })),
      },
      ...undeliveredFamilies(undelivered, now),
      ...countFamilies(counts),
      ...reconciliationFamilies(reconciliation, compared, now),
      ...this.process.families(this.sql.connections()),
    ]);
    return (await Promise.all([read.metrics(), this.meters.registry.metrics()])).join('');
  }
}
