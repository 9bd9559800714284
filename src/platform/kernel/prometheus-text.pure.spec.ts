import { type MetricFamily, renderMetrics } from './prometheus-text.pure.js';

const family = (changes: Partial<MetricFamily> = {}): MetricFamily => ({
  name: 'gateway_x',
  help: 'Something.',
  type: 'gauge',
  samples: [{ value: 1 }],
  ...changes,
});

describe('the text that Prometheus reads', () => {
  it('is empty without metrics, and only a header without samples', () => {
    expect(renderMetrics([])).toBe('');
    expect(renderMetrics([family({ samples: [] })])).toBe(
      '# HELP gateway_x Something.\n# TYPE gateway_x gauge\n',
    );
  });

  it('has help, type and one line per sample, each with a line break', () => {
    const samples = [
      { labels: { chain: 'ethereum', kind: 'a' }, value: 12 },
      { labels: { chain: 'base', kind: 'a' }, value: 0 },
    ];
    expect(renderMetrics([family({ type: 'counter', name: 'gateway_y_total', samples }), family()])).toBe(
      [
        '# HELP gateway_y_total Something.',
        '# TYPE gateway_y_total counter',
        'gateway_y_total{chain="ethereum",kind="a"} 12',
        'gateway_y_total{chain="base",kind="a"} 0',
        '# HELP gateway_x Something.',
        '# TYPE gateway_x gauge',
        'gateway_x 1',
        '',
      ].join('\n'),
    );
  });

  it.each([
    [0.25, '0.25'],
    [1e21, '1e+21'],
    [-3, '-3'],
    [Number.NaN, 'NaN'],
    [Number.POSITIVE_INFINITY, '+Inf'],
    [Number.NEGATIVE_INFINITY, '-Inf'],
  ])('writes %d as %s', (value, text) => {
    expect(renderMetrics([family({ samples: [{ value }] })])).toContain(`\ngateway_x ${text}\n`);
  });

  it('escapes characters that would end a label or a line', () => {
    const text = renderMetrics([
      family({ help: 'a\\b\nc "d"', samples: [{ labels: { l: 'a\\b\n"c"' }, value: 1 }] }),
    ]);
    expect(text.split('\n')).toEqual([
      '# HELP gateway_x a\\\\b\\nc "d"',
      '# TYPE gateway_x gauge',
      'gateway_x{l="a\\\\b\\n\\"c\\""} 1',
      '',
    ]);
  });

  it.each([
    ['a name with a dash', [family({ name: 'gateway-x' })]],
    ['a name that begins with a digit', [family({ name: '1x' })]],
    ['a label with a dash', [family({ samples: [{ labels: { 'a-b': '' }, value: 1 }] })]],
    ['a label of its own', [family({ samples: [{ labels: { __name__: 'x' }, value: 1 }] })]],
    ['a family twice', [family(), family()]],
    ['a series twice', [family({ samples: [{ value: 1 }, { value: 2 }] })]],
  ])('rejects %s', (_name, families) => {
    expect(() => renderMetrics(families)).toThrow(/invalid|is listed twice/);
  });
});
