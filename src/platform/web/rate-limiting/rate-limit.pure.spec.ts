import { capacityOf, costOf, headersOf, minutely, type Policy, spend, tightest } from './rate-limit.pure.js';

const NOW = 1_795_224_000_000_000;
const SECOND = 1_000_000;

function policy(quota: number, name = 'default'): Policy {
  const made = minutely(name, quota);
  if (!made) throw new Error('switched off');
  return made;
}

/** Sends requests to one bucket at these seconds; returns which passed. */
function ask(of: Policy, seconds: number[], start = 0) {
  let restoredAt = start;
  return seconds.map((second) => {
    const { standing, restoredAt: after } = spend(of, restoredAt, NOW + second * SECOND);
    restoredAt = after;
    return standing;
  });
}

const passed = (standings: { retryAfterSeconds: number | null }[]) =>
  standings.filter(({ retryAfterSeconds }) => retryAfterSeconds === null).length;

describe('minutely', () => {
  it('is off at 0', () => expect(minutely('default', 0)).toBeNull());
});

describe('spend', () => {
  it.each([1, 5, 7, 10, 20, 60, 120, 300, 600, 997, 7_919, 1_000_000])(
    'lets exactly %i pass at once',
    (quota) => {
      const of = policy(quota);
      expect(capacityOf(of)).toBe(costOf(of) * quota);
      expect(capacityOf(of)).toBeLessThanOrEqual(60 * SECOND);
      if (quota > 10_000) return;
      const standings = ask(
        of,
        Array.from({ length: quota + 3 }, () => 0),
      );
      expect(passed(standings)).toBe(quota);
      expect(standings[quota]?.retryAfterSeconds).not.toBeNull();
    },
  );

  it('counts down and returns the seconds until the bucket is full', () => {
    expect(ask(policy(600), [0, 0, 0.05, 10])).toMatchObject([
      { remaining: 599, resetSeconds: 1, retryAfterSeconds: null },
      { remaining: 598, resetSeconds: 1 },
      { remaining: 597, resetSeconds: 1 },
      { remaining: 599 },
    ]);
  });

  it('refills one request every window / quota', () => {
    // 3 a minute: one every 20 s.
    const standings = ask(policy(3), [0, 0, 0, 0, 19, 20, 20, 39, 40, 100]);
    expect(standings.map(({ retryAfterSeconds }) => retryAfterSeconds)).toEqual([
      null,
      null,
      null,
      20,
      1,
      null,
      20,
      1,
      null,
      null,
    ]);
  });

  it('takes nothing from a refused request, so that repeating it does not lengthen the wait', () => {
    const impatient = Array.from({ length: 200 }, (_, i) => 0.1 * i);
    expect(passed(ask(policy(3), [0, 0, 0, ...impatient, 20]))).toBe(4);
  });

  it.each([5, 60])('lets a customer who polls every %i s poll for an hour', (seconds) => {
    const polls = Array.from({ length: 3_600 / seconds }, (_, i) => i * seconds);
    expect(passed(ask(policy(60), polls))).toBe(polls.length);
  });

  it('a clock that was set back locks clients out for at most one window', () => {
    const [first, second] = ask(policy(60), [0, 60], NOW + 86_400 * SECOND);
    expect(first).toMatchObject({ remaining: 0, resetSeconds: 60, retryAfterSeconds: 1 });
    expect(second).toMatchObject({ remaining: 59, retryAfterSeconds: null });
  });
});

describe('headersOf', () => {
  it('are the headers that the documentation shows', () => {
    const standings = ask(policy(600), [0, 0]);
    expect(headersOf(standings.slice(1))).toEqual({
      'RateLimit-Policy': '"default";q=600;w=60',
      RateLimit: '"default";r=598;t=1',
      'X-RateLimit-Limit': '600',
      'X-RateLimit-Remaining': '598',
    });
  });

  it('lists every policy and shows older clients the tightest', () => {
    const [address] = ask(policy(300, 'address'), [0]);
    const [payment] = ask(policy(60, 'payment'), [0]);
    if (!address || !payment) throw new Error('nothing asked');
    expect(headersOf([address, payment])).toEqual({
      'RateLimit-Policy': '"address";q=300;w=60, "payment";q=60;w=60',
      RateLimit: '"address";r=299;t=1, "payment";r=59;t=1',
      'X-RateLimit-Limit': '60',
      'X-RateLimit-Remaining': '59',
    });
  });

  it('returns no headers without policies', () => expect(headersOf([])).toEqual({}));
});

describe('tightest', () => {
  it('prefers a refusal, and of two refusals the longer wait', () => {
    const free = ask(policy(1, 'free'), [0]);
    const short = ask(
      policy(60, 'short'),
      Array.from({ length: 61 }, () => 0),
    ).slice(-1);
    const long = ask(policy(1, 'long'), [0, 0]).slice(-1);
    expect(tightest([...free, ...short, ...long])?.policy.name).toBe('long');
    expect(tightest([...short, ...free])?.policy.name).toBe('short');
    expect(tightest([])).toBeNull();
  });
});
