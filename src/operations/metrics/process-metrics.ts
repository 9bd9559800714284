import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { MetricFamily, Sample } from '../../platform/kernel/prometheus-text.pure.js';
import { COMMIT, VERSION } from '../../platform/kernel/version.js';

/** The state of this process. Names without the gateway's prefix are those that every exporter uses. */
export class ProcessMetrics {
  private readonly delay = monitorEventLoopDelay({ resolution: 20 });

  constructor(private readonly role: string) {
    this.delay.enable();
  }

  stop(): void {
    this.delay.disable();
  }

  /** The lag of the event loop is that since the last call. */
  families(connections: { idle: number; busy: number; waiting: number }): MetricFamily[] {
    const { rss, heapUsed } = process.memoryUsage();
    const { user, system } = process.cpuUsage();
    const family = (
      name: string,
      help: string,
      samples: readonly Sample[],
      type: MetricFamily['type'] = 'gauge',
    ): MetricFamily => ({ name, help, type, samples });
    const families = [
      family('gateway_info', 'Version, commit and role of this process.', [
        { labels: { version: VERSION, commit: COMMIT, role: this.role }, value: 1 },
      ]),
      family(
        'gateway_event_loop_lag_seconds',
        'Delay of timers since the last scrape, by quantile; 1 is the longest.',
        [0.5, 0.99, 1].map((quantile) => ({
          labels: { quantile: String(quantile) },
          // Nanoseconds; without a measurement it is not a number.
          value: Math.max(0, this.delay.percentile(quantile * 100) / 1e9 || 0),
        })),
        // The type that has the label `quantile`, here without sum and count.
        'summary',
      ),
      family(
        'gateway_database_connections',
        'Connections of the pool, and work that waits for one.',
        Object.entries(connections).map(([state, value]) => ({ labels: { state }, value })),
      ),
      family('process_cpu_seconds_total', 'Processor time.', [{ value: (user + system) / 1e6 }], 'counter'),
      family('process_resident_memory_bytes', 'Memory in use.', [{ value: rss }]),
      family('nodejs_heap_used_bytes', 'Memory in use by objects.', [{ value: heapUsed }]),
      family('process_start_time_seconds', 'Start of the process in seconds since 1970.', [
        { value: performance.timeOrigin / 1_000 },
      ]),
    ];
    this.delay.reset();
    return families;
  }
}
