import { ServiceUnavailableError } from '../../platform/kernel/errors/errors.pure.js';

/** Limits how many expensive jobs run at once and how many may wait; further ones are refused. */
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
      // A finished job hands its slot to the next one, so `running` does not change.
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
