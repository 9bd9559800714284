import { ServiceUnavailableError } from '../../platform/errors/errors.pure.js';

/** Bounds how much expensive work runs at once and how much may wait; the rest is turned away. */
export class ConcurrencyLimiter {
  private running = 0;
  private readonly waiting: (() => void)[] = [];

  constructor(
    private readonly maxRunning: number,
    private readonly maxWaiting: number,
  ) {}

  /** @throws ServiceUnavailableError when the queue is full */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.running < this.maxRunning) this.running++;
    else {
      if (this.waiting.length >= this.maxWaiting) throw new ServiceUnavailableError('Too many sign-ins');
      // A finished job passes its slot on, so `running` does not change.
      await new Promise<void>((start) => this.waiting.push(start));
    }
    try {
      return await work();
    } finally {
      const next = this.waiting.shift();
      if (next) next();
      else this.running--;
    }
  }
}
