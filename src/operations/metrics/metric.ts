import { Counter, Gauge, Registry } from 'prom-client';

/** One value, with its labels. */
export interface Sample {
  labels?: Readonly<Record<string, string>>;
  value: number;
}

/** What is read at each scrape: the values of one name. */
export interface MetricFamily {
  /** `[a-zA-Z_:][a-zA-Z0-9_:]*` */
  name: string;
  help: string;
  type: 'gauge' | 'counter';
  samples: readonly Sample[];
}

/** A gauge with one value and no labels. */
export function single(name: string, help: string, value: number): MetricFamily {
  return { name, help, type: 'gauge', samples: [{ value }] };
}

/** Never negative; null without a time. */
export function secondsSince(time: Date | null | undefined, now: Date): number | null {
  return time ? Math.max(0, (now.getTime() - time.getTime()) / 1_000) : null;
}

/** @throws Error for a name that Prometheus rejects, or a duplicate */
export function registryOf(families: readonly MetricFamily[]): Registry {
  const registry = new Registry();
  for (const { name, help, type, samples } of families) {
    // A gauge without labels would say 0 where nothing is known.
    if (samples.length === 0) continue;
    const labelNames = [...new Set(samples.flatMap(({ labels = {} }) => Object.keys(labels)))];
    const metric = new (type === 'gauge' ? Gauge : Counter)({
      name,
      help,
      labelNames,
      registers: [registry],
    });
    for (const { labels = {}, value } of samples) metric.inc(labels, value);
  }
  return registry;
}
