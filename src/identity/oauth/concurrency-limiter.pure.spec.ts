import { ServiceUnavailableError } from '../../platform/kernel/errors/errors.pure.js';
import { ConcurrencyLimiter } from './concurrency-limiter.pure.js';

function gate() {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { open, opened };
}

describe('ConcurrencyLimiter', () => {
  it('runs at most the allowed number of jobs and rejects further ones while the queue is full', async () => {
    const limit = new ConcurrencyLimiter(2, 1);
    const gates = [gate(), gate(), gate()];
    const started: number[] = [];
    const work = (n: number) =>
      limit.run(async () => {
        started.push(n);
        await gates[n]!.opened;
        return n;
      });
    const [first, second, third] = [work(0), work(1), work(2)];

    await expect(work(3)).rejects.toBeInstanceOf(ServiceUnavailableError);
    expect(started).toEqual([0, 1]);

    gates[0]!.open();
    expect(await first).toBe(0);
    gates[1]!.open();
    gates[2]!.open();
    expect(await Promise.all([second, third])).toEqual([1, 2]);
    expect(started).toEqual([0, 1, 2]);
  });

  it('frees the slot of a failed job', async () => {
    const limit = new ConcurrencyLimiter(1, 0);
    await expect(limit.run(() => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
    expect(await limit.run(() => Promise.resolve('fine'))).toBe('fine');
  });
});
