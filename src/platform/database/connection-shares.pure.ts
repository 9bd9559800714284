import { TenantCounts } from '../kernel/tenant-counts.pure.js';

/** A caller that waits for a connection. */
interface Waiting<Item> {
  item: Item;
  tenant: string | null;
}

/**
 * Who gets the next connection of a pool. Tenants are users, or strangers (tenant-counts.pure.ts) before a token is verified; null is the
 * gateway's own work (loops, health checks). A tenant may hold all connections but a reserve, so that another one finds
 * a connection at once; while callers wait, the tenant that holds the fewest connections comes first.
 */
export class ConnectionShares<Item> {
  private readonly held = new TenantCounts();
  private waiting: Waiting<Item>[] = [];
  private total = 0;

  /** @param size connections of the pool */
  constructor(private readonly size: number) {}

  /** Connections that one tenant can hold: three quarters, at least one. */
  get perTenant(): number {
    return Math.max(1, this.size - Math.max(1, Math.floor(this.size / 4)));
  }

  get waitingCount(): number {
    return this.waiting.length;
  }

  /** Whether it still waits. */
  has(item: Item): boolean {
    return this.waiting.some((one) => one.item === item);
  }

  add(tenant: string | null, item: Item): void {
    this.waiting.push({ tenant, item });
  }

  /** Takes an item out that no longer waits. */
  remove(item: Item): void {
    this.waiting = this.waiting.filter((one) => one.item !== item);
  }

  /** Takes all items out. */
  removeAll(): Item[] {
    return this.waiting.splice(0).map(({ item }) => item);
  }

  /**
   * The item whose turn it is, which now holds a connection until {@link release}; null when none can have one. The
   * gateway's own work comes first: it is little, and payments depend on it.
   */
  next(): Waiting<Item> | null {
    if (this.total >= this.size) return null;
    let best = -1;
    let fewest = Infinity;
    for (const [i, { tenant }] of this.waiting.entries()) {
      const held = tenant === null ? -1 : this.held.of(tenant);
      if (held >= fewest || held >= this.perTenant) continue;
      best = i;
      fewest = held;
    }
    const [chosen] = best === -1 ? [] : this.waiting.splice(best, 1);
    if (!chosen) return null;
    this.total++;
    this.held.add(chosen.tenant, 1);
    return chosen;
  }

  release(tenant: string | null): void {
    this.held.add(tenant, -1);
    this.total--;
  }
}
