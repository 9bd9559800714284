import { Counter, Histogram, Meters } from './meters.pure.js';
import { renderMetrics } from './prometheus-text.pure.js';

describe('a counter', () => {
  it('counts per set of labels and can be zero', () => {
    const counter = new Counter('gateway_x_total', 'X.');
    counter.start({ outcome: 'failed' });
    counter.add({ outcome: 'succeeded' });
    counter.add({ outcome: 'succeeded' });
    counter.start({ outcome: 'succeeded' });
    expect(renderMetrics([counter.family()])).toBe(
      [
        '# HELP gateway_x_total X.',
        '# TYPE gateway_x_total counter',
        'gateway_x_total{outcome="failed"} 0',
        'gateway_x_total{outcome="succeeded"} 2',
        '',
      ].join('\n'),
    );
  });
});

describe('a histogram', () => {
  it('counts a value in every bucket that contains it, and in +Inf beyond all of them', () => {
    const histogram = new Histogram('gateway_x_seconds', 'X.', [0.5, 1]);
    for (const seconds of [0, 0.5, 0.75, 4]) histogram.observe({ chain: 'a' }, seconds);
    expect(renderMetrics([histogram.family()])).toBe(
      [
        '# HELP gateway_x_seconds X.',
        '# TYPE gateway_x_seconds histogram',
        'gateway_x_seconds_bucket{chain="a",le="0.5"} 2',
        'gateway_x_seconds_bucket{chain="a",le="1"} 3',
        'gateway_x_seconds_bucket{chain="a",le="+Inf"} 4',
        'gateway_x_seconds_sum{chain="a"} 5.25',
        'gateway_x_seconds_count{chain="a"} 4',
        '',
      ].join('\n'),
    );
  });
});

it('Meters export every outcome of webhook attempts from the start, at 0', () => {
  expect(renderMetrics(new Meters().families())).toContain(
    'gateway_webhook_attempts_total{outcome="gone"} 0',
  );
});
