import {
  afterFailure,
  afterSuccess,
  bestTip,
  type EndpointHealth,
  isResting,
  lagOf,
  NEW_ENDPOINT,
  withTip,
} from './endpoint-health.js';

const NOW = 1_000_000;

/** An endpoint that has just failed this often in a row. */
function failed(times: number): EndpointHealth {
  let health = NEW_ENDPOINT;
  for (let i = 0; i < times; i++) health = afterFailure(health, 'block', `failure ${i + 1}`, NOW);
  return health;
}

describe('EndpointHealth after failures', () => {
  it.each([
    [1, 1_000],
    [2, 2_000],
    [3, 4_000],
    [6, 32_000],
    [7, 60_000],
    [1_000, 60_000],
  ])('after %i consecutive failures, rests for %i ms', (times, rest) => {
    const health = failed(times);
    expect(health).toMatchObject({ failures: times, failedIn: 'block', lastError: `failure ${times}` });
    expect(isResting(health, NOW + rest - 1)).toBe(true);
    expect(isResting(health, NOW + rest)).toBe(false);
  });

  it('is cleared only by a success of the same type', () => {
    const health = failed(3);
    for (const other of ['start', 'tip', 'header', 'receipts', 'fate', 'finality'] as const)
      expect(afterSuccess(health, other)).toEqual(health);
    const forgiven = afterSuccess(health, 'block');
    expect(forgiven).toMatchObject({ failures: 0, failedIn: null, restsUntil: 0 });
    // Kept for the operator.
    expect(forgiven.lastError).toBe('failure 3');
  });

  it('does not change after successes', () => {
    expect(afterSuccess(NEW_ENDPOINT, 'tip')).toBe(NEW_ENDPOINT);
    expect(isResting(NEW_ENDPOINT, 0)).toBe(false);
  });
});

describe('lagOf', () => {
  const at = (height: number) => withTip(NEW_ENDPOINT, height);

  it('measures against the best tip', () => {
    const best = bestTip([at(10), at(12), NEW_ENDPOINT], NOW);
    expect(best).toBe(12);
    expect(lagOf(at(10), best)).toBe(2);
    expect(lagOf(at(12), best)).toBe(0);
    expect(lagOf(NEW_ENDPOINT, best)).toBeNull();
  });

  it('ignores the tip of a failing endpoint', () => {
    const boaster = withTip(failed(1), 10 ** 9);
    expect(bestTip([at(10), boaster], NOW)).toBe(10);
    expect(lagOf(boaster, 10)).toBe(0);
    expect(bestTip([boaster], NOW)).toBeNull();
    expect(bestTip([], NOW)).toBeNull();
    expect(lagOf(at(10), null)).toBeNull();
  });
});
