const AND = ' & ';

/**
 * A request without a token is of its payment, and of its address: pages of one payment share, from however many addresses
 * they are asked for, and so does one address, however many payments it names or invents.
 */
export function strangerOf(paymentId: string | null, address: string): string {
  return paymentId === null ? `address ${address}` : `payment ${paymentId}${AND}address ${address}`;
}

/** How much each tenant has of something that all share; of a stranger, as much as the payment or the address has. */
export class TenantCounts {
  private readonly counts = new Map<string | null, number>();

  of(tenant: string | null): number {
    return Math.max(...partsOf(tenant).map((part) => this.counts.get(part) ?? 0));
  }

  add(tenant: string | null, change: 1 | -1): void {
    for (const part of partsOf(tenant)) {
      const count = (this.counts.get(part) ?? 0) + change;
      if (count < 0) throw new Error(`${part ?? 'the gateway'} has given back more than it took`);
      if (count === 0) this.counts.delete(part);
      else this.counts.set(part, count);
    }
  }
}

const partsOf = (tenant: string | null): (string | null)[] => tenant?.split(AND) ?? [null];
