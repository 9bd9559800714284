import { loadConfig } from '../config.js';
import { type AttemptOutcome, decideNextStep } from './retry-schedule.pure.js';

const FIRST = new Date('2026-01-15T10:00:00Z');
const HOUR = 3_600;
/** See specification/webhooks.md#retries. */
const SCHEDULE = [
  0,
  5,
  30,
  120,
  600,
  1_800,
  HOUR,
  2 * HOUR,
  4 * HOUR,
  12 * HOUR,
  20 * HOUR,
  28 * HOUR,
  36 * HOUR,
  44 * HOUR,
  52 * HOUR,
  60 * HOUR,
  68 * HOUR,
];
const middle = () => 0.5;
const failure: AttemptOutcome = { kind: 'failure' };
const response = (status: number, retryAfter: string | null = null): AttemptOutcome => ({
  kind: 'response',
  status,
  retryAfter,
});
const after = (seconds: number) => new Date(FIRST.getTime() + seconds * 1000);

/** Seconds from the first attempt to the next one. */
function nextAt(
  number: number,
  atSeconds: number,
  outcome: AttemptOutcome = failure,
  random: () => number = middle,
  schedule: readonly number[] = SCHEDULE,
): number | string {
  const step = decideNextStep(
    { number, firstAttemptAt: FIRST, deferredSeconds: 0, now: after(atSeconds), outcome },
    schedule,
    random,
  );
  return typeof step === 'string' ? step : (step.nextAttemptAt.getTime() - FIRST.getTime()) / 1000;
}

describe('decideNextStep', () => {
  it('follows the default schedule, then is exhausted', () => {
    const { webhooks } = loadConfig({
      DATABASE_URL: 'postgres://localhost/x',
      APP_KEYS: `k:${Buffer.from('0123456789abcdefghijklmnopqrstuv').toString('base64')}`,
      CHECKOUT_SIGNING_KEY: 'test-checkout-signing-key-with-enough-length',
    });
    expect(webhooks.retryScheduleSeconds).toEqual(SCHEDULE);
    const walked = [0];
    for (let number = 1; number < SCHEDULE.length; number++) {
      walked.push(Number(nextAt(number, walked.at(-1) ?? 0)));
    }
    expect(walked).toEqual(SCHEDULE);
    expect(nextAt(SCHEDULE.length, 68 * HOUR)).toBe('exhausted');
  });

  it.each([
    [200, 'succeeded'],
    [201, 'succeeded'],
    [204, 'succeeded'],
    [299, 'succeeded'],
    [410, 'gone'],
    [100, 5],
    [199, 5],
    [300, 5],
    [301, 5],
    [302, 5],
    [307, 5],
    [400, 5],
    [401, 5],
    [404, 5],
    [409, 5],
    [411, 5],
    [429, 5],
    [500, 5],
    [503, 5],
    [599, 5],
  ])('status %i on the first attempt: %s', (status, expected) => {
    expect(nextAt(1, 0, response(status))).toBe(expected);
  });

  it.each([
    [200, 'succeeded'],
    [410, 'gone'],
    [500, 'exhausted'],
    [503, 'exhausted'],
  ])('status %i on the last attempt: %s', (status, expected) => {
    expect(nextAt(SCHEDULE.length, 68 * HOUR, response(status, '60'))).toBe(expected);
  });

  it.each([
    ['beyond the last (a redelivery of an exhausted event)', SCHEDULE.length + 3],
    ['an impossible number', 0],
  ])('is exhausted at an attempt %s', (_name, number) => {
    expect(nextAt(number, 0)).toBe('exhausted');
  });

  it.each([
    [1, 0, 4, 6],
    [2, 5, 25, 35],
    [4, 120, 504, 696],
    [9, 4 * HOUR, 12 * HOUR - 1.6 * 3_600, 12 * HOUR + 1.6 * 3_600],
  ])('moves attempt %i+1 by at most a fifth of its gap', (number, at, earliest, latest) => {
    expect(nextAt(number, at, failure, () => 0)).toBe(earliest);
    expect(nextAt(number, at, failure, () => 1)).toBe(latest);
  });

  it.each([
    ['a slow response beyond the next place waits most of the gap', 1, 15, 15 + 4],
    [
      'a gateway that was down for two days continues one gap at a time',
      5,
      48 * HOUR,
      48 * HOUR + 0.8 * 1_200,
    ],
    ['a slightly late response keeps the place', 4, 150, 600],
  ])('%s', (_name, number, at, expected) => {
    expect(nextAt(number, at)).toBe(expected);
  });

  it.each([
    ['seconds on 429', response(429, '120'), 120],
    ['seconds on 503', response(503, '120'), 120],
    ['surrounding space', response(503, ' 120 '), 120],
    ['not on 500', response(500, '120'), 5],
    ['not on 302', response(302, '120'), 5],
    ['never sooner than the schedule', response(429, '0'), 5],
    ['at most 24 h', response(429, '9999999'), 24 * HOUR],
    ['at most 24 h, however long the number', response(503, '9'.repeat(400)), 24 * HOUR],
    ['IMF-fixdate', response(503, 'Thu, 15 Jan 2026 10:10:00 GMT'), 600],
    ['RFC 850 date', response(503, 'Thursday, 15-Jan-26 10:10:00 GMT'), 600],
    ['asctime date', response(503, 'Thu Jan 15 10:10:00 2026'), 600],
    ['a date in the past', response(503, 'Thu, 15 Jan 2026 09:00:00 GMT'), 5],
    ['a date beyond 24 h', response(503, 'Thu, 15 Jan 2027 09:00:00 GMT'), 24 * HOUR],
    ['an impossible date', response(503, 'Thu, 99 Jan 2026 10:10:00 GMT'), 5],
    ['negative', response(429, '-5'), 5],
    ['a fraction', response(429, '1.5'), 5],
    ['an ISO date', response(429, '2026-01-15T10:10:00Z'), 5],
    ['words', response(429, 'later'), 5],
    ['empty', response(429, ''), 5],
    ['absent', response(429), 5],
  ])('Retry-After: %s', (_name, outcome, expected) => {
    expect(nextAt(1, 0, outcome)).toBe(expected);
  });

  it('counts a Retry-After from the response, not from the first attempt', () => {
    expect(nextAt(3, 40, response(429, '300'))).toBe(340);
  });

  it.each([
    ['a single attempt', [0], 1, 'exhausted'],
    ['no schedule at all', [], 1, 'exhausted'],
    ['equal offsets repeat at once', [0, 0], 1, 0],
    ['falling offsets repeat at once', [10, 0], 1, 0],
  ])('%s', (_name, schedule, number, expected) => {
    expect(nextAt(number, 0, failure, middle, schedule)).toBe(expected);
  });
});

