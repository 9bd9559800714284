/** How many tries may be under way at once in this process. */
export interface LoadBounds {
  /** High, because endpoints that hang hold their share of it for the whole deadline. */
  total: number;
  /** Of one user, over all of the user's applications. */
  perOwner: number;
  perEndpoint: number;
  /** After so many failures in a row an endpoint gets one try at a time, until one succeeds. */
  failuresToProbe: number;
}

/** Whose try it is. */
export interface LoadShare {
  applicationId: string;
  userId: string;
}

/** Capacity that is left where it is less than the bound: ids, and numbers of the same places. */
export interface Capacity {
  ids: string[];
  rooms: number[];
}

/**
 * Bulkheads: what is under way, and which endpoints only ever fail. An endpoint that is down is probed by one try
 * at a time (half open), so that its backlog holds one place and not its whole share; the retry schedule of each
 * event stays what it is. All of it is this process's own and is learned again after a start.
 */
export class DeliveryConcurrency {
  private underWay = 0;
  private readonly ofEndpoint = new Map<string, number>();
  private readonly ofOwner = new Map<string, number>();
  /** Failures in a row, by application; endpoints that answer are not in it. */
  private readonly failures = new Map<string, number>();

  constructor(private readonly bounds: LoadBounds) {}

  begin({ applicationId, userId }: LoadShare): void {
    this.underWay++;
    count(this.ofEndpoint, applicationId, 1);
    count(this.ofOwner, userId, 1);
  }

  end({ applicationId, userId }: LoadShare): void {
    this.underWay--;
    count(this.ofEndpoint, applicationId, -1);
    count(this.ofOwner, userId, -1);
  }

  /** The endpoint was asked, and answered 2xx or did not. */
  judge(applicationId: string, hasSucceeded: boolean): void {
    if (hasSucceeded) this.failures.delete(applicationId);
    else count(this.failures, applicationId, 1);
  }

  /** Tries that may be begun now. */
  get free(): number {
    return Math.max(0, this.bounds.total - this.underWay);
  }

  isBusy(applicationId: string): boolean {
    return this.ofEndpoint.has(applicationId);
  }

  /** Capacity of the endpoints that have less than {@link LoadBounds.perEndpoint}. */
  capacityOfEndpoints(): Capacity {
    const ids = [...new Set([...this.ofEndpoint.keys(), ...this.probed()])];
    return {
      ids,
      rooms: ids.map((id) => {
        const bound = this.isProbed(id) ? 1 : this.bounds.perEndpoint;
        return Math.max(0, bound - (this.ofEndpoint.get(id) ?? 0));
      }),
    };
  }

  /** Capacity of the users that have less than {@link LoadBounds.perOwner}. */
  capacityOfOwners(): Capacity {
    const ids = [...this.ofOwner.keys()];
    return {
      ids,
      rooms: ids.map((id) => Math.max(0, this.bounds.perOwner - (this.ofOwner.get(id) ?? 0))),
    };
  }

  private isProbed(applicationId: string): boolean {
    return (this.failures.get(applicationId) ?? 0) >= this.bounds.failuresToProbe;
  }

  private probed(): string[] {
    return [...this.failures.keys()].filter((id) => this.isProbed(id));
  }
}

function count(of: Map<string, number>, id: string, by: number): void {
  const next = (of.get(id) ?? 0) + by;
  if (next > 0) of.set(id, next);
  else of.delete(id);
}
