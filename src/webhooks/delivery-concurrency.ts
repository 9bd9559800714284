/** How many attempts may be in flight at once in this process. */
export interface ConcurrencyLimits {
  /** High, because an endpoint that hangs holds its share of it until the timeout. */
  total: number;
  /** Per user, over all of the user's applications. */
  perOwner: number;
  perEndpoint: number;
  /** After this many consecutive failures an endpoint is half-open: one attempt at a time, until one succeeds. */
  failuresToHalfOpen: number;
}

/** The bulkheads that an attempt counts against. */
export interface AttemptScope {
  applicationId: string;
  userId: string;
}

/** Free slots of the ids that have fewer than their limit; `slots[i]` belongs to `ids[i]`. */
export interface Capacity {
  ids: string[];
  slots: number[];
}

/**
 * Bulkheads per process, owner and endpoint. An endpoint that keeps failing is half-open: it is probed by one attempt
 * at a time, so that its backlog holds one slot instead of its whole share. The retry schedule of each event does not
 * change. The counts live in memory and start from zero after a restart.
 */
export class DeliveryConcurrency {
  private inFlight = 0;
  private readonly inFlightByEndpoint = new Map<string, number>();
  private readonly inFlightByOwner = new Map<string, number>();
  /** Consecutive failures by application; only endpoints whose last attempt failed are in it. */
  private readonly failures = new Map<string, number>();

  constructor(private readonly limits: ConcurrencyLimits) {}

  acquire({ applicationId, userId }: AttemptScope): void {
    this.inFlight++;
    add(this.inFlightByEndpoint, applicationId, 1);
    add(this.inFlightByOwner, userId, 1);
  }

  release({ applicationId, userId }: AttemptScope): void {
    this.inFlight--;
    add(this.inFlightByEndpoint, applicationId, -1);
    add(this.inFlightByOwner, userId, -1);
  }

  /** @param hasSucceeded the endpoint returned 2xx */
  recordOutcome(applicationId: string, hasSucceeded: boolean): void {
    if (hasSucceeded) this.failures.delete(applicationId);
    else add(this.failures, applicationId, 1);
  }

  /** Attempts that may start now. */
  get freeSlots(): number {
    return Math.max(0, this.limits.total - this.inFlight);
  }

  isBusy(applicationId: string): boolean {
    return this.inFlightByEndpoint.has(applicationId);
  }

  /** Capacity of the endpoints that have less than {@link ConcurrencyLimits.perEndpoint}. */
  capacityOfEndpoints(): Capacity {
    const ids = [...new Set([...this.inFlightByEndpoint.keys(), ...this.halfOpen()])];
    return {
      ids,
      slots: ids.map((id) => {
        const limit = this.isHalfOpen(id) ? 1 : this.limits.perEndpoint;
        return Math.max(0, limit - (this.inFlightByEndpoint.get(id) ?? 0));
      }),
    };
  }

  /** Capacity of the users that have less than {@link ConcurrencyLimits.perOwner}. */
  capacityOfOwners(): Capacity {
    const ids = [...this.inFlightByOwner.keys()];
    return {
      ids,
      slots: ids.map((id) => Math.max(0, this.limits.perOwner - (this.inFlightByOwner.get(id) ?? 0))),
    };
  }

  private isHalfOpen(applicationId: string): boolean {
    return (this.failures.get(applicationId) ?? 0) >= this.limits.failuresToHalfOpen;
  }

  private halfOpen(): string[] {
    return [...this.failures.keys()].filter((id) => this.isHalfOpen(id));
  }
}

/** Entries that reach zero are removed, so that the maps do not grow with every application ever seen. */
function add(counts: Map<string, number>, id: string, difference: number): void {
  const next = (counts.get(id) ?? 0) + difference;
  if (next > 0) counts.set(id, next);
  else counts.delete(id);
}
