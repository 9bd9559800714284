import { RateBuckets } from './rate-buckets.pure.js';

const NOW = 1_795_224_000_000;
const POLICY = { name: 'test', quota: 3, windowSeconds: 60 };

function passes(buckets: RateBuckets, key: string, nowMs = NOW): boolean {
  return buckets.take(key, nowMs).retryAfterSeconds === null;
}

function exhaust(buckets: RateBuckets, key: string, nowMs = NOW): void {
  for (let i = 0; i < POLICY.quota; i++) expect(passes(buckets, key, nowMs)).toBe(true);
  expect(passes(buckets, key, nowMs)).toBe(false);
}

describe('RateBuckets', () => {
  it('gives every key its own quota', () => {
    const buckets = new RateBuckets(POLICY, 10);
    exhaust(buckets, 'a');
    exhaust(buckets, 'b');
    expect(passes(buckets, 'a')).toBe(false);
    expect(passes(buckets, 'a', NOW + 20_000)).toBe(true);
  });

  it('never keeps more keys than its limit', () => {
    const buckets = new RateBuckets(POLICY, 100);
    for (let i = 0; i < 50_000; i++) buckets.take(`key ${i}`, NOW + Math.floor(i / 10));
    expect(buckets.size).toBeLessThanOrEqual(100);
  });

  it('evicts full buckets, so that memory is freed', () => {
    const buckets = new RateBuckets(POLICY, 1_000);
    for (let i = 0; i < 1_000; i++) buckets.take(`old ${i}`, NOW);
    for (let i = 0; i < 1_000; i++) buckets.take('new', NOW + 60_000 + i);
    expect(buckets.size).toBe(1);
  });

  it('a flood of new keys does not reset existing buckets', () => {
    const buckets = new RateBuckets(POLICY, 100);
    exhaust(buckets, 'mine');
    for (let i = 0; i < 10_000; i++) buckets.take(`other ${i}`, NOW);
    expect(passes(buckets, 'mine')).toBe(false);
    expect(passes(buckets, 'mine', NOW + 20_000)).toBe(true);
  });

  it('limits keys that do not fit by shared buckets', () => {
    const buckets = new RateBuckets(POLICY, 1);
    exhaust(buckets, 'first');
    exhaust(buckets, 'late');
    let count = 0;
    for (let i = 0; i < 20_000; i++) if (passes(buckets, `invented ${i}`)) count++;
    // 1,024 shared buckets of 3.
    expect(count).toBeLessThanOrEqual(3 * 1_024);
    expect(buckets.size).toBe(1);
  });

  it('peeks at a bucket without taking anything', () => {
    const buckets = new RateBuckets(POLICY, 1);
    for (let i = 0; i < 10; i++)
      expect(buckets.peek('a', NOW)).toMatchObject({ remaining: 3, retryAfterSeconds: null });
    expect(buckets.size).toBe(0);
    exhaust(buckets, 'a');
    expect(buckets.peek('a', NOW)).toMatchObject({ remaining: 0, retryAfterSeconds: 20 });
    expect(buckets.peek('a', NOW + 20_000)).toMatchObject({ remaining: 1, retryAfterSeconds: null });
    exhaust(buckets, 'one too many');
    expect(buckets.peek('one too many', NOW)).toMatchObject({ remaining: 0, retryAfterSeconds: 20 });
  });

  it('refunds a request that was taken by mistake', () => {
    const buckets = new RateBuckets(POLICY, 10);
    for (let i = 0; i < 10; i++) {
      expect(passes(buckets, 'a')).toBe(true);
      buckets.giveBack('a');
    }
    exhaust(buckets, 'a');
    buckets.giveBack('unknown');
    expect(buckets.size).toBe(1);
  });
});
