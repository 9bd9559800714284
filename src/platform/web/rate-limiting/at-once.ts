import { ServiceUnavailableError } from '../../kernel/errors/errors.pure.js';
import { refusalAtOnce } from './rate-limit.pure.js';

/** What may run at the same time, of one user and in one process. */
export interface AtOnceLimit {
  /** In the headers of a refusal. */
  name: string;
  perUser: number;
  total: number;
  /** Seconds after which a refused client should try again. */
  retryAfter: number;
}

/** Lets few run at once of what is long or asks others, and refuses the rest: waiting would hold a request open. */
export class AtOnce {
  /** By user. */
  private readonly running = new Map<string, number>();

  constructor(private readonly limit: AtOnceLimit) {}

  /** @throws TooManyRequestsError, ServiceUnavailableError before the work begins */
  async run<Result>(userId: string, work: () => Promise<Result>): Promise<Result> {
    const { name, perUser, total, retryAfter } = this.limit;
    const own = this.running.get(userId) ?? 0;
    if (own >= perUser) throw refusalAtOnce(name, perUser, retryAfter);
    if ([...this.running.values()].reduce((sum, count) => sum + count, 0) >= total)
      throw new ServiceUnavailableError(`Too many ${name} are running`, retryAfter);
    this.running.set(userId, own + 1);
    try {
      return await work();
    } finally {
      const left = (this.running.get(userId) ?? 1) - 1;
      if (left > 0) this.running.set(userId, left);
      else this.running.delete(userId);
    }
  }
}
