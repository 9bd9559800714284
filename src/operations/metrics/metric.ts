import type { MetricFamily } from '../../platform/kernel/prometheus-text.pure.js';

/** A gauge with one value and no labels. */
export function single(name: string, help: string, value: number): MetricFamily {
  return { name, help, type: 'gauge', samples: [{ value }] };
}

/** Never negative; null without a time. */
export function secondsSince(time: Date | null | undefined, now: Date): number | null {
  return time ? Math.max(0, (now.getTime() - time.getTime()) / 1_000) : null;
}
