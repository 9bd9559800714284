const AND = ' & ';

/**
 * Whose a request without a token is: with a signed link of its payment, and else of all strangers; and of its address.
 * Pages of one payment share, from however many addresses they are asked for, and so do all who prove nothing, because
 * addresses and payments can be had or invented in any number; one address shares whatever it names.
 */
export function strangerOf(paymentId: string | null, address: string): string {
  return `${paymentId === null ? 'strangers' : `payment ${paymentId}`}${AND}address ${address}`;
}

/** With whom a tenant shares before all others: its payment, or all strangers. */
export function groupOf(tenant: string): string {
  const [group = tenant] = tenant.split(AND);
  return group;
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
