// Series of samples in promtool's notation, for the cases of alert-cases.mjs.

/** What every process says of the same fact: it is to alert once. */
export const byAll = (name, values, labels = {}) =>
  Object.fromEntries(['a', 'b'].map((instance) => [series(name, { instance, ...labels }), values]));
export const byOne = (name, values, labels = {}) => ({
  [series(name, { instance: 'a', ...labels })]: values,
});

function series(name, labels) {
  const pairs = Object.entries({ job: 'gateway', ...labels });
  return `${name}{${pairs.map(([label, value]) => `${label}="${value}"`).join(',')}}`;
}

/** A histogram in which each minute brings `fast` up to one bound, and `slow` up to the next. */
export const spread = (name, labels, [fastBound, fast], [slowBound, slow]) => ({
  ...byOne(`${name}_bucket`, `0+${fast}x90`, { ...labels, le: fastBound }),
  ...byOne(`${name}_bucket`, `0+${fast + slow}x90`, { ...labels, le: slowBound }),
  ...byOne(`${name}_bucket`, `0+${fast + slow}x90`, { ...labels, le: '+Inf' }),
});

export const answers = (status, values) =>
  byOne('gateway_http_request_duration_seconds_count', values, {
    method: 'GET',
    route: '/api/rates',
    status,
  });
export const attempts = (outcome, values) => byOne('gateway_webhook_attempts_total', values, { outcome });
