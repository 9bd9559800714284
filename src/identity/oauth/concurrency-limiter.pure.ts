import { ServiceUnavailableError } from '../../platform/kernel/errors/errors.pure.js';

interface Waiting {
  start: () => void;
  refuse: (error: Error) => void;
}

/**
 * Limits how many expensive jobs run at once and how many may wait. Tenants that wait take turns, and where no more may
 * wait, the newest job of the tenant that has the most waiting is refused: many jobs of one delay those of no other.
 */
export class ConcurrencyLimiter {
  private running = 0;
  private waitingCount = 0;
  /** By tenant; whose turn is next comes first. */
  private readonly waiting = new Map<string | null, Waiting[]>();

  constructor(
    private readonly maxRunning: number,
    private readonly maxWaiting: number,
  ) {}

  /**
   * @param tenant of `currentTenant()`; null: the gateway itself
   * @throws ServiceUnavailableError when too many wait
   */
  async run<T>(tenant: string | null, work: () => Promise<T>): Promise<T> {
    if (this.running < this.maxRunning) this.running++;
    // A finished job hands its slot to the next one, so `running` does not change.
    else await this.turnOf(tenant);
    try {
      return await work();
    } finally {
      const next = this.next();
      if (next) next.start();
      else this.running--;
    }
  }

  private turnOf(tenant: string | null): Promise<void> {
    if (this.waitingCount >= this.maxWaiting) this.makeRoomFor(tenant);
    return new Promise((start, refuse) => {
      this.waiting.set(tenant, [...(this.waiting.get(tenant) ?? []), { start, refuse }]);
      this.waitingCount++;
    });
  }

  private makeRoomFor(tenant: string | null): void {
    const error = new ServiceUnavailableError('Too many sign-ins');
    const [greediest = []] = [...this.waiting.values()].toSorted((a, b) => b.length - a.length);
    const own = this.waiting.get(tenant)?.length ?? 0;
    const newest = greediest.length > own + 1 ? greediest.pop() : undefined;
    if (!newest) throw error;
    this.waitingCount--;
    newest.refuse(error);
  }

  private next(): Waiting | null {
    const [turn] = this.waiting;
    if (!turn) return null;
    const [tenant, [first, ...rest]] = turn;
    // It goes behind all others.
    this.waiting.delete(tenant);
    if (rest.length > 0) this.waiting.set(tenant, rest);
    if (first) this.waitingCount--;
    return first ?? null;
  }
}
