import { monitorEventLoopDelay } from 'node:perf_hooks';
import { COMMIT, VERSION } from '../../platform/kernel/version.js';
import { type MetricFamily, single } from './metric.js';

/**
 * The state of this process. Names without the gateway's prefix are those of prom-client's default metrics, which a
 * process has once: here several gateways can share one.
 */
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
    // Nanoseconds; without a measurement it is not a number.
    const lag = (percentile: number) => Math.max(0, this.delay.percentile(percentile) / 1e9 || 0);
    const families: MetricFamily[] = [
      {
        name: 'gateway_info',
        help: 'Version, commit and role of this process.',
        type: 'gauge',
        samples: [{ labels: { version: VERSION, commit: COMMIT, role: this.role }, value: 1 }],
      },
      single('nodejs_eventloop_lag_p50_seconds', 'Median delay of timers since the last scrape.', lag(50)),
      single('nodejs_eventloop_lag_p99_seconds', '99th percentile of it.', lag(99)),
      single('nodejs_eventloop_lag_max_seconds', 'The longest of it.', lag(100)),
      {
        name: 'gateway_database_connections',
        help: 'Connections of the pool, and work that waits for one.',
        type: 'gauge',
        samples: Object.entries(connections).map(([state, value]) => ({ labels: { state }, value })),
      },
      {
        name: 'process_cpu_seconds_total',
        help: 'Processor time.',
        type: 'counter',
        samples: [{ value: (user + system) / 1e6 }],
      },
      single('process_resident_memory_bytes', 'Memory in use.', rss),
      single('nodejs_heap_size_used_bytes', 'Memory in use by objects.', heapUsed),
      single(
        'process_start_time_seconds',
        'Start of the process in seconds since 1970.',
        performance.timeOrigin / 1_000,
      ),
    ];
    this.delay.reset();
    return families;
  }
}
