/** A price that a rate was computed from: units of the pricing currency for one whole coin. */
export interface StoredPrice {
  source: string;
  value: string;
}

/** Reads the prices stored with a quote; what does not look like one is left out. */
export function readPrices(stored: unknown): StoredPrice[] {
  if (!Array.isArray(stored)) return [];
  return stored.flatMap((input: unknown) => {
    if (typeof input !== 'object' || input === null) return [];
    const { source, value } = input as Record<string, unknown>;
    return typeof source === 'string' && typeof value === 'string' ? [{ source, value }] : [];
  });
}
