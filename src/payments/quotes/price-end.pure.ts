/** What the end of a price depends on, beside the clock. */
interface Deadline {
  linkEndsAt: Date;
  /** For a customer who chose a way to pay; for funds that came late; for unmatched funds that were accepted. */
  purpose: 'method' | 'late' | 'acceptance';
}

/**
 * When the price of a quote ends (specification/money.md#quotes): no later than the link while there is one, so that no
 * page promises what it cannot keep. A price that is asked for after the link's end, by the merchant for a payment that is
 * under way, and one after an acceptance have their usual time: the rest is paid without the link.
 */
export function priceEnd(now: Date, ttlSeconds: number, { linkEndsAt, purpose }: Deadline): Date {
  if (purpose === 'late') return now;
  const end = new Date(now.getTime() + ttlSeconds * 1_000);
  const endsWithLink = purpose === 'method' && linkEndsAt > now && linkEndsAt < end;
  return endsWithLink ? linkEndsAt : end;
}