/** Seconds from the first attempt to each one that is made, until the schedule ends. */
function walk(
  answer: (number: number) => AttemptOutcome,
  {
    schedule = SCHEDULE,
    random = middle,
    lost = () => 0,
  }: {
    schedule?: readonly number[];
    random?: () => number;
    /** Seconds by which the gateway is late for an attempt. */
    lost?: (number: number) => number;
  } = {},
): number[] {
  const made = [0];
  let deferredSeconds = 0;
  for (;;) {
    const number = made.length;
    const now = after(made.at(-1) ?? 0);
    const attempt = { number, firstAttemptAt: FIRST, deferredSeconds, now, outcome: answer(number) };
    const step = decideNextStep(attempt, schedule, random);
    if (step === 'exhausted') return made;
    if (typeof step === 'string') throw new Error(`it ended as ${step}`);
    expect(step.nextAttemptAt.getTime()).toBeGreaterThanOrEqual(now.getTime());
    made.push((step.nextAttemptAt.getTime() - FIRST.getTime()) / 1000 + lost(number + 1));
    deferredSeconds = step.deferredSeconds;
  }
}

/** Reproducible pseudo-random numbers (Park and Miller). */
function pseudoRandom(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
}

describe('Retry-After and the end of the schedule', () => {
  const END = 68 * HOUR;
  /** The jitter of the last attempt. */
  const MARGIN = 0.2 * 8 * HOUR;
  const aDay = () => response(503, '86400');
  const hours = (made: number[]) => made.map((seconds) => Math.round((seconds / HOUR) * 100) / 100);

  it.each<[string, () => number, number]>([
    ['in the middle of the jitter', middle, 68],
    ['at its beginning', () => 0, 66.4],
    ['at its end', () => 1, 69.6],
  ])(
    'an endpoint with Retry-After of a day gets its last attempt at the end of the schedule, %s',
    (_name, random, last) => {
      expect(hours(walk(aDay, { random }))).toEqual([0, 24, 48, last]);
    },
  );

  it.each<[string, (number: number) => AttemptOutcome, number[]]>([
    ['a day once, then errors', (n) => (n === 9 ? aDay() : failure), [28, 34.4, 40.8, 47.2, 53.6, 60, 66.4]],
    ['two days, then errors', (n) => (n <= 2 ? aDay() : failure), [57.59, 63.99, 68]],
    ['beyond it in the last gap but one', (n) => (n === 15 ? aDay() : failure), [44, 52, 68]],
    ['before it in the last gap', (n) => (n === 16 ? response(429, '30000') : failure), [52, 60, 68]],
  ])('%s', (_name, answer, lastOnes) => {
    const made = hours(walk(answer));
    expect(made.slice(-lastOnes.length)).toEqual(lastOnes);
  });

  it.each<[string, number[], number[]]>([
    ['of an hour', [0, 60, 3_600], [0, 3_600]],
    ['of two attempts', [0, 60], [0, 60]],
    ['of a week', [0, 3_600, 7 * 86_400], [0, 86_400, 7 * 86_400]],
    ['of one attempt', [0], [0]],
    ['without gaps', [0, 0, 0], [0, 0, 0]],
    ['with a shorter last gap', [0, 100, 110], [0, 110]],
    ['that begins later', [10, 70], [0, 60]],
  ])('holds for a schedule %s', (_name, schedule, expected) => {
    expect(walk(aDay, { schedule })).toEqual(expected);
  });

  it('no responses move the last attempt beyond the end of the schedule and its jitter', () => {
    const values = [null, '1', '60', '3600', '20000', '30000', '86399', '86400', '999999'];
    for (let seed = 1; seed <= 2_000; seed++) {
      const random = pseudoRandom(seed);
      const pick = () => values[Math.floor(random() * values.length)] ?? null;
      const made = walk(() => response(503, pick()), { random });
      expect(made.at(-1)).toBeLessThanOrEqual(END + MARGIN + 1);
      expect(made.at(-1)).toBeGreaterThanOrEqual(END - MARGIN - 1);
    }
  });

  it('no attempt before the end comes sooner than Retry-After', () => {
    const made = walk(() => response(429, '7200'));
    for (const [index, at] of made.slice(1).entries())
      expect(at).toBeGreaterThanOrEqual(Math.min((made[index] ?? 0) + 7_200, END));
  });

  it.each([2, 5, 9, 16, 17])('five days of downtime at attempt %i leave all attempts', (number) => {
    const made = walk(() => failure, { lost: (at) => (at === number ? 120 * HOUR : 0) });
    expect(made).toHaveLength(SCHEDULE.length);
  });

  it('after five days of downtime, an endpoint with Retry-After of a day is tried until the rest of the schedule has passed', () => {
    const made = walk(aDay, { lost: (at) => (at === 2 ? 120 * HOUR : 0) });
    // The gateway lost 120 hours at the attempt after 24: then what was left of the schedule, at its fastest pace.
    expect(hours(made)).toEqual([0, 144, 168, 174.4]);
  });

  it('an attempt after days of downtime is followed by others, even after a Retry-After', () => {
    const lost = (at: number) => (at === 11 ? 120 * HOUR : 0);
    const made = walk((number) => (number === 3 ? response(503, '600') : failure), { lost });
    expect(made).toHaveLength(SCHEDULE.length);
  });

  it('downtime before the last attempt that Retry-After has left adds none', () => {
    const made = walk(aDay, { lost: (at) => (at === 4 ? 120 * HOUR : 0) });
    expect(hours(made)).toEqual([0, 24, 48, 188]);
  });

  it('a redelivery of an exhausted event is a single attempt', () => {
    const given = { firstAttemptAt: FIRST, deferredSeconds: END - 100, outcome: aDay() };
    expect(decideNextStep({ ...given, number: 5, now: after(400 * HOUR) }, SCHEDULE, middle)).toBe(
      'exhausted',
    );
  });

  it.each([0, 3_600])(
    'a clock that was set back does not exhaust an event (%i s deferred before)',
    (deferredSeconds) => {
      const attempt = { number: 4, firstAttemptAt: FIRST, deferredSeconds, now: after(-10 * HOUR) };
      const at = (outcome: AttemptOutcome) => {
        const step = decideNextStep({ ...attempt, outcome }, SCHEDULE, middle);
        return typeof step === 'string'
          ? step
          : (step.nextAttemptAt.getTime() - FIRST.getTime()) / HOUR / 1_000;
      };
      expect(at(failure)).toBe(600 / HOUR);
      expect(at(aDay())).toBe(14);
    },
  );
});
