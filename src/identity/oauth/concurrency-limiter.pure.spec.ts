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
      limit.run('a', async () => {
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
    await expect(limit.run('a', () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
    expect(await limit.run('a', () => Promise.resolve('fine'))).toBe('fine');
  });

  it.each([
    ['tenants take turns', ['a1', 'a2', 'a3', 'b1', 'c1'], ['a1', 'b1', 'c1', 'a2', 'a3'], []],
    ['the gateway itself is one of them', ['a1', 'a2', '-1'], ['a1', '-1', 'a2'], []],
    [
      'the newest of whom has the most waiting makes room',
      ['a1', 'a2', 'a3', 'a4', 'a5', 'b1'],
      ['a1', 'b1', 'a2', 'a3', 'a4'],
      ['a5'],
    ],
    [
      'who has as many waiting is refused',
      ['a1', 'a2', 'b1', 'b2', 'c1', 'c2'],
      ['a1', 'b1', 'c1', 'a2', 'b2'],
      ['c2'],
    ],
    [
      'who has the most waiting is refused',
      ['a1', 'a2', 'a3', 'a4', 'b1', 'a5'],
      ['a1', 'b1', 'a2', 'a3', 'a4'],
      ['a5'],
    ],
  ])('%s', async (_what, jobs, expected, expectedRefused) => {
    const limit = new ConcurrencyLimiter(1, 5);
    const first = gate();
    const [started, refused]: [string[], string[]] = [[], []];
    const blocked = limit.run('first', () => first.opened);
    const all = jobs.map((job) =>
      limit
        .run(job.startsWith('-') ? null : job.slice(0, 1), () => Promise.resolve(started.push(job)))
        .catch(() => refused.push(job)),
    );
    first.open();
    await Promise.all([blocked, ...all]);
    expect({ started, refused }).toEqual({ started: expected, refused: expectedRefused });
  });
});
