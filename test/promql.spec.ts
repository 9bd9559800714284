import { readQuery } from './support/promql.js';

describe('the PromQL parser', () => {
  it('finds names, labels and groupings', () => {
    expect(
      readQuery(
        'histogram_quantile(0.9, sum by (le, a) (rate(x_bucket{b="1",c=~"d|e"}[5m]))) > 1 and y{f="g"} == 0',
      ),
    ).toEqual({
      selectors: [
        { name: 'x_bucket', labels: { b: '1', c: 'd|e' } },
        { name: 'y', labels: { f: 'g' } },
      ],
      groupings: ['le', 'a'],
    });
  });

  it.each(['sum(x', 'x)', 'sun(x)', 'rate(x)', 'max(x[5m])', 'x{a}', 'x > $1', 'sum by x', 'rate(x[5m]'])(
    'refuses %s',
    (expression) => {
      expect(() => readQuery(expression)).toThrow(/ in /);
    },
  );
});
